package ui

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// LanguagePath is where languageSwitch is sent to.
const LanguagePath = "/language"

// T returns the translation of an English text into the reader's language, formatted as
// by fmt.Sprintf if there are arguments. See content/languages.
func T(ctx context.Context, english string, args ...any) string {
	return languages.Of(ctx).Text(english, args...)
}

// TN returns the translation of an English text for a number, which replaces its first
// %s: tn(ctx, n, "%s sale", "%s sales").
func TN(ctx context.Context, n int, one, many string, args ...any) string {
	l := languages.Of(ctx)
	return l.Plural(n, one, many, append([]any{l.Number(n)}, args...)...)
}

// WithinSentence returns the translation of a label for the middle of a sentence. German
// nouns keep their capitals.
func WithinSentence(ctx context.Context, label string) string {
	return withinSentence(languages.Of(ctx), label)
}

// withinSentence is WithinSentence in a language.
func withinSentence(l *languages.Language, label string) string {
	if l == languages.English {
		return strings.ToLower(label)
	}
	return l.Text(label)
}

// MoneyIn formats an amount in the reader's language.
func MoneyIn(ctx context.Context, m models.Money) string {
	return languages.Of(ctx).Money(m.Amount, m.Currency)
}

// MoneyOrIn formats an amount in the reader's language, or returns none when m is nil.
func MoneyOrIn(ctx context.Context, m *models.Money, none string) string {
	if m == nil {
		return none
	}
	return MoneyIn(ctx, *m)
}

// NumberIn formats a number in the reader's language.
func NumberIn(ctx context.Context, n int) string { return languages.Of(ctx).Number(n) }

// PercentIn formats a change with its sign in the reader's language: "+4.2%", "−12.5%", "0%".
func PercentIn(ctx context.Context, percent float64) string {
	sign := "+"
	switch {
	case percent < 0:
		sign, percent = "−", -percent
	case percent == 0:
		sign = ""
	}
	return languages.Of(ctx).Percent(sign + strconv.FormatFloat(percent, 'f', -1, 64))
}

// DayIn formats an ISO day, or the day of an RFC 3339 instant in the reader's time zone, in
// the reader's language. It returns other strings unchanged.
func DayIn[T ~string](ctx context.Context, s T) string {
	if zone, _ := languages.Zone(ctx); zone != time.UTC {
		if at, err := time.Parse(time.RFC3339, string(s)); err == nil {
			return languages.Of(ctx).Day(at.In(zone))
		}
	}
	return localDay(languages.Of(ctx), string(s))
}

// MonthIn formats an ISO month in the reader's language. It returns other strings
// unchanged.
func MonthIn(ctx context.Context, s string) string { return LocalMonth(languages.Of(ctx), s) }

// MomentIn formats an RFC 3339 instant to the minute in the reader's language and time
// zone, which is named if it may not be theirs. It returns other strings unchanged.
func MomentIn(ctx context.Context, s string) string {
	return momentIn(ctx, s, (*languages.Language).Day)
}

// DeadlineIn is MomentIn with the weekday, for what is due within days.
func DeadlineIn(ctx context.Context, s string) string {
	return momentIn(ctx, s, (*languages.Language).Weekday)
}

func momentIn(ctx context.Context, s string, day func(*languages.Language, time.Time) string) string {
	l := languages.Of(ctx)
	zone, own := languages.Zone(ctx)
	format := l.Moment
	if own {
		format = l.LocalMoment
	}
	return Parsed(func(at time.Time) string { return format(day(l, at.In(zone)), at.In(zone)) }, time.RFC3339, s, s)
}

// WeekdayIn is DayIn for an RFC 3339 instant, with the weekday.
func WeekdayIn(ctx context.Context, s string) string {
	zone, _ := languages.Zone(ctx)
	return Parsed(func(at time.Time) string { return languages.Of(ctx).Weekday(at.In(zone)) }, time.RFC3339, s, s)
}

// FormTimeIn returns a time as the value of a field of forms, in languages.OwnZone, "" for 0.
func FormTimeIn(ctx context.Context, at models.Time) string {
	if at == 0 {
		return ""
	}
	return at.Std().In(languages.OwnZone(ctx)).Format("2006-01-02T15:04")
}

func localDay(l *languages.Language, s string) string {
	if len(s) < len(time.DateOnly) {
		return s
	}
	return Parsed(l.Day, time.DateOnly, s, s[:len(time.DateOnly)])
}

func LocalMonth(l *languages.Language, s string) string { return Parsed(l.Month, "2006-01", s, s) }

// Parsed formats the time in value, which has a layout, or returns s if it has another.
func Parsed(format func(time.Time) string, layout, s, value string) string {
	at, err := time.Parse(layout, value)
	if err != nil {
		return s
	}
	return format(at)
}

// agoIn returns how long ago a time was, in the reader's language.
func agoIn(ctx context.Context, at, now time.Time) string {
	zone, _ := languages.Zone(ctx)
	return languages.Of(ctx).Ago(at.In(zone), now)
}

// RegionIn returns the name of a region in the reader's language.
func RegionIn(ctx context.Context, r models.Region) string { return regionName(languages.Of(ctx), r) }

// languageURL returns the address of a page in a language of the site. The first, which readers
// get who ask for none, needs no parameter.
func (s *Site) languageURL(l *languages.Language, path string) string {
	if slices.Index(s.Languages(), l) < 1 {
		return s.URL(path)
	}
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	return s.URL(path + separator + "lang=" + l.Code())
}

// InLanguage returns a copy of ctx in the site's time zone, for a reader who has chosen a
// language by its BCP 47 tag, or for one of the first language of the site if the site does
// not have it.
func (s *Site) InLanguage(ctx context.Context, code string) context.Context {
	ctx = languages.WithZone(ctx, s.Zone)
	for _, l := range s.Languages() {
		if l.Code() == code {
			return l.NewContext(ctx)
		}
	}
	return s.Languages()[0].NewContext(ctx)
}

// Day returns the ISO day of an instant in UTC, "" for the zero time.
func Day(t models.Time) models.Day { return models.DayAt(t.Std()) }

// AgoOf returns how long ago an RFC 3339 instant was in the reader's language, within a
// sentence: "today", "3 days ago". It returns other strings unchanged.
func AgoOf(ctx context.Context, instant string, now time.Time) string {
	at, err := time.Parse(time.RFC3339, instant)
	if err != nil {
		return instant
	}
	text := agoIn(ctx, at, now)
	return strings.ToLower(text[:1]) + text[1:]
}

// isNew reports whether a listing was published in the last 24 hours.
func isNew(at, now time.Time) bool { return now.Sub(at) < 24*time.Hour }
