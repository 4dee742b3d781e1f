package catalog

import (
	"encoding/csv"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// bestsellers is the popularity of some gear with names that others have too.
func bestsellers(slug string) int {
	return map[string]int{"canon/eos-r6": 200, "ricoh/r6": 10, "leica/r6": 20, "leica/m11": 50, "leica/m10": 40, "canon/eos-r6-mark-ii": 150}[slug]
}

// resolveName resolves a name of testdata/names.csv.
func resolveName(c *Catalog, kind, written string) (means string, err error) {
	switch kind {
	case "mount":
		return c.MountNames().Resolve(written)
	case "brand":
		return c.BrandNames().Resolve(written)
	case "condition":
		var v models.Condition
		err = v.Set(written)
		return string(v), err
	case "category":
		var v models.Kind
		err = v.Set(written)
		return string(v), err
	case "region":
		var v models.Region
		err = v.Set(written)
		return string(v), err
	case "price":
		euro := models.Currency{Code: "EUR", Digits: 2}
		amount, err := euro.ParseAmount(written)
		if err != nil {
			return "", err
		}
		return euro.Plain(amount), nil
	}
	g, err := c.FindGear("", written, bestsellers)
	if err != nil {
		return "", err
	}
	return g.Slug(), nil
}

// TestResolveNames checks what people write for mounts, brands, grades, categories,
// regions, gear and prices: at least 97 % are accepted, or suggested first, and none
// is taken for another.
func TestResolveNames(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/names.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows = rows[1:]
	c := readCatalog(t)
	var accepted, suggested int
	for _, row := range rows {
		kind, written, want := row[0], row[1], row[2]
		got, err := resolveName(c, kind, written)
		var unresolved *problem.Unresolved
		errors.As(err, &unresolved)
		switch {
		case err == nil && got != want:
			t.Errorf("%s %q was taken for %q, want %q", kind, written, got, want)
		case err == nil:
			accepted++
		case want == "" && (unresolved == nil || len(unresolved.Candidates) == 0):
			suggested++
		case unresolved != nil && len(unresolved.Candidates) > 0 && unresolved.Candidates[0] == want:
			suggested++
		default:
			t.Logf("%s %q: %v; want %q", kind, written, err, want)
			if unresolved != nil {
				t.Logf("    candidates %q", unresolved.Candidates)
			}
		}
	}
	t.Logf("%d names: %d accepted, %d suggested first or rightly unknown, %d missed", len(rows), accepted, suggested, len(rows)-accepted-suggested)
	if len(rows) < 400 || float64(accepted+suggested) < 0.97*float64(len(rows)) {
		t.Errorf("%d of %d names were accepted or suggested first, want 97 %% of at least 400", accepted+suggested, len(rows))
	}
}

// TestSynonymsAreKnown checks that synonyms.csv names existing values, each name once.
func TestSynonymsAreKnown(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	seen := map[string]string{}
	values := map[string][]string{"mount": c.MountNames().Values, "brand": c.BrandNames().Values, "condition": models.Strs(models.Conditions),
		"functional": models.Strs(models.Functionals), "category": models.Strs(models.Categories), "kind": {models.FamilyCamera, models.FamilyLens}, "defect": models.Strs(models.Defects)}
	keys := map[string]func(string) string{"mount": c.MountNames().Key, "brand": c.BrandNames().Key, "condition": models.ConditionNames().Key,
		"functional": models.FunctionalNames().Key, "category": models.CategoryNames().Key, "kind": models.KindNames().Key, "defect": models.DefectNames().Key, "region": models.NameKey, "word": models.Fold}
	for kind, written := range models.Synonyms() {
		for text, means := range written {
			if read := models.Words(text); kind == "word" && !slices.Equal(read, means) {
				t.Errorf("the word %q is read as %q, not %q", text, read, means)
			}
			for _, v := range means {
				if kind == "word" {
					continue
				}
				if kind == "region" && !models.Region(v).Valid() && v != "EU" || kind != "region" && !slices.Contains(values[kind], v) {
					t.Errorf("%s %q means %q, which does not exist", kind, text, v)
				}
			}
			key := kind + " " + keys[kind](text)
			if other, ok := seen[key]; ok && other != models.Joined(means).String() {
				t.Errorf("%s %q means %q and %q", kind, text, models.Joined(means), other)
			}
			seen[key] = models.Joined(means).String()
		}
	}
}
