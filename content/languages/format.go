package languages

import (
	"strconv"
	"strings"
	"time"
)

// Number formats a number with separators: "60,000".
func (l *Language) Number(n int) string {
	s := strconv.Itoa(n)
	if len(s) <= 3 || n < 0 {
		return s
	}
	return l.Number(n/1000) + l.group + s[len(s)-3:]
}

// Decimal formats a number that is written with a decimal point: "4.2".
func (l *Language) Decimal(text string) string { return strings.Replace(text, ".", l.decimal, 1) }

// Separator returns what separates the cells of files for spreadsheets: a semicolon if decimals
// have a comma.
func (l *Language) Separator() rune {
	if l.decimal == "," {
		return ';'
	}
	return ','
}

// Percent formats a percentage that is written with a decimal point: "4.2%".
func (l *Language) Percent(text string) string { return l.Text("%s%%", l.Decimal(text)) }

// Symbols maps currencies to their symbols. Other currencies are written by their
// codes.
var Symbols = map[string]string{
	"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "CNY": "CN¥", "INR": "₹", "KRW": "₩", "ILS": "₪",
	"AUD": "A$", "CAD": "C$", "NZD": "NZ$", "HKD": "HK$", "SGD": "S$", "MXN": "MX$", "BRL": "R$",
}

// Money formats a decimal amount of a currency: "€1,249", "€1,249.50", "CHF 90". It
// leaves out a fraction of 0.
func (l *Language) Money(amount, currency string) string {
	whole, frac, _ := strings.Cut(amount, ".")
	var b strings.Builder
	b.Grow(len(amount) + 8)
	symbol, short := Symbols[currency]
	if !short {
		symbol = currency
	}
	rest, negative := strings.CutPrefix(whole, "-")
	if negative {
		b.WriteString("−")
	}
	if l.catalogue == nil {
		b.WriteString(symbol)
		if !short {
			b.WriteString("\u00a0")
		}
	}
	for i := range len(rest) {
		if i > 0 && (len(rest)-i)%3 == 0 {
			b.WriteString(l.group)
		}
		b.WriteByte(rest[i])
	}
	if strings.Trim(frac, "0") != "" {
		b.WriteString(l.decimal)
		b.WriteString(frac)
	}
	if l.catalogue == nil {
		return b.String()
	}
	return l.Text("%[1]s%[2]s", symbol, b.String())
}

// Quote returns a text in quotation marks.
func (l *Language) Quote(text string) string {
	if l.catalogue == nil {
		return `"` + text + `"`
	}
	return "„" + text + "“"
}

// Day formats the day of a time: "14 Nov 2026".
func (l *Language) Day(t time.Time) string {
	if l.catalogue == nil {
		return t.Format("2 Jan 2006")
	}
	return l.Text("%[1]d %[2]s %[3]d", t.Day(), l.TextIn("month of a day", t.Month().String()[:3]), t.Year())
}

// Month formats the month of a time: "Nov 2026".
func (l *Language) Month(t time.Time) string {
	if l.catalogue == nil {
		return t.Format("Jan 2006")
	}
	return l.TextIn("month", t.Month().String()[:3]) + " " + strconv.Itoa(t.Year())
}

// Weekday formats the day of a time with its weekday: "Sat 14 Nov 2026".
func (l *Language) Weekday(t time.Time) string {
	return l.TextIn("weekday", "%[1]s %[2]s", l.TextIn("weekday", t.Weekday().String()[:3]), l.Day(t))
}

// Moment formats a time to the minute, with its zone: "14 Nov 2026, 09:00 UTC". The day is
// that of Day or Weekday.
func (l *Language) Moment(day string, t time.Time) string {
	return l.Text("%[1]s, %[2]s %[3]s", day, t.Format("15:04"), l.TextIn("time zone", t.Format("MST")))
}

// LocalMoment is Moment in the zone of the reader, which it doesn't name: "14 Nov 2026, 10:00".
func (l *Language) LocalMoment(day string, t time.Time) string {
	return l.TextIn("moment", "%[1]s, %[2]s", day, t.Format("15:04"))
}

// Ago returns how long ago a time was, in whole days of its zone, so that it is right until
// the day ends: "Today", "Yesterday", "3 days ago", "5 weeks ago".
func (l *Language) Ago(at, now time.Time) string {
	days := dayNumber(now.In(at.Location())) - dayNumber(at)
	switch {
	case days <= 0:
		return l.Text("Today")
	case days == 1:
		return l.Text("Yesterday")
	case days < 14:
		return l.Text("%d days ago", days)
	case days < 61:
		return l.Text("%d weeks ago", days/7)
	case days < 365:
		return l.Text("%d months ago", days/30)
	}
	return l.Plural(days/365, "%d year ago", "%d years ago", days/365)
}

// dayNumber returns the number of the day that a time is on in its zone.
func dayNumber(t time.Time) int {
	year, month, day := t.Date()
	return int(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / 86_400)
}
