package portfolio

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/views/ui"
)

// ratio returns the width of the picture divided by its height.
func (p *Picture) ratio() float64 { return float64(p.Width) / float64(max(1, p.Height)) }

// ratioClass returns the class that gives the proportion of the picture to the style
// sheet: tailwind.config.js has one for each hundredth up to 2, and for each twentieth up
// to 4.
func (p *Picture) ratioClass() string {
	r := int(math.Round(100 * min(4, max(0.3, p.ratio()))))
	if r > 200 {
		r = (r + 2) / 5 * 5
	}
	return fmt.Sprintf("r-%d", r)
}

// focusClass returns the CSS classes of the focus of a cropped picture, to a twentieth of
// its size, and "" for its center.
func (p *Picture) focusClass() string {
	if p.focus == portfolio.Center {
		return ""
	}
	step := func(percent int) int { return (percent + 2) / 5 * 5 }
	return fmt.Sprintf("fx-%d fy-%d", step(p.focus.X), step(p.focus.Y))
}

// onPhone limits a size on phones with three dots a pixel to two of them: more is not
// seen, and costs half as much again.
func onPhone(width int, sizes string) string {
	return fmt.Sprintf("(max-width: 40rem) and (min-resolution: 2.5dppx) %dvw, (max-width: 40rem) %dvw, %s", width*2/3, width, sizes)
}

// windowSizes returns the sizes of the picture when it fills the window.
func (p *Picture) windowSizes() string {
	return onPhone(100, fmt.Sprintf("min(100vw, %.0fvh)", 86*p.ratio()))
}

// rowSizes returns the sizes of the picture in a row with a layout. Upright pictures share
// rows on phones.
func (p *Picture) rowSizes(layout portfolio.Layout) string {
	phone := 94
	if p.ratio() < 0.9 {
		phone = 48
	}
	if n := layout.Photos(); n > 0 {
		return onPhone(phone, fmt.Sprintf("min(%dvw, %.0fvh)", 97/n, 96*p.ratio()))
	}
	return onPhone(phone, fmt.Sprintf("min(97vw, %.0frem)", 26*p.ratio()))
}

// stripSizes returns the sizes of the picture beside others in a strip.
func (p *Picture) stripSizes() string {
	return onPhone(min(92, int(120*p.ratio())), fmt.Sprintf("%.0fvh", 66*p.ratio()))
}

// openerSizes returns the sizes of the picture at the head of a project, where it is cropped.
func (p *Picture) openerSizes() string {
	return onPhone(100, fmt.Sprintf("max(100vw, %.0fvh)", 80*p.ratio()))
}

// coverSizes are the sizes of the covers of projects.
var coverSizes = onPhone(92, "(min-width: 64rem) 37rem, 92vw")

// essayPart is a stretch of a project's text, or the photos of a row between two of them.
type essayPart struct {
	html   string
	photos []PhotoCard
	layout portfolio.Layout // of the row
}

// text returns the stretch, which package content has sanitised.
func (e *essayPart) text() templ.Component { return templ.Raw(e.html) }

// shownPhoto matches a line of a project's text that shows a photo by its file name.
var shownPhoto = regexp.MustCompile(`^!\[([^\]]*)\]\(<?([^()<>/]+?)>?\)\s*$`)

// photoOfLine returns the photo that a line of a project's text shows, and the text in its
// brackets, or nil.
func photoOfLine(p *portfolio.Project, line string) (photo *portfolio.Photo, alt string) {
	m := shownPhoto.FindStringSubmatch(line)
	if m == nil {
		return nil, ""
	}
	return p.ByFile(m[2]), m[1]
}

// newEssay returns the text of a project. Lines that show photos become rows: those that
// follow each other without a blank line share one.
func newEssay(site *ui.Site, p *portfolio.Project) (parts []essayPart) {
	var words []string
	flush := func() {
		if text := strings.TrimSpace(strings.Join(words, "\n")); text != "" {
			parts = append(parts, essayPart{html: content.HTML(text)})
		}
		words = nil
	}
	inRow := false
	for _, line := range strings.Split(p.Markdown, "\n") {
		photo, alt := photoOfLine(p, line)
		if photo == nil {
			words, inRow = append(words, line), false
			continue
		}
		card := NewPhotoCard(site, photo)
		if alt != "" {
			card.Picture.Alt = alt
		}
		if !inRow {
			flush()
			parts = append(parts, essayPart{})
		}
		row := &parts[len(parts)-1]
		row.photos, inRow = append(row.photos, card), true
	}
	flush()
	return parts
}

// essayMarkdown returns the texts of a project with the addresses of the photos in them.
func essayMarkdown(site *ui.Site, p *portfolio.Project) string {
	lines := strings.Split(p.Markdown, "\n")
	for i, line := range lines {
		if photo, alt := photoOfLine(p, line); photo != nil {
			lines[i] = "![" + ui.MarkdownText(alt) + "](" + NewPicture(site, photo).Src + ")"
		}
	}
	for _, photo := range p.Photos {
		if photo.Text != "" {
			lines = append(lines, "", photo.Text)
		}
	}
	return strings.TrimLeft(strings.Join(lines, "\n"), "\n")
}

// hasPhoto reports whether a photo with a page is in the parts.
func hasPhoto(parts []essayPart, page string) bool {
	return slices.ContainsFunc(parts, func(part essayPart) bool {
		return slices.ContainsFunc(part.photos, func(c PhotoCard) bool { return c.Page == page })
	})
}

// rowsOf arranges photos as their layouts say, with the texts before their rows. Those without
// a layout follow each other.
func rowsOf(cards []PhotoCard) (rows []essayPart) {
	for i := 0; i < len(cards); {
		c := &cards[i]
		if c.text != "" {
			rows = append(rows, essayPart{html: content.HTML(c.text)})
		}
		n := max(1, min(c.layout.Photos(), len(cards)-i))
		if last := len(rows) - 1; c.layout == "" && last >= 0 && len(rows[last].photos) > 0 && rows[last].layout == "" {
			rows[last].photos = append(rows[last].photos, *c)
		} else {
			rows = append(rows, essayPart{layout: c.layout, photos: slices.Clone(cards[i : i+n])})
		}
		i += n
	}
	return rows
}
