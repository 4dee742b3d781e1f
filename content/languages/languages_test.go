package languages

import (
	"context"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
)

func TestFormats(t *testing.T) {
	at := time.Date(2026, time.November, 3, 9, 5, 0, 0, time.UTC)
	ago := func(l *Language, days int) string { return l.Ago(at.AddDate(0, 0, -days), at) }
	for _, c := range []struct{ what, got, want string }{
		{"number", English.Number(1234567), "1,234,567"}, {"number", German.Number(1234567), "1.234.567"},
		{"small number", German.Number(999), "999"},
		{"decimal", English.Decimal("−4.2 %"), "−4.2 %"}, {"decimal", German.Decimal("−4.2 %"), "−4,2 %"},
		{"amount", English.Money("1249.00", "EUR"), "€1,249"}, {"amount", German.Money("1249.00", "EUR"), "1.249\u00a0€"},
		{"amount with cents", English.Money("1249.50", "EUR"), "€1,249.50"}, {"amount with cents", German.Money("1249.50", "EUR"), "1.249,50\u00a0€"},
		{"negative amount", English.Money("-1249.00", "USD"), "−$1,249"}, {"negative amount", German.Money("-1249.00", "USD"), "−1.249\u00a0$"},
		{"currency without a symbol", English.Money("90.00", "CHF"), "CHF\u00a090"}, {"currency without a symbol", German.Money("90.00", "CHF"), "90\u00a0CHF"},
		{"day", English.Day(at), "3 Nov 2026"}, {"day", German.Day(at), "3. November 2026"},
		{"month", English.Month(at), "Nov 2026"}, {"month", German.Month(at), "Nov. 2026"},
		{"moment", English.Moment(English.Day(at), at), "3 Nov 2026, 09:05 UTC"}, {"moment", German.Moment(German.Day(at), at), "3. November 2026, 09:05 Uhr (UTC)"},
		{"today", English.Ago(at, at), "Today"}, {"today", German.Ago(at, at), "Heute"},
		{"3 days", ago(English, 3), "3 days ago"}, {"3 days", ago(German, 3), "Vor 3 Tagen"},
		{"a year", ago(English, 400), "1 year ago"}, {"a year", ago(German, 400), "Vor 1 Jahr"},
		{"years", ago(German, 800), "Vor 2 Jahren"},
		{"weekday", English.Weekday(at), "Tue 3 Nov 2026"}, {"weekday", German.Weekday(at), "Dienstag, 3. November 2026"},
		{"own name", English.Name(), "English"}, {"own name", German.Name(), "Deutsch"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.what, c.got, c.want)
		}
	}
}

func TestTimesAreInTheZoneOfReaders(t *testing.T) {
	at := time.Date(2026, time.November, 3, 23, 5, 0, 0, time.UTC)
	for _, c := range []struct {
		zone                 string
		own                  bool
		english, german, ago string
	}{
		{"Europe/Berlin", true, "4 Nov 2026, 00:05 CET", "4. November 2026, 00:05 Uhr (MEZ)", "Today"},
		{"America/New_York", true, "3 Nov 2026, 18:05 EST", "3. November 2026, 18:05 Uhr (EST)", "Yesterday"},
		{"", false, "3 Nov 2026, 23:05 UTC", "3. November 2026, 23:05 Uhr (UTC)", "Yesterday"},
		{"Atlantis", false, "3 Nov 2026, 23:05 UTC", "3. November 2026, 23:05 Uhr (UTC)", "Yesterday"},
		{"../../etc/passwd", false, "3 Nov 2026, 23:05 UTC", "3. November 2026, 23:05 Uhr (UTC)", "Yesterday"},
	} {
		zone, own := Zone(InZone(t.Context(), c.zone))
		there := at.In(zone)
		if got, ago := [2]string{English.Moment(English.Day(there), there), German.Moment(German.Day(there), there)}, English.Ago(there, at.Add(6*time.Hour)); own != c.own || got != [2]string{c.english, c.german} || ago != c.ago {
			t.Errorf("in %q: %q, %s, own: %v", c.zone, got, ago, own)
		}
		if named, own := Zone(WithZone(t.Context(), zone)); named != zone || own {
			t.Errorf("the zone of the site is %v, own: %v", named, own)
		}
	}
	if got := [2]string{English.LocalMoment(English.Day(at), at), German.LocalMoment(German.Weekday(at), at)}; got != [2]string{"3 Nov 2026, 23:05", "Dienstag, 3. November 2026, 23:05 Uhr"} {
		t.Errorf("in their own zone: %q", got)
	}
}

func TestContextHasLanguage(t *testing.T) {
	if got := Of(context.Background()).Text("Today"); got != "Today" {
		t.Errorf("without a language: %q, want English", got)
	}
	if got := Of(German.NewContext(context.Background())).Text("Today"); got != "Heute" {
		t.Errorf("in German: %q", got)
	}
}

func TestTextMissingFromACatalogueIsEnglish(t *testing.T) {
	if got := German.Text(""); got != "" {
		t.Errorf("the empty text is %q", got)
	}
	if got := German.Text("Not in the catalogue: %d", 3); got != "Not in the catalogue: 3" {
		t.Errorf("got %q", got)
	}
	if got := German.Text(""); got != "" {
		t.Errorf("the header of the catalogue is a text: %q", got)
	}
	if got := German.Plural(1, "%d unknown", "%d unknowns", 1); got != "1 unknown" {
		t.Errorf("got %q", got)
	}
}

func TestSingularMayLeaveOutItsNumber(t *testing.T) {
	l := newLanguage(German.tag, []byte(header+"\nmsgid \"Your %s listing\"\nmsgid_plural \"All %s listings\"\nmsgstr[0] \"Deine Anzeige\"\nmsgstr[1] \"Alle %s Anzeigen\"\n"))
	for n, want := range map[int]string{1: "Deine Anzeige", 2: "Alle 2 Anzeigen"} {
		if got := l.Plural(n, "Your %s listing", "All %s listings", l.Number(n)); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}

func TestEmptyTextStaysEmpty(t *testing.T) {
	if got := German.Text(""); got != "" {
		t.Errorf("got %q", got)
	}
}

// TestGermanConditions tests that the labels of conditions are read in lists of gear.
func TestGermanConditions(t *testing.T) {
	for _, c := range models.Conditions {
		var item prices.ValuationItem
		item.Set("Leica M6, " + German.Text(c.Label()))
		if got, _ := item.Grade(); got != c {
			t.Errorf("%s is read as %q", German.Text(c.Label()), item.Condition)
		}
	}
}
