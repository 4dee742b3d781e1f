package views

import (
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models/problem"
)

func TestErrorsForPeople(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"There is no listing with the id “019aa7d2-7c00”.", ""},
		{"Search with GET /api/listings/search?keyword=…", ""},
		{"Did you mean canon/eos-r6? Or find the slug with GET /api/gear?keyword=…", ""},
		{"Wait for the reply, or withdraw it. GET /api/offers lists your offers.", "Wait for the reply, or withdraw it."},
		{"There is no parameter \"limits\". Did you mean `limit`?", ""},
		{"The email address or the password is wrong.", "The email address or the password is wrong."},
		{"Something went wrong on our side. Try again in a moment.", "Something went wrong on our side. Try again in a moment."},
		{"Read it again and send its new ETag in If-Match.", ""},
		{"budget_max must be greater than zero.", ""},
	} {
		if got := strings.Join(forPeople(c.text), " "); got != c.want {
			t.Errorf("%q is %q for people, want %q", c.text, got, c.want)
		}
	}
	for _, e := range []*Error{{Status: 404, Code: "page_not_found"}, {Status: 404, Code: "listing_not_found"}, {Status: 400, Code: "invalid_parameter", Message: "limit=0"}, {Status: 412, Message: "ETag"}} {
		if lead := e.lead(t.Context()); lead == "" || !strings.HasSuffix(lead, ".") || slices.ContainsFunc(problem.Sentences(lead), problem.Technical) {
			t.Errorf("%d %s says %q", e.Status, e.Code, lead)
		}
	}
}

func TestErrorsInGerman(t *testing.T) {
	german := languages.German.NewContext(t.Context())
	for _, c := range []struct {
		e    FieldError
		want string
	}{
		{FieldError{Field: "title", Code: "missing_parameter", Message: "title is required."}, "Titel: Diese Angabe fehlt."},
		{FieldError{Field: "title", Message: "title must be text of at most 200 characters."}, "Titel: höchstens 200 Zeichen."},
		{FieldError{Field: "shutter_count", Message: "shutter_count must be at least 0; it is -3."}, "Auslösungen: mindestens 0, nicht -3."},
		{FieldError{Field: "price", Message: `"a. \"b\"" is not an amount: write a number with at most 2 decimals, such as 1249.00.`}, "„a. \"b\"“ ist kein Betrag. Schreib eine Zahl mit höchstens 2 Nachkommastellen, etwa 1249.00."},
		{FieldError{Field: "condition", Code: "unresolved_name", Message: `There is no condition "supr". Did you mean superb or super?`}, "„supr“ kennen wir hier nicht. Meintest du superb oder super?"},
		{FieldError{Field: "photo", Message: "a.gif: Only JPEG and PNG files are accepted; the content is GIF. Export it again as JPEG."}, "a.gif: Möglich sind nur JPEG und PNG, diese Datei ist GIF. Exportiere es noch einmal als JPEG."},
		{FieldError{Field: "price", Message: "nobody has translated this"}, "Preis: bitte prüfen."},
		{FieldError{Field: "other", Message: "nobody has translated this"}, "Dieses Feld: bitte prüfen."},
	} {
		if got := c.e.text(german); got != c.want {
			t.Errorf("%q is %q, want %q", c.e.Message, got, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"Wait 12 seconds and try again, or reset your password.", "Warte 12 Sekunden und versuch es noch einmal oder setze dein Passwort zurück."},
		{"Your account is new, and you've sent 50 messages within a day.", "Dein Konto ist neu und hat das Limit für heute erreicht."},
		{"Get its current state with GET /api/offers.", ""},
		{"Nobody has translated this.", ""},
	} {
		if got := errorIn(german, c.text); got != c.want {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}
