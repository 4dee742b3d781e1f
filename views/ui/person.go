package ui

import "github.com/secondlight/secondlight/models"

// Person identifies a member to other members.
type Person struct {
	Handle string `json:"handle" jsonschema:"handle of the member"`
	Name   string `json:"name" untrusted:"true"`
	Ref
}

func NewPerson(site *Site, m *models.Member) Person {
	return Person{Handle: m.Handle, Name: m.Name, Ref: NewRef(SellerPath(m.Handle))}
}

// Topic identifies the listing that a conversation, report or moderation action is
// about.
type Topic struct {
	ID    string        `json:"id" jsonschema:"UUID of the listing"`
	Title string        `json:"title" untrusted:"true"`
	Href  string        `json:"href,omitempty" jsonschema:"path of the listing in the API; absent when the listing is no longer public"`
	Page  string        `json:"page,omitempty" jsonschema:"path of the listing's page; absent when the listing is no longer public"`
	Price *models.Money `json:"price,omitempty" jsonschema:"asking price; absent when the listing is no longer public"`
}

func NewTopic(site *Site, l *models.Listing) Topic {
	t := Topic{ID: l.ID, Title: l.Title}
	if l.Status.Public() {
		ref := ListingRef(l.ID)
		t.Href, t.Page, t.Price = ref.Href, ref.Page, MoneyOf(site.In(l.Currency), l.Price)
	}
	return t
}
