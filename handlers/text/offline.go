package text

import (
	"context"

	"github.com/secondlight/secondlight/handlers/web"
	accountviews "github.com/secondlight/secondlight/views/account"
	"github.com/secondlight/secondlight/views/ui"
)

// showOffline returns the operation that shows that page.
func (s pageOps) showOffline() web.Operation {
	return web.Op[struct{}, *ui.FormPage]{
		Name:        "show_offline",
		Page:        OfflinePage,
		Tag:         "Site",
		Unlisted:    true,
		Shared:      true,
		Title:       "Offline",
		Summary:     "Shows what can be read without a connection.",
		Description: "Returns the page that browsers show for addresses that they have not stored.",
		Do: func(context.Context, *struct{}) (*ui.FormPage, error) {
			return accountviews.NewOffline(s.Site), nil
		},
	}.Operation()
}

// OfflinePage is the path of the page that browsers show without a connection.
const OfflinePage = "/offline"
