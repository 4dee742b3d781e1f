package views

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// unidiomatic lists phrases of earlier releases that no native speaker would write, with
// what to write instead. Labels that are ordinary words elsewhere stand as templates and
// strings have them.
var unidiomatic = []struct{ not, but string }{
	{`Everything for sale`, "Shop all"},
	{`What (this )?gear sells for`, "Price guide"},
	{`each with what it is worth`, "priced against 60,000 completed sales"},
	{`Look into your mail`, "Check your email"},
	{`A mail is on its way|it is good for`, "We've emailed you a link. It expires in 24 hours."},
	{`Become a member`, "Create an account"},
	{`Where your gear is|Rather not say`, "Location; Prefer not to say"},
	{`[">]Go on["<]`, "Continue"},
	{`find it by a photograph it took`, "Or identify it from a photo"},
	{`Keep as a draft|Keep the changes|Keep it as a file`, "Save draft; Save changes; Download"},
	{`[">](Earlier|Later)["<]`, "Move up; Move down"},
	{`\bIt is sold\b`, "Mark as sold"},
	{`(N|n)othing brings`, "This can't be undone"},
	{`part of the bargain|found by the buyer, it is a dispute`, "Mention every flaw. Surprises lead to disputes."},
	{`Prices named|two of you may name|may be named|both named four prices`, "Offer history; 7 counter-offers left; Counter-offer limit reached"},
	{`(are|is) to answer until`, "Reply by Tue 18:28"},
	{`What you may do`, "Your options"},
	{`rating stands on`, "Thanks, your review is live"},
	{`Where the median goes`, "Price history"},
	{`No listing fits all of that`, "No matches. Remove a filter or set an alert"},
	{`No report waits`, "No open reports"},
	{`held about you`, "Your data"},
	{`for sale no more|because its time was over`, "Your listing X has expired"},
	{`Leave it at that`, "You can't contact this member"},
	{`takes nothing from you`, "This member has blocked you"},
	{`not any more what you read`, "The listing has changed since you opened it"},
	{`must be above nothing`, "must be greater than zero"},
	{`Nothing here is acceptable`, "No supported media type"},
	{`say the same thing`, "can't be combined"},
	{`good no more`, "no longer work"},
	{`report a hole`, "security contact"},
}

// TestWordsOfPages tests that nothing that people read has a phrase of the list.
func TestWordsOfPages(t *testing.T) {
	read := 0
	for _, folder := range []string{".", "../handlers", "../models", "../content"} {
		err := fs.WalkDir(os.DirFS(folder), ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !isText.MatchString(path) || notWritten.MatchString(path) {
				return err
			}
			text, err := fs.ReadFile(os.DirFS(folder), path)
			if err != nil {
				return err
			}
			read++
			for n, line := range strings.Split(string(text), "\n") {
				for i, words := range unidiomatic {
					if found := unidiomaticPatterns[i].FindString(line); found != "" {
						t.Errorf("%s/%s:%d: %q; write: %s", folder, path, n+1, found, words.but)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if read < 300 {
		t.Errorf("only %d files were read", read)
	}
}

var (
	isText     = regexp.MustCompile(`\.(go|templ|md|json|toml|yaml|js)$`)
	notWritten = regexp.MustCompile(`_test\.go$|_templ\.go$|(^|/)testdata/`)

	unidiomaticPatterns = func() (all []*regexp.Regexp) {
		for _, words := range unidiomatic {
			all = append(all, regexp.MustCompile(words.not))
		}
		return all
	}()
)
