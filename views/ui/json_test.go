package ui

import (
	"slices"
	"testing"
)

// The pages of cards are found in their JSON, whatever members write.
func TestPagesOfCards(t *testing.T) {
	var list CardList
	var want []string
	for _, title := range []string{"Canon EOS R6", `"page":"/listings/other"`, `\","page":"/`} {
		card := Card{ID: "019aa7d2-7c00-7000-8000-000000000000", Title: title, Seller: "anna"}
		card.Ref = NewRef("/listings/" + card.ID)
		list, want = append(list, card.JSON()), append(want, card.Page)
	}
	if got := list.Pages(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
