package web

import (
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/web/webtest"
)

func fields(value string) [][]byte {
	var lines [][]byte
	for _, line := range strings.Split(value, "\n") {
		lines = append(lines, []byte(line))
	}
	return lines
}

func TestChoose(t *testing.T) {
	for _, c := range webtest.AcceptTable {
		for _, side := range []struct {
			name, want string
			offers     []Format
		}{{"page", c.Page, []Format{HTML, Markdown, JSON}}, {"api", c.API, []Format{JSON, Markdown, HTML}}} {
			got := ""
			if format, ok := Choose(fields(c.Accept), side.offers); ok {
				got = format.MediaType()
			}
			if got != side.want {
				t.Errorf("%s with Accept %q answers %q, want %q", side.name, c.Accept, got, side.want)
			}
		}
	}
}

func TestChooseDoesNotAllocate(t *testing.T) {
	accept := fields("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
	coding := fields("gzip, deflate, br, zstd")
	offers := []Format{HTML, Markdown, JSON}
	if n := testing.AllocsPerRun(100, func() { Choose(accept, offers); ChooseEncoding(coding) }); n != 0 {
		t.Errorf("negotiation allocates %v times", n)
	}
}

func TestChooseEncoding(t *testing.T) {
	for accept, want := range map[string]Encoding{
		"":                                   IdentityEncoding,
		"identity":                           IdentityEncoding,
		"gzip":                               Gzip,
		"br":                                 Brotli,
		"BR":                                 Brotli,
		"gzip, deflate, br, zstd":            Brotli,
		"gzip, br;q=0.9":                     Gzip,
		"br;q=0, gzip":                       Gzip,
		"br;q=0, gzip;q=0":                   IdentityEncoding,
		"*":                                  Brotli,
		"*;q=0":                              IdentityEncoding,
		"br;q=0, *":                          Gzip,
		"gzip;q=1.0, identity; q=0.5, *;q=0": Gzip,
		"identity, gzip;q=0.5":               IdentityEncoding,
		"x-gzip":                             Gzip,
		"zstd":                               IdentityEncoding,
		"gzip;q=nonsense":                    IdentityEncoding,
		"deflate\ngzip":                      Gzip,
	} {
		if got := ChooseEncoding(fields(accept)); got != want {
			t.Errorf("Accept-Encoding %q gives %s, want %s", accept, got, want)
		}
	}
}

// FuzzChoose tests that whatever a client sends, it gets a format that is offered
// or a refusal, that a refused format is never chosen, and that the order of the
// lines' split does not matter.
func FuzzChoose(f *testing.F) {
	for _, c := range webtest.AcceptTable {
		f.Add(c.Accept)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		offers := []Format{HTML, Markdown, JSON}
		if format, ok := Choose(fields(accept), offers); ok && format > JSON {
			t.Errorf("%q chooses %s, which is not offered", accept, format)
		}
		if format, ok := Choose(fields("text/html;q=0\n"+accept), offers[:1]); ok && !strings.Contains(strings.ToLower(accept), "html") {
			t.Errorf("text/html;q=0 and %q choose %s", accept, format)
		}
		if enc := ChooseEncoding(fields(accept)); enc >= Encodings {
			t.Errorf("%q chooses encoding %d", accept, enc)
		}
	})
}
