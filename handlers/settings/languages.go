package settings

import (
	"github.com/secondlight/secondlight/content/languages"
	"golang.org/x/text/language"
)

// LanguageTags returns the tags of languages.
func LanguageTags(all []*languages.Language) []language.Tag {
	tags := make([]language.Tag, len(all))
	for i, l := range all {
		tags[i] = l.Tag()
	}
	return tags
}

// LanguageCodes returns the codes of languages.
func LanguageCodes(all []*languages.Language) []string {
	codes := make([]string, len(all))
	for i, l := range all {
		codes[i] = l.Code()
	}
	return codes
}
