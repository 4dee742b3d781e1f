package bind

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/textproto"
	"reflect"
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

// TestJSONAsText tests that a value that is sent as JSON in a text, or as a text where a
// number or a bool is meant or the reverse, is the value that is meant, and that free text
// stays what it is.
func TestJSONAsText(t *testing.T) {
	type input struct {
		Title    string   `json:"title,omitempty" jsonschema:"x"`
		Note     string   `json:"note,omitempty" jsonschema:"x"`
		Included []string `json:"included,omitempty" jsonschema:"x" sep:"lines"`
		Brands   []string `json:"brands,omitempty" jsonschema:"x"`
		Grade    string   `json:"grade,omitempty" jsonschema:"x" enum:"good,new"`
		Shutter  *int     `json:"shutter,omitempty" jsonschema:"x"`
		Boxed    bool     `json:"boxed,omitempty" jsonschema:"x"`
	}
	plan, err := PlanFor(reflect.TypeFor[input]())
	if err != nil {
		t.Fatal(err)
	}
	five := 5
	for text, want := range map[string]input{
		`{"included":"[\"battery, charged\",\"strap\"]"}`: {Included: []string{"battery, charged", "strap"}},
		`{"included":["battery, charged","strap"]}`:       {Included: []string{"battery, charged", "strap"}},
		`{"included":"[sealed] box"}`:                     {Included: []string{"[sealed] box"}},
		`{"included":"[]"}`:                               {},
		`{"brands":" [ \"canon\", \"leica\" ] "}`:         {Brands: []string{"canon", "leica"}},
		`{"brands":"canon,leica"}`:                        {Brands: []string{"canon", "leica"}},
		`{"brands":5}`:                                    {Brands: []string{"5"}},
		`{"grade":"\"good\""}`:                            {Grade: "good"},
		`{"grade":"null"}`:                                {},
		`{"shutter":"5"}`:                                 {Shutter: &five},
		`{"shutter":5.0}`:                                 {Shutter: &five},
		`{"shutter":"\"5\""}`:                             {Shutter: &five},
		`{"boxed":"true"}`:                                {Boxed: true},
		`{"boxed":true}`:                                  {Boxed: true},
		`{"title":5}`:                                     {Title: "5"},
		`{"title":true}`:                                  {Title: "true"},
		`{"title":"null"}`:                                {Title: "null"},
		`{"title":"[\"a\"]"}`:                             {Title: `["a"]`},
		`{"title":"\"quoted\""}`:                          {Title: `"quoted"`},
		`{"title":"{\"a\":1}"}`:                           {Title: `{"a":1}`},
		`{"note":"{\"amount\":\"450.00\",\"currency\":\"EUR\"}"}`: {Note: "450.00 EUR"},
		`{"note":{"amount":450,"currency":"EUR"}}`:                {Note: "450 EUR"},
	} {
		pairs, err := ParseJSONObject([]byte(text), plan)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		b, err := plan.BindRequest(&Request{Pairs: pairs}, true)
		if err != nil || !reflect.DeepEqual(*b.In.(*input), want) {
			t.Errorf("%s: got %+v, %v, want %+v", text, b.In, err, want)
		}
	}
	for _, text := range []string{`{"shutter":"[5]"}`, `{"shutter":"many"}`, `{"boxed":"perhaps"}`, `{"grade":"[\"good\"]"}`, `{"grade":5}`, `{"shutter":true}`} {
		pairs, err := ParseJSONObject([]byte(text), plan)
		if err == nil {
			_, err = plan.BindRequest(&Request{Pairs: pairs}, true)
		}
		if err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}
