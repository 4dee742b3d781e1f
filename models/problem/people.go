package problem

import (
	"regexp"
	"strings"
)

// Errors are written for programs: they name parameters, ids and addresses of the API.
// People are shown only the sentences that are free of these.

var (
	sentenceEnd = regexp.MustCompile(`[.?!…]\s+`)
	// technical matches what means nothing to people: paths, methods, header fields,
	// parameters, codes, slugs and ids.
	technical = regexp.MustCompile("`|/[a-z]|\\b(GET|POST|PUT|PATCH|DELETE|HEAD|HTTP|JSON|UUID|URL|ETag|If-Match|Accept|Authorization|Retry-After|Idempotency-Key|RateLimit)\\b|" +
		`\w_\w|\w=|(?i)\b(parameters?|headers?|fields?|slugs?|ids?|tokens?|cursors?|scopes?|errors|media types?|UTF-8)\b|[0-9a-f]{8}-[0-9a-f]{4}`)
)

// Sentences returns the sentences of the text of an error. One that quotes a text
// contains the sentences of the text.
func Sentences(text string) []string {
	var all []string
	start := 0
	for _, end := range sentenceEnd.FindAllStringIndex(text, -1) {
		if sentence := text[start:end[1]]; (strings.Count(sentence, `"`)-strings.Count(sentence, `\"`))%2 == 0 {
			all, start = append(all, strings.TrimSpace(sentence)), end[1]
		}
	}
	if start < len(text) {
		all = append(all, strings.TrimSpace(text[start:]))
	}
	return all
}

// Technical reports whether a sentence is for programs only.
func Technical(sentence string) bool { return technical.MatchString(sentence) }
