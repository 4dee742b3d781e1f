package trade

import (
	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// Waiting is an offer that waits for the member who reads the page.
type Waiting struct {
	Kind  models.WaitingKind `json:"kind" jsonschema:"what to do"`
	Text  string             `json:"text" jsonschema:"what to do, for display"`
	Offer string             `json:"offer" jsonschema:"id of the offer"`
	Title string             `json:"title" jsonschema:"title of the listing" untrusted:"true"`
	DueAt string             `json:"due_at,omitempty"`
}

// WaitingParts are the pending tasks of a member.
type WaitingParts struct {
	Unread int // messages
	Offers []models.Waiting
}

// waitingTexts says what to do.
var waitingTexts = map[models.WaitingKind]string{
	models.WaitingReply:    languages.Mark("Reply to the offer"),
	models.WaitingArrange:  languages.Mark("Agree collection or postage"),
	models.WaitingAgree:    languages.Mark("Reply to the suggested delivery"),
	models.WaitingSend:     languages.Mark("Send it"),
	models.WaitingHandOver: languages.Mark("Hand it over"),
	models.WaitingConfirm:  languages.Mark("Is everything as described?"),
}

func NewWaiting(offers []models.Waiting) []Waiting {
	return ui.Each(offers, func(w *models.Waiting) Waiting {
		return Waiting{Kind: w.Kind, Text: waitingTexts[w.Kind], Offer: w.OfferID, Title: w.Title, DueAt: w.DueAt.RFC3339()}
	})
}

// WriteWaiting writes what waits for the member.
func WriteWaiting(m *ui.Markdown, unread int, waiting []Waiting) {
	if unread == 0 && len(waiting) == 0 {
		return
	}
	m.Section("Waiting for you")
	if unread > 0 {
		m.Raw("- ", m.Link(ui.Link{Href: ui.MessagesPath, Label: ui.TN(m.Context, unread, "%s new message", "%s new messages")}), "\n")
	}
	for i := range waiting {
		w := &waiting[i]
		m.Raw("- ", m.Link(ui.Link{Href: ui.OfferPath(w.Offer), Label: w.Text}), ": ", ui.MarkdownText(ui.Untrusted(w.Title)), ", ", ui.T(m.Context, "by %s", ui.DeadlineIn(m.Context, w.DueAt)), "\n")
	}
	m.Raw("\n")
}
