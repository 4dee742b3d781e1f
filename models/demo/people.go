package demo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// regionWeights returns how many sellers there are in each region, relative to each other.
func regionWeights() (weights []float64) {
	for _, r := range words().Regions {
		weights = append(weights, r.Weight)
	}
	return weights
}

// members returns sellers of every region in random order.
func (g *generator) members() []models.Member {
	d := g.dice("members")
	var members []models.Member
	taken := map[string]bool{}
	for i, n := range d.share(Sellers, regionWeights()) {
		for range n {
			members = append(members, g.member(d, words().Regions[i], taken))
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
	place := pick(d, r.Places)
	name := pick(d, r.Given) + " " + pick(d, r.Names)
	if d.chance(0.15) {
		trade := pick(d, words().Shops)
		name = strings.ToUpper(trade[:1]) + strings.ReplaceAll(trade[1:], "-", " ") + " " + place
	}
	handle := models.Slug(name)
	for n := 2; taken[handle]; n++ {
		handle = fmt.Sprintf("%s-%d", models.Slug(name), n)
	}
	taken[handle] = true
	bio := strings.TrimSpace(fmt.Sprintf(pick(d, words().Bio.Openings), place) + " " + pick(d, words().Bio.Closings))
	joined := models.TimeOf(g.now.AddDate(0, 0, -200-d.IntN(3000)).Add(minutesOfDay(d)))
	return models.Member{ID: d.id(joined), Handle: handle, Name: name, Region: r.Code, Bio: bio, JoinedAt: joined, Demo: true}
}

// regionOf returns the region of a code.
func regionOf(code models.Region) region {
	all := words().Regions
	return all[slices.IndexFunc(all, func(r region) bool { return r.Code == code })]
}
