package ui

import (
	"context"
	"html"
	"io"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/static"
)

// RegionChoices returns the countries sorted by name in a language, after a choice labelled none.
// current is included even when it is a subdivision.
func RegionChoices(l *languages.Language, current models.Region, none string) []Choice {
	today := countriesToday(l)
	choices := make([]Choice, 0, len(today)+2)
	for code, name := range today {
		choices = append(choices, Choice{Value: string(code), Label: name})
	}
	slices.SortFunc(choices, func(a, b Choice) int { return strings.Compare(models.Fold(a.Label), models.Fold(b.Label)) })
	if today[current] == "" && current.Valid() {
		choices = slices.Insert(choices, 0, Choice{Value: string(current), Label: regionName(l, current)})
	}
	return slices.Insert(choices, 0, Choice{Label: none})
}

func ConditionChoices() []Choice {
	var all []Choice
	for _, c := range models.Conditions {
		all = append(all, Choice{Value: string(c), Label: c.Label(), Meaning: c.Meaning()})
	}
	return all
}

func CategoryChoices() []Choice {
	all := []Choice{{Value: "", Label: "Choose a category"}}
	for _, c := range models.Categories {
		all = append(all, Choice{Value: string(c), Label: c.Label()})
	}
	return all
}

// ChoiceLabel returns the label of a choice in the language of ctx.
func ChoiceLabel(ctx context.Context, choices []Choice, value string) string {
	for _, c := range choices {
		if c.Value == value {
			return T(ctx, c.Label)
		}
	}
	return value
}

// LanguageChoices returns the choices of languages: each alone, and with the others.
func LanguageChoices() []Choice {
	choices := make([]Choice, len(languages.All))
	for i, l := range languages.All {
		choices[i] = Choice{Value: l.Code(), Label: l.Name()}
	}
	return choices
}

// CurrencyChoices returns the currencies that a seller may choose.
func CurrencyChoices(codes []string, current string) []Choice {
	if !slices.Contains(codes, current) {
		codes = append(slices.Clip(codes), current)
	}
	choices := make([]Choice, len(codes))
	for i, code := range codes {
		choices[i] = Choice{Value: code, Label: code}
	}
	return choices
}

// CountryOptions renders the options of a selection of countries, after one labelled
// none. Several that are chosen are one option.
func CountryOptions(chosen []models.Region, none string) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		file, _ := static.ByName(countriesFile(languages.Of(ctx)))
		all, list := string(file.Body), strings.Join(models.Strs(chosen), ",")
		if len(chosen) > 1 {
			all = `<option value="` + list + `">` + html.EscapeString(RegionsIn(ctx, chosen)) + `</option>` + all
		}
		before, after, ok := strings.Cut(all, `value="`+list+`"`)
		if !ok {
			_, err := io.WriteString(w, `<option value="">`+none+`</option>`+before)
			return err
		}
		_, err := io.WriteString(w, `<option value="">`+none+`</option>`+before+`value="`+list+`" selected`+after)
		return err
	})
}

// CountriesPath returns the path of the options of all countries in the reader's language, for
// pages that have them in a script only: they are a fifth of the page of a search.
func CountriesPath(ctx context.Context) string { return static.Path(countriesFile(languages.Of(ctx))) }

// countriesFile is the name of the file with the options of all countries in a language.
// TestCountries writes it.
func countriesFile(l *languages.Language) string { return "countries." + l.Code() + ".html" }

// NoGear stands for the slug of gear that is not in the catalogue.
const NoGear = "none"
