package bind

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/textproto"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models/problem"
)

// TestJSONSize tests which JSON texts are decoded.
func TestJSONSize(t *testing.T) {
	for text, ok := range map[string]bool{
		`{}`: true, `{"a":"[[[[[[[[[[[[[[[[[[[[","b":[1,2]}`: true, `{"a":"\\\"{[{[{[{[{[{[{[{[{[{[{["}`: true, `"unended\`: true, `"`: true, ``: true,
		strings.Repeat("[", maxJSONDepth):                                          true,
		strings.Repeat("[", maxJSONDepth+1):                                        false,
		`"\\",` + strings.Repeat("[", maxJSONDepth+1):                              false,
		"[" + strings.Repeat("1,", maxJSONValues-1) + "1]":                         true,
		"[" + strings.Repeat("1,", maxJSONValues) + "1]":                           false,
		`["` + strings.Repeat(`,`, 2*maxJSONValues) + `"]`:                         true,
		`["` + strings.Repeat(`\",`, 2*maxJSONValues) + `"]`:                       true,
		`["` + strings.Repeat(`\\`, 99) + `",` + strings.Repeat("[", maxJSONDepth): false,
	} {
		if err := CheckJSONSize([]byte(text)); (err == nil) != ok {
			t.Errorf("%.60q: %v, want it accepted: %v", text, err, ok)
		}
	}
}

// FuzzJSONSize tests that every text that decodes is within the limits or refused.
func FuzzJSONSize(f *testing.F) {
	for _, seed := range []string{`{"a":["b",{"amount":"1.00"}]}`, `"\\\""`, `[[[`, `{"\`, `["\",",1]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var value any
		if CheckJSONSize(text) == nil && json.Unmarshal(text, &value) == nil && depthOf(value) > maxJSONDepth {
			t.Errorf("%q is accepted", text)
		}
	})
}

// FuzzForm reads anything as a form of several parts: what comes out is text
// that is text, within the limits.
func FuzzForm(f *testing.F) {
	const boundary = "a-boundary"
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	if err := w.SetBoundary(boundary); err != nil {
		f.Fatal(err)
	}
	for _, part := range []struct{ disposition, content string }{
		{`form-data; name="photo"; filename="../x.jpg"`, "\xff\xd8"}, {`form-data; name="alt"`, "front"}, {`form-data; name="photo"`, "text"},
	} {
		to, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {part.disposition}})
		if err == nil {
			_, err = to.Write([]byte(part.content))
		}
		if err != nil {
			f.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	whole := b.String()
	for _, seed := range []string{whole, whole[:len(whole)/2], "", "--" + boundary, strings.ReplaceAll(whole, "\r\n", "\n"), strings.ReplaceAll(whole, "name=", "name*=UTF-8''%00"),
		strings.ReplaceAll(whole, "front", "\x00\xff")} {
		f.Add(seed, boundary)
	}
	f.Fuzz(func(t *testing.T, body, boundary string) {
		pairs, files, err := readForm(multipart.NewReader(strings.NewReader(body), boundary))
		if err != nil {
			if _, ok := err.(*problem.Error); !ok {
				t.Fatalf("not an error for the sender: %v", err)
			}
			return
		}
		if len(pairs)+len(files) > MaxParams || len(files) > maxFiles {
			t.Errorf("%d values and %d files", len(pairs), len(files))
		}
		for _, p := range pairs {
			if !ValidText(p.Name) || !ValidText(p.Value) {
				t.Errorf("took %q = %q", p.Name, p.Value)
			}
		}
	})
}

func depthOf(value any) int {
	deepest := 0
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			deepest = max(deepest, depthOf(item))
		}
	case map[string]any:
		for _, item := range v {
			deepest = max(deepest, depthOf(item))
		}
	default:
		return 0
	}
	return deepest + 1
}
