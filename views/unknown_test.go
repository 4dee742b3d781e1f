package views

import (
	"regexp"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	accountviews "github.com/secondlight/secondlight/views/account"
	tradeviews "github.com/secondlight/secondlight/views/trade"
	"github.com/secondlight/secondlight/views/ui"
	"github.com/secondlight/secondlight/views/viewstest"
)

var element = regexp.MustCompile(`<[^>]*>`)

// seen returns the text of the main element, without line breaks.
func seen(html string) string { return ui.OneLine(element.ReplaceAllString(viewstest.Main(html), "")) }

// TestUnknownPartsAreLeftOut reads pages about a member without a region, whose name is
// their handle.
func TestUnknownPartsAreLeftOut(t *testing.T) {
	site := viewstest.Site()
	jane := &models.Member{ID: "m9", Handle: "jane", Name: "jane", JoinedAt: viewstest.Member.JoinedAt}
	seller := accountviews.NewSeller(site, jane, 1, 2, viewstest.Cards(1), nil, "").WithRatings(models.RatingSummary{}, nil, models.ResponseStats{})
	talk := tradeviews.NewConversations(site, "me", 0, []tradeviews.ConversationParts{{
		Conversation: &models.Conversation{ID: "c1", BuyerID: "m9", SellerID: "me", UpdatedAt: viewstest.Member.JoinedAt},
		Me:           &models.Member{ID: "me", Handle: "me"}, With: jane, About: &models.Listing{Title: "fuji x-t4", Status: models.StatusSold, Price: 90000},
	}}, "")
	var result strings.Builder
	if err := seller.Result(&accountviews.SellerOptions{}).Text(&result); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, want, never string }{
		"seller":       {seen(viewstest.HTML(t, seller)), "jane No ratings yet Member since Mar 2024", "jane jane"},
		"description":  {seller.Head(t.Context()).Description, "1 listing by jane.", ", "},
		"Markdown":     {strings.ReplaceAll(viewstest.Markdown(t, seller), "  ", " "), "| Member since | Mar 2024 |", "| Region | |"},
		"agent":        {result.String(), "\nMember since Mar 2024, no ratings yet", ", member since"},
		"conversation": {seen(viewstest.HTML(t, talk)), "You are the seller of fuji x-t4", "jane jane"},
	} {
		if !strings.Contains(c.text, c.want) || strings.Contains(c.text, c.never) {
			t.Errorf("%s says %q, want %q and not %q", name, c.text, c.want, c.never)
		}
	}
}
