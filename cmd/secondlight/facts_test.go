package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
)

// fact is a number that texts state. A sentence that is about it states no other number of the unit.
type fact struct {
	about   *regexp.Regexp // matches the sentences
	numbers *regexp.Regexp // matches the numbers in them, as its first group
	allowed []int
}

var (
	inDays  = regexp.MustCompile(`(?i)\b([\p{L}\d]+)\*{0,2}[  -](?:days?|tagen?|tage)\b`)
	inHours = regexp.MustCompile(`(?i)\b([\p{L}\d]+)\*{0,2}[  -](?:hours?|stunden?)\b`)
)

func days(d time.Duration) int { return int(d / (24 * time.Hour)) }

var facts = map[string]fact{
	"reply to an offer": {regexp.MustCompile(`(?i)(?:seller|they|other (?:side|party)|verkäufer|offer).{0,60}(?:accept|decline|counter|confirm each purchase|anzunehmen|expires after)`),
		inHours, []int{int(models.OfferLifetime.Hours())}},
	"confirm a sale": {regexp.MustCompile(`(?i)confirm|dispute|report a problem|silence|says? nothing|bestätig|problem zu|nichts sagt`),
		regexp.MustCompile(`(?i)([\p{L}\d]+)(?: days| tage)?\*{0,2}(?: days| tage)? (?:to (?:confirm|check|dispute|report)|after (?:sending|it was sent|a pick-up)|after the hand-over|nach (?:dem versand|der abholung)|of (?:collection|completion)|zeit, um zu bestätigen|lang nichts sagt)`),
		[]int{days(models.ConfirmationPeriod), days(models.ShippingPeriod)}},
	"a sale is confirmed": {regexp.MustCompile(`(?i)confirmed|bestätigt`),
		regexp.MustCompile(`(?i)(?:confirmed|bestätigt)(?: \pL+)? (?:after|nach) (\p{L}+|\d+) (?:days|tagen)\b`), []int{days(models.ConfirmationPeriod), days(models.ShippingPeriod)}},
	"a listing is for sale": {regexp.MustCompile(`(?i)(?:expires|expire \||on sale|active|bleibt eine anzeige|listing stay)`),
		regexp.MustCompile(`(?i)\b(?:after|for|another|automatic,|online\?\*\*|up\?\*\*) (\p{L}+|\d+) (?:days|tage)\b`), []int{days(models.ListingLifetime)}},
	"an address is deleted": {regexp.MustCompile(`(?i)(?:address|adresse)[^.|]{0,120}(?:delete|lösch)|(?:delete|lösch)[^.|]{0,60}(?:address|adresse)`), inDays, []int{days(models.ErasePeriod), days(models.ContactPeriod)}},
	"a code for a photo":    {regexp.MustCompile(`(?i)\bcode\b.{0,100}(?:photo|paper|foto)`), inDays, []int{days(models.CodeLifetime), 60}},
	"changes are kept":      {regexp.MustCompile(`(?i)\bchanges are kept`), inDays, []int{days(models.ChangeRetention)}},
	"sales of a price": {regexp.MustCompile(`(?i)(?:not enough sales|too few sales|zu wenige verkäufe|insufficient_data|a price needs|für einen preis)`),
		regexp.MustCompile(`(?i)(?:fewer than|under|needs|unter|weniger als|braucht es) (\p{L}+|\d+)\b(?: sales| verkäufen?|\.)`), []int{prices.MinSales}},
	"tools without a token": {regexp.MustCompile(`(?i)at most`), regexp.MustCompile(`(?i)(\d+) without a token(?: and|\))`), []int{web.MaxAnonymousTools}},
	"tools with a token":    {regexp.MustCompile(`(?i)at most|used`), regexp.MustCompile(`(?i)without a token and (\d+)`), []int{web.MaxTools}},
	"conditions":            {regexp.MustCompile(`(?i)condition|zustände|grades`), regexp.MustCompile(`(?i)\b(three|four|five|six|seven|eight|nine|\d+|sechs|sieben|acht) (?:conditions|grades|zustände)\b`), []int{len(models.Conditions)}},
}

// claims are sentences that contradict what the site does, in both languages.
var claims = regexp.MustCompile(`(?i)do not fill gaps from similar|instead of guessing|never include an estimate|mark it as sold with the real price|median is made of\. *when it has sold` +
	`|without .deal. there are too few|füllen lücken nicht|statt zu raten|als verkauft, mit dem echten preis|estimates? (?:are|is) never|never estimates?|niemals schätzungen|we (?:hold|keep) (?:your|the) (?:money|payment)`)

