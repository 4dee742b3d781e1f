package ui

import (
	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// footerColumn is a heading of the footer with its links.
type footerColumn struct {
	title string
	links []Link
}

// footerColumns lists the links of the footer under their headings.
var footerColumns = []footerColumn{
	{languages.Mark("Buy"), []Link{{SearchPath, "Shop all"}, {UsedPrefix + "cameras", "Used cameras"}, {UsedPrefix + "lenses", "Used lenses"}, {"/buying", "How buying works"}, {"/shipping", "Postage and collection"}, {"/safety", "Staying safe"}}},
	{languages.Mark("Sell"), []Link{{"/sell", "Sell your gear"}, {"/fees", "Fees"}, {"/guides/selling-well", "Selling well"}, {"/guides/condition-grades", "Condition grades"}}},
	{languages.Mark("Prices"), []Link{{"/gear", "Price guide"}, {"/prices", "Check a price"}, {"/prices/valuation", "Value your gear"}, {"/compare", "Compare models"}}},
	{languages.Mark("About"), []Link{{"/help", "Help"}, {ContactPath, "Contact"}, {"/about", "About"}, {"/guides", "Guides"}, {"/docs", "Documentation"}, {"/developers", "For developers"}}},
}

// legalLinks lists the pages about the law and the owner's part in it.
var legalLinks = []Link{{"/privacy", "Privacy"}, {"/terms", "Terms"}, {"/imprint", "Imprint"}}

// legalLinks returns the links of the footer about the law. A portfolio sells nothing.
func (s *Site) legalLinks() []Link {
	if s.Purpose().HasShop() {
		return legalLinks
	}
	return []Link{legalLinks[2], legalLinks[0]}
}

// footerColumns returns the columns of the footer, without links to pages that the site
// doesn't have, and the owner's links last.
func (s *Site) footerColumns() []footerColumn {
	var columns []footerColumn
	for _, c := range footerColumns {
		if !s.Purpose().HasShop() {
			break // a portfolio's is short
		}
		if c.links = s.Existing(c.links); len(c.links) > 0 {
			columns = append(columns, c)
		}
	}
	if own := models.ShownLinks(s.Settings().FooterLinks); len(own) > 0 {
		columns = append(columns, footerColumn{s.Name(), ownLinks(own)})
	}
	return columns
}

// feedOf returns the path of the feed in the footer: of the page, or else of the portfolio if
// there is no shop.
func (s *Site) feedOf(head *Head) string {
	if feed := head.feed(); feed != "" || s.Purpose().HasShop() {
		return feed
	}
	return (&Head{Alternates: FeedAlternates("/portfolio")}).feed()
}

// feed returns the path of the page's Atom feed, "" if it has none.
func (h *Head) feed() string {
	for _, a := range h.Alternates {
		if a.Type == AtomType {
			return a.Href
		}
	}
	return ""
}
