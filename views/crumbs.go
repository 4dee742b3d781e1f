package views

import (
	"context"

	"github.com/secondlight/secondlight/content/languages"
)

// accountCrumb is the breadcrumb of the pages for signed-in members.
var accountCrumb = Link{"/account", "Account"}

// accountCrumbs is the breadcrumb of the pages below /account.
var accountCrumbs = []Link{{"/account", "Your account"}}

// advancedCrumbs is the breadcrumb of the pages below Advanced.
var advancedCrumbs = []Link{accountCrumb, {advancedPath, "Advanced"}}

// adminCrumbs returns the breadcrumbs of a page of administration, before pages of its
// section.
func adminCrumbs(ctx context.Context, section ...Link) []Link {
	return append([]Link{{"/account", t(ctx, "Your account")}}, section...)
}

// gearCrumb returns the label of the list of all gear among the breadcrumbs.
func gearCrumb(ctx context.Context) string { return languages.Of(ctx).TextIn("all gear", "Gear") }
