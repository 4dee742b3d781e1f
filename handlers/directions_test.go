package handlers

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/web/bind"
)

// TestNoDirectionOverrides tests that no parameter of any operation keeps a character that
// changes the direction of text, in whatever form it is sent.
func TestNoDirectionOverrides(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	const hostile = "Canon EOS R6 \u202egnp.exe\u202c \u2066x\u2069"
	taken := 0
	for _, o := range s.Operations() {
		for _, p := range o.Plan.Params {
			if p.Path || p.Format == "password" {
				continue
			}
			values := []any{hostile, []string{hostile}}
			if p.Object {
				values = append(values, map[string]string{"text": hostile})
			}
			for _, value := range values {
				body, err := json.Marshal(map[string]any{p.Name: value})
				must(err)
				pairs, err := bind.ParseJSONObject(body, o.Plan)
				must(err)
				b, _ := o.Plan.BindRequest(&bind.Request{Pairs: pairs}, true)
				text, err := json.Marshal(b.In)
				must(err)
				if strings.ContainsAny(string(text), "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") {
					t.Errorf("%s: %s is %s", o.Name, p.Name, text)
				}
				if strings.Contains(string(text), "gnp.exe") {
					taken++
				}
			}
		}
	}
	if taken < 100 {
		t.Errorf("only %d parameters took the text", taken)
	}
}
