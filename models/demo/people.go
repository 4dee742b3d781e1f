package demo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// region is a region of sellers, with place names and names of people.
type region struct {
	code         models.Region
	weight       float64
	places       []string
	given, names []string
}

var regions = []region{
	{"DE", 22, []string{"Hamburg", "Leipzig", "Köln", "Freiburg", "Berlin", "Bremen"},
		[]string{"Anna", "Jonas", "Katrin", "Lukas", "Miriam", "Stefan", "Theo", "Wiebke"}, []string{"Adler", "Brandt", "Engel", "Kranz", "Lorenz", "Möller", "Seidel", "Vogt"}},
	{"GB", 14, []string{"Leeds", "Bristol", "Glasgow", "Norwich", "London", "Cardiff"},
		[]string{"Alice", "Callum", "Fiona", "George", "Imogen", "Owen", "Priya", "Tom"}, []string{"Ashworth", "Bell", "Clarke", "Fraser", "Hughes", "Patel", "Reid", "Whitaker"}},
	{"FR", 11, []string{"Lyon", "Nantes", "Paris", "Rennes", "Toulouse", "Lille"},
		[]string{"Camille", "Étienne", "Hélène", "Julien", "Léa", "Mathieu", "Nadia", "Rémi"}, []string{"Bonnet", "Chevalier", "Dubreuil", "Faure", "Garnier", "Lemoine", "Perrin", "Roussel"}},
	{"US-CA", 10, []string{"Oakland", "San Diego", "Sacramento", "Los Angeles", "Santa Cruz"},
		[]string{"Amy", "Carlos", "Dana", "Grace", "Hector", "Kevin", "Maya", "Noah"}, []string{"Alvarez", "Chen", "Delgado", "Foster", "Nguyen", "Ortiz", "Park", "Sullivan"}},
	{"US-NY", 8, []string{"Brooklyn", "Buffalo", "Queens", "Albany", "Ithaca"},
		[]string{"Aaron", "Bianca", "Derek", "Elena", "Isaac", "Naomi", "Peter", "Ruth"}, []string{"Baker", "Cohen", "Diaz", "Keller", "Morris", "Rossi", "Singh", "Walsh"}},
	{"NL", 7, []string{"Utrecht", "Groningen", "Rotterdam", "Delft", "Nijmegen"},
		[]string{"Bas", "Femke", "Joost", "Lieke", "Maarten", "Sanne"}, []string{"Bakker", "de Wit", "Kuiper", "Mulder", "van Dam", "Visser"}},
	{"IT", 7, []string{"Torino", "Bologna", "Genova", "Firenze", "Bari"},
		[]string{"Chiara", "Davide", "Giulia", "Luca", "Paolo", "Serena"}, []string{"Bianchi", "Conti", "Ferrari", "Galli", "Moretti", "Rinaldi"}},
	{"ES", 6, []string{"Valencia", "Bilbao", "Sevilla", "Madrid", "Granada"},
		[]string{"Álvaro", "Carmen", "Inés", "Javier", "Lucía", "Pablo"}, []string{"Castro", "Herrera", "Iglesias", "Navarro", "Ramos", "Vidal"}},
	{"JP", 5, []string{"Osaka", "Kyoto", "Nagoya", "Sapporo", "Tokyo"},
		[]string{"Aiko", "Daichi", "Haruka", "Kenta", "Mei", "Satoshi"}, []string{"Fujita", "Ishikawa", "Kondo", "Matsuda", "Okada", "Sakai"}},
	{"PL", 4, []string{"Kraków", "Wrocław", "Gdańsk", "Poznań", "Łódź"},
		[]string{"Agnieszka", "Jakub", "Magda", "Piotr", "Tomasz", "Zofia"}, []string{"Kowalczyk", "Lis", "Nowicki", "Sikora", "Wrona", "Zając"}},
	{"SE", 3, []string{"Göteborg", "Malmö", "Uppsala", "Umeå"},
		[]string{"Elsa", "Gustav", "Karin", "Nils", "Sofia"}, []string{"Berg", "Ekström", "Lindqvist", "Nyberg", "Sandell"}},
	{"AT", 3, []string{"Graz", "Wien", "Linz", "Salzburg"},
		[]string{"Florian", "Johanna", "Klaus", "Lena", "Markus"}, []string{"Eder", "Gruber", "Hofer", "Pichler", "Steiner"}},
}

