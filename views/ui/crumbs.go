package ui

import (
	"context"

	"github.com/secondlight/secondlight/content/languages"
)

// AccountCrumb is the breadcrumb of the pages for signed-in members.
var AccountCrumb = Link{"/account", "Account"}

// AccountCrumbs is the breadcrumb of the pages below /account.
var AccountCrumbs = []Link{{"/account", "Your account"}}

// AdvancedCrumbs is the breadcrumb of the pages below Advanced.
var AdvancedCrumbs = []Link{AccountCrumb, {AdvancedPath, "Advanced"}}

// AdminCrumbs returns the breadcrumbs of a page of administration, before pages of its
// section.
func AdminCrumbs(ctx context.Context, section ...Link) []Link {
	return append([]Link{{"/account", T(ctx, "Your account")}}, section...)
}

// GearCrumb returns the label of the list of all gear among the breadcrumbs.
func GearCrumb(ctx context.Context) string { return languages.Of(ctx).TextIn("all gear", "Gear") }
