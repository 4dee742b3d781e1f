package ui

import (
	"strings"
	"testing"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models/problem"
)

func TestErrorsForPeople(t *testing.T) {
	for _, c := range []struct {
		text problem.Text
		want string
	}{
		{nil, ""},
		{problem.Programf("There is no listing with the id %q.", "019aa7d2-7c00"), ""},
		{problem.Textf("Wait for the reply, or withdraw it.").And(problem.Programf("GET /api/offers lists your offers.")), "Wait for the reply, or withdraw it."},
		{problem.Programf("2 parameters are invalid.").And(problem.Textf("There's no %s %q.", "mount", `a "token" %s /x. It`)), `There's no mount "a "token" %s /x. It".`},
		{problem.Textf("%s must be greater than zero.", problem.Field("budget_max")), "Budget max must be greater than zero."},
		{problem.Textf("Did you mean %s?", problem.Or{"a", "b or", "c"}), "Did you mean a, b or or c?"},
		{problem.Textf("Wait %s and try again.", problem.Textf("%d seconds", 12)), "Wait 12 seconds and try again."},
		{problem.Textf("%s is listed twice.", "us"), "us is listed twice."},
	} {
		if got := errorIn(t.Context(), c.text); got != c.want {
			t.Errorf("%q is %q for people, want %q", c.text, got, c.want)
		}
	}
	for _, e := range []*Error{{Status: 404, Code: "page_not_found"}, {Status: 404, Code: "listing_not_found"}, {Status: 400, Code: "invalid_parameter", Message: problem.Programf("limit=0")}, {Status: 412, Message: problem.Programf("ETag")}} {
		if lead := e.lead(t.Context()); lead == "" || !strings.HasSuffix(lead, ".") || strings.Contains(lead, e.Message.String()) && e.Message != nil {
			t.Errorf("%d %s says %q", e.Status, e.Code, lead)
		}
	}
}

func TestErrorsInGerman(t *testing.T) {
	german := languages.German.NewContext(t.Context())
	unknown := (&problem.Unresolved{Kind: "condition", Text: "supr", Candidates: []string{"superb", "super"}})
	for _, c := range []struct {
		e    FieldError
		want string
	}{
		{FieldError{Field: "title", Code: "missing_parameter", Message: problem.Textf("%s is required.", problem.Field("title"))}, "Titel: Diese Angabe fehlt."},
		{FieldError{Field: "title", Message: problem.Textf("%s must be text of at most %d characters.", problem.Field("title"), 200)}, "Titel: höchstens 200 Zeichen."},
		{FieldError{Field: "shutter_count", Message: problem.Textf("%s must be at least %d; it is %d.", problem.Field("shutter_count"), 0, -3)}, "Auslösungen: mindestens 0, nicht -3."},
		{FieldError{Field: "price", Message: problem.Textf("%q isn't an amount. Enter a number with up to %d decimal places, such as %s.", `a. "b"`, 2, "1249.00")}, "„a. \"b\"“ ist kein Betrag. Schreib zum Beispiel 1.249, mit höchstens 2 Nachkommastellen."},
		{FieldError{Field: "condition", Code: "unresolved_name", Message: unknown.Message().And(unknown.Hint())}, "„supr“ kennen wir hier nicht. Meintest du superb oder super?"},
		{FieldError{Field: "photo", Message: problem.Textf("%s: %s", "a.gif", problem.Textf("Only JPEG, PNG, WebP, HEIC and AVIF files are accepted; the content is %s.", "GIF")).And(problem.Textf("Export it again as JPEG."))}, "a.gif: Möglich sind nur JPEG, PNG, WebP, HEIC und AVIF, diese Datei ist GIF. Exportiere es noch einmal als JPEG."},
		{FieldError{Field: "price", Message: problem.Programf("for programs")}, "Bitte prüfen: Preis"},
		{FieldError{Field: "other", Message: problem.Programf("for programs")}, "Bitte prüfen: Dieses Feld"},
	} {
		if got := c.e.Text(german); got != c.want {
			t.Errorf("%q is %q, want %q", c.e.Message, got, c.want)
		}
	}
	for _, c := range []struct {
		text problem.Text
		want string
	}{
		{problem.Textf("Wait %s and try again, or reset your password.", problem.Textf("%d seconds", 12)), "Warte 12 Sekunden und versuch es noch einmal oder setze dein Passwort zurück."},
		{problem.Textf("New accounts are limited, and you've %s in the last 24 hours.", "sent 50 messages"), "Dein Konto ist neu und hat das Limit für heute erreicht."},
		{problem.Textf("There's no %s %q.", "mount", "Feld or %s"), "„Feld or %s“ kennen wir hier nicht."},
		{problem.Textf("%s must be greater than zero.", problem.Field("budget_max")), "Höchstpreis: muss größer als null sein."},
		{problem.Programf("Get its current state with GET /api/offers."), ""},
	} {
		if got := errorIn(german, c.text); got != c.want {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}
