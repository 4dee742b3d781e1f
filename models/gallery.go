package models

// Gallery is a project of the portfolio that its owner delivers to clients: those who know its
// address and enter its password see it, whatever its visibility.
type Gallery struct {
	Project   string // folder of the project
	Address   string // secret, of its page
	Password  string // argon2id hash
	EndsAt    Time   // 0 for never
	CreatedAt Time
}

// Ended reports whether the gallery is closed at a time.
func (g *Gallery) Ended(now Time) bool { return g.EndsAt != 0 && g.EndsAt <= now }

// GalleryMark is what a visitor of a gallery chose and wrote at a photograph.
type GalleryMark struct {
	Name      string // as the visitor entered it
	File      string // of the photograph
	Favourite bool
	Comment   string
	At        Time
}

// Limits of what visitors of galleries enter, in characters.
const (
	MaxVisitorName    = 80
	MaxGalleryComment = 1000
)
