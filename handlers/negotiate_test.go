package handlers

import (
	"strings"
	"testing"
)

// acceptTable is what a page with HTML first and an API address with JSON first
// answer to an Accept field; "" is 406. Lines are separated by newlines.
var acceptTable = []struct{ accept, page, api string }{
	{"", "text/html", "application/json"},
	{"*/*", "text/html", "application/json"},
	{"*", "text/html", "application/json"},
	{"text/html", "text/html", "text/html"},
	{"TEXT/HTML", "text/html", "text/html"},
	{"application/json", "application/json", "application/json"},
	{"Application/JSON", "application/json", "application/json"},
	{"text/markdown", "text/markdown", "text/markdown"},
	{"TEXT/MARKDOWN", "text/markdown", "text/markdown"},
	{"text/markdown; charset=utf-8", "text/markdown", "text/markdown"},
	{`text/markdown;charset="UTF-8"`, "text/markdown", "text/markdown"},
	{"text/markdown;q=1.0", "text/markdown", "text/markdown"},
	{" text/markdown ", "text/markdown", "text/markdown"},
	{"text/*", "text/html", "text/markdown"},
	{"application/*", "application/json", "application/json"},
	{"application/problem+json", "application/json", "application/json"},
	// Quality.
	{"text/html;q=0.5, text/markdown", "text/markdown", "text/markdown"},
	{"text/html;q=0.5, text/markdown;q=0.9, application/json;q=0.7", "text/markdown", "text/markdown"},
	{"application/json;q=0.2, */*;q=0.1", "application/json", "application/json"},
	{"text/html;q=0.001, text/markdown;q=0.002", "text/markdown", "text/markdown"},
	{"text/markdown;Q=0.3, text/html;q=0.2", "text/markdown", "text/markdown"},
	{"text/html;level=1;q=0.4, text/markdown;q=0.3", "text/markdown", "text/markdown"},
	// What is named outranks what a wildcard covers.
	{"application/json, */*", "application/json", "application/json"},
	{"application/json, text/plain, */*", "application/json", "application/json"},
	{"*/*, text/markdown", "text/markdown", "text/markdown"},
	{"text/*;q=0.3, text/html;q=0.7, text/html;level=1, */*;q=0.5", "text/html", "text/html"},
	{"text/*, application/json;q=0.9", "text/html", "text/markdown"},
	{"text/markdown, text/html, */*", "text/markdown", "text/markdown"},
	{"text/html, text/markdown", "text/html", "text/html"},
	// Refusals.
	{"text/html;q=0, */*", "text/markdown", "application/json"},
	{"*/*, text/html;q=0", "text/markdown", "application/json"},
	{"text/html;q=0.0, text/*", "text/markdown", "text/markdown"},
	{"application/json;q=0, */*;q=0.1", "text/html", "text/markdown"},
	{"text/html;q=0", "", ""},
	{"*/*;q=0", "", ""},
	{"text/*;q=0, application/json", "application/json", "application/json"},
	{"image/png", "", ""},
	{"image/*", "", ""},
	{"application/xml, image/webp", "", ""},
	{"application/pdf;q=0.9, text/css", "", ""},
	// Several lines are one list.
	{"image/png\ntext/markdown", "text/markdown", "text/markdown"},
	{"text/html;q=0.1\napplication/json;q=0.2", "application/json", "application/json"},
	{"text/html;q=0\n*/*", "text/markdown", "application/json"},
	// Parameters narrow; but an answer is worth more than a 406.
	{"text/html;level=1, text/markdown;q=0.1", "text/markdown", "text/markdown"},
	{"application/json; indent=4", "application/json", "application/json"},
	{`text/markdown; variant="a,b;c", text/html;q=0.1`, "text/html", "text/html"},
	{"text/markdown; charset=iso-8859-1, text/html;q=0.2", "text/html", "text/html"},
	// Browsers and libraries.
	{"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7", "text/html", "text/html"},
	{"text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", "text/html", "text/html"},
	// What cannot be read is overlooked.
	{"nonsense", "text/html", "application/json"},
	{",,,", "text/html", "application/json"},
	{";q=1", "text/html", "application/json"},
	{"text/html;q=2, text/markdown", "text/markdown", "text/markdown"},
	{"text/html;q=abc, application/json", "application/json", "application/json"},
	{"*/html, text/markdown", "text/markdown", "text/markdown"},
	{"text/, text/markdown", "text/markdown", "text/markdown"},
}

func fields(value string) [][]byte {
	var lines [][]byte
	for _, line := range strings.Split(value, "\n") {
		lines = append(lines, []byte(line))
	}
	return lines
}

func TestChoose(t *testing.T) {
	for _, c := range acceptTable {
		for _, side := range []struct {
			name, want string
			offers     []Face
		}{{"page", c.page, []Face{HTML, Markdown, JSON}}, {"api", c.api, []Face{JSON, Markdown, HTML}}} {
			got := ""
			if face, ok := choose(fields(c.accept), side.offers); ok {
				got = face.MediaType()
			}
			if got != side.want {
				t.Errorf("%s with Accept %q answers %q, want %q", side.name, c.accept, got, side.want)
			}
		}
	}
}

func TestChooseDoesNotAllocate(t *testing.T) {
	accept := fields("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
	coding := fields("gzip, deflate, br, zstd")
	offers := []Face{HTML, Markdown, JSON}
	if n := testing.AllocsPerRun(100, func() { choose(accept, offers); chooseEncoding(coding) }); n != 0 {
		t.Errorf("negotiation allocates %v times", n)
	}
}

func TestChooseEncoding(t *testing.T) {
	for accept, want := range map[string]Encoding{
		"":                                   Identity,
		"identity":                           Identity,
		"gzip":                               Gzip,
		"br":                                 Brotli,
		"BR":                                 Brotli,
		"gzip, deflate, br, zstd":            Brotli,
		"gzip, br;q=0.9":                     Gzip,
		"br;q=0, gzip":                       Gzip,
		"br;q=0, gzip;q=0":                   Identity,
		"*":                                  Brotli,
		"*;q=0":                              Identity,
		"br;q=0, *":                          Gzip,
		"gzip;q=1.0, identity; q=0.5, *;q=0": Gzip,
		"identity, gzip;q=0.5":               Identity,
		"x-gzip":                             Gzip,
		"zstd":                               Identity,
		"gzip;q=nonsense":                    Identity,
		"deflate\ngzip":                      Gzip,
	} {
		if got := chooseEncoding(fields(accept)); got != want {
			t.Errorf("Accept-Encoding %q gives %s, want %s", accept, got, want)
		}
	}
}

// FuzzChoose holds that whatever a client sends, it gets a face that is offered
// or a refusal, that a refused face is never chosen, and that the order of the
// lines' split does not matter.
func FuzzChoose(f *testing.F) {
	for _, c := range acceptTable {
		f.Add(c.accept)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		offers := []Face{HTML, Markdown, JSON}
		if face, ok := choose(fields(accept), offers); ok && face > JSON {
			t.Errorf("%q chooses %s, which is not offered", accept, face)
		}
		if face, ok := choose(fields("text/html;q=0\n"+accept), offers[:1]); ok && !strings.Contains(strings.ToLower(accept), "html") {
			t.Errorf("text/html;q=0 and %q choose %s", accept, face)
		}
		if enc := chooseEncoding(fields(accept)); enc >= encodings {
			t.Errorf("%q chooses encoding %d", accept, enc)
		}
	})
}
