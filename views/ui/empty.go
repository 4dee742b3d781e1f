package ui

import (
	"github.com/secondlight/secondlight/content/languages"
)

// Empty is what a page without content says: to visitors, and to those who can fill it.
type Empty struct {
	Visitor string
	Away    Link // where visitors can go instead
	Owner   string
	Next    Link // what the owner does next
}

var (
	EmptyJournal = Empty{
		Visitor: languages.Mark("The first entry is still being written. Subscribe to the feed and you'll read it first."),
		Away:    Link{"/guides", languages.Mark("Read the guides")},
		Owner:   languages.Mark("Your journal is empty. Start with a photograph you like and how you made it."),
		Next:    Link{TextsPath + "#journal", languages.Mark("Write an entry")},
	}
	EmptyPortfolio = Empty{
		Visitor: languages.Mark("Photographs coming soon."),
		Away:    Link{"/journal", languages.Mark("Read the journal")},
		Owner:   languages.Mark("Your portfolio is empty. Create a project and drop your photographs into it."),
		Next:    Link{EditorPath, languages.Mark("Create a project")},
	}
	EmptyShop = Empty{
		Visitor: languages.Mark("Nothing for sale right now. See what things sell for in the price guide."),
		Away:    Link{"/gear", languages.Mark("Browse the price guide")},
		Owner:   languages.Mark("Nothing for sale yet. List your first camera or lens: photos, condition, price, done."),
		Next:    Link{"/sell", languages.Mark("Create a listing")},
	}
	EmptyPrices = Empty{
		Visitor: languages.Mark("Prices will appear here once cameras and lenses have sold."),
		Away:    Link{"/listings", languages.Mark("See what's for sale")},
		Owner:   languages.Mark("Prices come from sales: publish listings, and have buyers confirm what they paid."),
		Next:    Link{"/sell", languages.Mark("Create a listing")},
	}
)