var regionWeights = func() []float64 {
	weights := make([]float64, len(regions))
	for i, r := range regions {
		weights[i] = r.weight
	}
	return weights
}()

var trades = []string{
	"film-fridge", "second-shutter", "lens-drawer", "good-light", "camera-attic", "slow-glass", "grain-and-glass", "old-brass",
	"loupe", "darkroom-door", "golden-ratio", "half-frame", "contact-sheet", "blue-hour", "quiet-shutter", "stop-down",
}

var (
	bioOpenings = []string{
		"Taking pictures in and around %s since I was at school.", "Based in %s, selling the gear I no longer carry.",
		"Small workshop in %s. Everything is checked and cleaned before it goes out.", "Wedding photographer in %s, upgrading every few years.",
		"Collector in %s with too little shelf space.", "Landscape and travel, based in %s.",
		"Street photographer from %s who buys too many cameras.", "Three photographers under one roof in %s, so the cupboard is full.",
		"Retired press photographer, %s.", "I teach darkroom evening classes in %s.",
	}
	bioClosings = []string{
		"Everything is tested before I list it.", "Well packed and posted within two days.", "Happy to send more pictures or a short video.",
		"Collection welcome after work.", "Questions are always welcome.", "Fourteen-day returns.",
		"I only sell what I have used myself.", "Honest descriptions, no surprises.", "",
	}
)

// members returns sellers of every region in random order.
func (g *generator) members() []models.Member {
	d := g.dice("members")
	var members []models.Member
	taken := map[string]bool{}
	for i, n := range d.share(Sellers, regionWeights) {
		for range n {
			members = append(members, g.member(d, regions[i], taken))
		}
	}
	d.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	d = g.dice("postage")
	for i := range members {
		members[i].Postage = d.postage(&members[i])
	}
	return members
}

// postage returns what a member charges for shipping: within the country, within the
// European Union and, of most, to the world. A few have not said, and a few of those who
// welcome collection don't ship.
func (d dice) postage(m *models.Member) models.Postage {
	switch {
	case d.chance(0.1):
		return ""
	case strings.Contains(m.Bio, "Collection") && d.chance(0.5):
		return models.PickupOnly
	}
	home := models.Cents(490 + 100*d.IntN(5))
	rates := []models.PostageRate{{To: m.Region.Country(), Price: home}}
	if models.RegionEU.Covers(m.Region) || d.chance(0.5) {
		rates = append(rates, models.PostageRate{To: models.RegionEU, Price: 2*home + 100*models.Cents(d.IntN(6))})
	}
	if d.chance(0.7) {
		rates = append(rates, models.PostageRate{To: models.RegionWorld, Price: 4*home + 500*models.Cents(d.IntN(4))})
	}
	return models.NewPostage(rates)
}

func (g *generator) member(d dice, r region, taken map[string]bool) models.Member {
	place := pick(d, r.places)
	name := pick(d, r.given) + " " + pick(d, r.names)
	if d.chance(0.15) {
		trade := pick(d, trades)
		name = strings.ToUpper(trade[:1]) + strings.ReplaceAll(trade[1:], "-", " ") + " " + place
	}
	handle := models.Slug(name)
	for n := 2; taken[handle]; n++ {
		handle = fmt.Sprintf("%s-%d", models.Slug(name), n)
	}
	taken[handle] = true
	bio := strings.TrimSpace(fmt.Sprintf(pick(d, bioOpenings), place) + " " + pick(d, bioClosings))
	joined := models.TimeOf(g.now.AddDate(0, 0, -200-d.IntN(3000)).Add(minutesOfDay(d)))
	return models.Member{ID: d.id(joined), Handle: handle, Name: name, Region: r.code, Bio: bio, JoinedAt: joined, Demo: true}
}

// regionIndex returns the index in regions of a code, or -1.
func regionIndex(code models.Region) int {
	return slices.IndexFunc(regions, func(r region) bool { return r.code == code })
}