// words are the numbers that texts write as words.
var words = map[string]int{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "fourteen": 14, "twenty-one": 21, "sixty": 60,
	"zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "vierzehn": 14, "sechzig": 60}

var sentenceEnd = regexp.MustCompile(`[.!?][)"*]* |\n\n|\n[-|#]|\\n|\n"|;\s`)

// mayState matches what sentences with facts and claims have at least.
var mayState = regexp.MustCompile(`(?i)days|hours|tage|stunden|sales|verkäufe|without a token|conditions|grades|zustände|insufficient_data|a price needs|für einen preis|fill|guess|estimate|lücken|raten|schätzung|mark it as sold|als verkauft`)

// statedOtherwise returns the sentences of a text that state another number than a fact has, or a
// claim that is wrong, by fact; and which facts the text states.
func statedOtherwise(text string) (wrong map[string][]string, stated map[string]int) {
	wrong, stated = map[string][]string{}, map[string]int{}
	for _, sentence := range sentenceEnd.Split(text, -1) {
		if !mayState.MatchString(sentence) {
			continue
		}
		sentence = strings.Join(strings.Fields(strings.ReplaceAll(sentence, "\"\n\"", "")), " ")
		if claims.MatchString(sentence) {
			wrong["claim"] = append(wrong["claim"], sentence)
		}
		for name, f := range facts {
			if !f.about.MatchString(sentence) {
				continue
			}
			for _, m := range f.numbers.FindAllStringSubmatch(sentence, -1) {
				n, ok := words[strings.ToLower(m[1])]
				if parsed, err := strconv.Atoi(m[1]); err == nil {
					n, ok = parsed, true
				}
				if !ok {
					continue
				}
				stated[name]++
				if !slices.Contains(f.allowed, n) {
					wrong[name] = append(wrong[name], sentence)
				}
			}
		}
	}
	return wrong, stated
}

// descriptions returns the descriptions and summaries of an OpenAPI document, each once.
func descriptions(document string) string {
	var all []string
	for _, m := range regexp.MustCompile(`"(?:description|summary)": ("(?:[^"\\]|\\.)*")`).FindAllStringSubmatch(document, -1) {
		all = append(all, m[1])
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "\n\n")
}

// TestFactsAreStatedAlike compares the deadlines, limits and counts that documents, pages, guides,
// skills, texts of pages, descriptions of tools and OpenAPI state with the code.
func TestFactsAreStatedAlike(t *testing.T) {
	all := documents(t)
	for _, folder := range []string{"content/pages", "content/guides", "content/skills"} {
		all = append(all, markdown(t, folder)...)
	}
	all = append(all, "content/languages/de.po", "handlers/testdata/openapi.json", "handlers/testdata/openapi-admin.json", "handlers/tools.go", "handlers/document/agent.go", "handlers/document/llms.go")
	total := map[string]int{}
	for _, name := range all {
		if strings.HasPrefix(name, "docs/dev/") || name == "docs/performance.md" || name == "docs/price-method.md" {
			continue // measure and report
		}
		text := readRoot(t, name)
		if filepath.Ext(name) == ".json" {
			text = descriptions(text)
		}
		wrong, stated := statedOtherwise(text)
		for fact, sentences := range wrong {
			t.Errorf("%s: %s: %q; the code has %v", name, fact, sentences, facts[fact].allowed)
		}
		for fact, n := range stated {
			total[fact] += n
		}
	}
	for name := range facts {
		if total[name] == 0 {
			t.Errorf("no text states how long or how many: %s", name)
		}
	}
	t.Log(total)
}

// TestWrongFactsAreFound checks that sentences with another number, or a wrong claim, are found.
func TestWrongFactsAreFound(t *testing.T) {
	for _, sentence := range []string{
		"The seller has 24 hours to accept, decline or make a counter-offer.",
		"Der Verkäufer hat 72 Stunden Zeit, um anzunehmen, abzulehnen oder einen Gegenvorschlag zu machen.",
		"You have **14 days** to confirm that it's as agreed, or to report a problem.",
		"Without an answer the sale is confirmed 7 days, or 30 days after sending.",
		"Ohne Antwort gilt der Verkauf 14 Tage nach dem Versand als bestätigt.",
		"It expires after 90 days unless it is relisted.",
		"Your address is deleted 30 days after the sale.",
		"insufficient_data means fewer than ten sales.",
		"at most 10 without a token and 25 with one",
		"at most 12 without a token and 30 with one",
		"Use one of the eight conditions.",
		"Changes are kept for 90 days.",
		"We do not fill gaps from similar models.",
		"Never include an estimate in the sum.",
	} {
		if wrong, _ := statedOtherwise(sentence); len(wrong) == 0 {
			t.Errorf("not found: %s", sentence)
		}
	}
}

// identifier matches a name of the API, of a tool, a metric, a column, a code or a table.
var identifier = regexp.MustCompile(`[a-z][a-z0-9]*(?:_[a-z0-9]+)+`)

// foreign are names of other programs and of examples.
var foreign = []string{"restore_command", "recovery_target_time", "track_io_timing", "full_page_writes", "wal_level", "max_connections", "synchronous_commit", "synchronous_standby_names", "pg_isready", "pg_receivewal", "pg_basebackup", "pg_restore",
	"pg_replication_slots", "pg_drop_replication_slot", "slot_name", "pg_terminate_backend", "pg_stat_activity", "target_session_attrs", "ignore_startup_parameters", "plan_cache_mode", "statement_timeout", "lock_timeout", "max_fails", "keepalive_timeout",
	"use_backend", "default_backend", "before_restore", "backup_label", "http_code", "compare_digest", "serve_forever", "request_uri", "integrity_check", "maxmemory_policy", "default_type", "linux_amd64", "image_amd64", "dsc_0042"}

// assembled matches names that the code makes of parts: codes of the fields of imports, and metrics, which
// TestMonitorDocument of handlers compares with those of a server.
var assembled = regexp.MustCompile(`^(?:invalid|missing|secondlight|go_sql|parentbased)(?:_|$)`)

// TestDocumentsNameWhatExists checks that the names of tools, operations, parameters, metrics, columns and
// codes in documents are in the code, and that what they call a tool is one.
func TestDocumentsNameWhatExists(t *testing.T) {
	known := map[string]bool{}
	add := func(names []string) {
		for _, name := range names {
			known[name] = true
		}
	}
	for _, folder := range []string{"cmd", "handlers", "models", "views", "content", "migrations", "deploy", "bench"} {
		mustDo(t, filepath.WalkDir(root+folder, func(path string, entry os.DirEntry, err error) error {
			extension := filepath.Ext(path)
			if err != nil || !slices.Contains([]string{".go", ".sql", ".json", ".yaml", ".md"}, extension) || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_templ.go") {
				return err
			}
			text, err := os.ReadFile(path)
			add(identifier.FindAllString(string(text), -1))
			return err
		}))
	}
	add(foreign)
	tools := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\s*\{?Name: +"([a-z_]+)"`).FindAllStringSubmatch(readRoot(t, "handlers/tools.go"), -1) {
		tools[m[1]] = true
	}
	if len(tools) < 50 {
		t.Fatalf("handlers/tools.go has the tools %v", slices.Sorted(maps.Keys(tools)))
	}
	code := regexp.MustCompile("`[^`\n]+`")
	called := regexp.MustCompile("\\btools? ((?:`[a-z_]+`(?:, | and |, and |,\n| and\n)?)+)")
	for _, name := range documents(t) {
		if name == "docs/dev/measurements.md" {
			continue
		}
		text := codeBlock.ReplaceAllString(readRoot(t, name), "")
		for _, quoted := range code.FindAllString(text, -1) {
			for _, id := range identifier.FindAllString(quoted, -1) {
				if !known[id] && !assembled.MatchString(id) && !strings.Contains(quoted, "/"+id) && !strings.Contains(quoted, id+".") {
					t.Errorf("%s: the code has no %s", name, id)
				}
			}
		}
		var named []string
		for _, m := range called.FindAllStringSubmatch(text, -1) {
			named = append(named, identifier.FindAllString(m[1], -1)...)
		}
		named = append(named, toolColumn(text)...)
		for _, tool := range named {
			if !tools[tool] {
				t.Errorf("%s: %s is not a tool", name, tool)
			}
		}
	}
}

// toolColumn returns the first name of each cell in columns with the heading "tool".
func toolColumn(text string) (tools []string) {
	column := -1
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		switch {
		case !strings.HasPrefix(line, "|"):
			column = -1
		case column < 0:
			column = slices.IndexFunc(cells, func(cell string) bool { return strings.EqualFold(strings.TrimSpace(cell), "tool") })
			if column < 0 {
				column = len(cells)
			}
		case column < len(cells):
			if id := identifier.FindString(cells[column]); id != "" {
				tools = append(tools, id)
			}
		}
	}
	return tools
}
