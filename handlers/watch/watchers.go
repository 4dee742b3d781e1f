package watch

import (
	"context"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/watch"
)

// watcherOps holds the operations of sellers on those who watch their listings.
type watcherOps struct{ Deps }

type watchersInput struct {
	ID string `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
}

func (s watcherOps) getWatchers() web.Operation {
	return web.Op[watchersInput, *views.Watchers]{
		Name: "get_watchers", Path: "/api/listings/{id}/watchers", Page: "/account/listings/{id}/watchers",
		Access: web.Members, Scope: string(models.AccountRead), Tag: "Messages", NoTool: true,
		Title: "Count watchers", Summary: "Says how many people watch one of your listings.",
		Description: "Returns the number of members who watch one of your listings, how many of them since your last message to watchers, and that message. It doesn't say who they are.",
		Errors:      []string{"listing_not_found"},
		Sample:      s.sampleWatchers,
		Do: func(ctx context.Context, in *watchersInput) (*views.Watchers, error) {
			id := strings.ToLower(in.ID)
			w, err := s.Trades.WatchersOf(ctx, id, caller.ID(ctx))
			if err != nil {
				return nil, err
			}
			return s.watchersPage(ctx, id, w)
		},
	}.Operation()
}

type messageWatchersInput struct {
	watchersInput
	Text string `json:"text" jsonschema:"message text, plain text" maxlength:"4000" example:"It's €50 less until Sunday."`
}

func (s watcherOps) messageWatchers() web.Operation {
	return web.Op[messageWatchersInput, *views.Watchers]{
		Name: "message_watchers", Method: http.MethodPost, Path: "/api/listings/{id}/watchers", Page: "/account/listings/{id}/watchers",
		Access: web.Members, Scope: string(models.MessagesWrite), Tag: "Messages", NoTool: true,
		Done:  "Message sent.",
		Title: "Message watchers", Summary: "Sends a message to the people who watch one of your active listings.",
		Description: "Sends a message to each member who watches one of your active listings, once a member, as a conversation that you see when they answer. " +
			"Left out are members who have already written to you or made an offer, who block you, or who get no such messages; you aren't told who. It counts as one message.",
		Errors: []string{"listing_not_found", "not_for_sale", "no_new_watchers", "too_many_messages"},
		Sample: s.sampleWatchers,
		Do: func(ctx context.Context, in *messageWatchersInput) (*views.Watchers, error) {
			id := strings.ToLower(in.ID)
			w, err := s.Trades.MessageWatchers(ctx, id, caller.ID(ctx), in.Text)
			if err != nil {
				return nil, err
			}
			return s.watchersPage(ctx, id, w)
		},
	}.Operation()
}

func (s watcherOps) watchersPage(ctx context.Context, id string, w *models.Watchers) (*views.Watchers, error) {
	l, err := s.Listings.OwnListing(ctx, id, caller.ID(ctx))
	if err != nil {
		return nil, err
	}
	return views.NewWatchers(s.Site, l, w), nil
}

// sampleWatchers returns an example of a listing's watchers.
func (s watcherOps) sampleWatchers() *views.Watchers {
	l, _, _ := sample.Reported()
	return views.NewWatchers(s.Site, l, &models.Watchers{Count: 3, New: 1, LastText: "It's still available.", LastAt: sample.Day})
}
