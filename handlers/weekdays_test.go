package handlers

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	tradeviews "github.com/secondlight/secondlight/views/trade"
)

// TestDeadlinesNameTheWeekday reads every sample page and the emails of trades in each language:
// a time by which something is due names its weekday.
func TestDeadlinesNameTheWeekday(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	tags := regexp.MustCompile(`<[^>]*>|\||\s+`)
	due := regexp.MustCompile(`\b(?:by|until|bis|Expires|Confirmed automatically|Läuft ab|Automatisch bestätigt am) ((?:\pL+,? )?)\d{1,2}\.? \pL+ \d{4}, \d\d:\d\d`)
	check := func(what, text string) (found int) {
		for _, m := range due.FindAllStringSubmatch(strings.Join(strings.Fields(tags.ReplaceAllString(text, " ")), " "), -1) {
			found++
			if m[1] == "" {
				t.Errorf("%s: %s", what, m[0])
			}
		}
		return found
	}
	source, err := os.ReadFile("../models/notice.go")
	must(err)
	kinds := regexp.MustCompile(`NoticeKind = "(\w+)"`).FindAllStringSubmatch(string(source), -1)
	emails := tradeviews.EmailTemplates(s.site)
	for _, l := range languages.All {
		pages, mails := 0, 0
		for _, op := range s.Operations() {
			if op.Sample == nil {
				continue
			}
			for _, format := range []web.Format{web.HTML, web.Markdown} {
				body, err := s.RenderSafely(l.NewContext(context.Background()), op.Sample(), format)
				must(err)
				pages += check(op.Name+" in "+l.Code(), string(body))
			}
		}
		for _, kind := range kinds {
			for _, shipped := range []bool{false, true} {
				body := emails(&models.Notice{Kind: models.NoticeKind(kind[1]), Language: l.Code(), By: "Jane", Title: "Leica M6", Amount: 115000, ExpiresAt: models.TimeOf(testNow), Shipped: shipped}).Body
				mails += check(kind[1]+" in "+l.Code(), body)
			}
		}
		if pages < 10 || mails < 10 {
			t.Errorf("%s: %d deadlines on pages, %d in emails", l.Code(), pages, mails)
		}
	}
}
