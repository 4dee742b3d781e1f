package handlers

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
)

// TestDeadlinesInTexts finds every text on how long a buyer has to confirm or dispute a sale: it
// names the deadline of an item that was sent, too, or says that it counts from the arrival.
func TestDeadlinesInTexts(t *testing.T) {
	t.Parallel()
	days := func(d time.Duration) string { return strconv.Itoa(int(d.Hours() / 24)) }
	short, long := days(models.ConfirmationPeriod), days(models.ShippingPeriod)
	about, period := regexp.MustCompile(`(?i)silence|dispute|confirm|part of the trend`), regexp.MustCompile(`(?i)\b(`+short+`|seven)(\*\*)? days`)
	paragraph := regexp.MustCompile(`\n\n|\n(\d+\.|-) `)
	texts := map[string]string{}
	for _, pattern := range []string{"guides/*.md", "pages/*.md", "skills/*/*.md"} {
		names, err := filepath.Glob("../content/" + pattern)
		must(err)
		for _, name := range names {
			text, err := os.ReadFile(name)
			must(err)
			for i, part := range paragraph.Split(string(text), -1) {
				texts[name+" "+strconv.Itoa(i)] = strings.Join(strings.Fields(part), " ")
			}
		}
	}
	for _, tool := range tools {
		texts["tool "+tool.Name] = tool.Description
	}
	for _, op := range newTestServer(t).Operations() {
		texts["operation "+op.Name] = op.Description
	}
	found := 0
	for where, text := range texts {
		if !about.MatchString(text) || !period.MatchString(text) {
			continue
		}
		found++
		if !strings.Contains(text, long) && !strings.Contains(text, "arriv") {
			t.Errorf("%s says nothing of %s days: %s", where, long, text)
		}
	}
	if found < 8 {
		t.Errorf("%d texts on deadlines, of at least 8", found)
	}
}
