package handlers

import (
	"github.com/secondlight/secondlight/content/languages"
	"golang.org/x/text/language"
)

// languageTags returns the tags of languages.
func languageTags(all []*languages.Language) []language.Tag {
	tags := make([]language.Tag, len(all))
	for i, l := range all {
		tags[i] = l.Tag()
	}
	return tags
}

// languageCodes returns the codes of languages.
func languageCodes(all []*languages.Language) []string {
	codes := make([]string, len(all))
	for i, l := range all {
		codes[i] = l.Code()
	}
	return codes
}
