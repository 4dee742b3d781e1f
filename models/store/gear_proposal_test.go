package store_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestProposals tests that corrections that members and other sites propose wait for a decision,
// count those who agree, correct the catalogue once accepted, and are limited.
func TestProposals(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx, c := open(), t.Context(), smallCatalog(t)
		jane, john, operator := account(t, s, "jane").ID, account(t, s, "john").ID, seller(t, s)
		propose := func(member, field, value string) error {
			p, err := c.Propose(c.Gear("canon/eos-r6"), field, value, euro)
			if err != nil {
				return err
			}
			p.MemberID = member
			return s.Site.ProposeGear(ctx, *p)
		}
		waiting := func(want int) []catalog.GearProposal {
			t.Helper()
			open, err := s.Site.OpenProposals(ctx, 100)
			must(t, err)
			if len(open) != want {
				t.Errorf("%d open proposals, want %d: %+v", len(open), want, open)
			}
			return open
		}
		for _, wrong := range [][2]string{{"year", "soon"}, {"mount", "Canon XY"}, {"year", "2020"}, {"category", "toy"}, {"aliases", "R6"}} {
			wantError(t, propose(jane, wrong[0], wrong[1]), problem.Invalid, "invalid_parameter")
		}
		must(t, propose(jane, "year", "2021"))
		must(t, propose(jane, "year", "2021")) // again
		must(t, propose(john, "year", "2021"))
		must(t, propose(john, "year", "2022"))
		rows := waiting(3)
		p, err := s.Site.Proposal(ctx, rows[0].ID)
		must(t, err)
		correction, err := c.Accepted(p, euro)
		must(t, err)
		must(t, s.Site.SaveGearCorrection(ctx, operator, correction))
		must(t, s.Site.CorrectCatalog(ctx, c))
		must(t, s.Site.DecideProposal(ctx, p, true, true))
		if g := c.Gear("canon/eos-r6"); g.Year != 2021 || g.Mount != "Canon RF" || g.SourceOf("year").Text != "the owner of this site" {
			t.Errorf("accepted: %+v", g)
		}
		must(t, s.Site.DecideProposal(ctx, &waiting(1)[0], false, true))
		_, err = s.Site.Proposal(ctx, rows[0].ID)
		wantError(t, err, problem.NotFound, "proposal_not_found")

		// A model that the catalogue lacks is that of a listing at once.
		known, unknown, err := c.ProposeModel("canon Prototype Nine", "mirrorless")
		must(t, err)
		if known != nil || unknown.Gear != "canon/prototype-nine" {
			t.Errorf("proposed %+v, %+v", known, unknown)
		}
		if same, _, err := c.ProposeModel("Canon EOS R6", ""); err != nil || same != c.Gear("canon/eos-r6") {
			t.Errorf("known gear: %v, %v", same, err)
		}
		unknown.MemberID = jane
		must(t, s.Site.ProposeGear(ctx, *unknown))
		id := item(t, s, jane, "", func(l *models.Listing) { l.Gear, l.Category = unknown.Gear, "mirrorless" })
		added, err := c.Accepted(unknown, euro)
		must(t, err)
		if added.Gear != unknown.Gear || added.Values.Brand != "Canon" || added.Values.Model != "Prototype Nine" {
			t.Errorf("accepted: %+v", added)
		}
		must(t, s.Site.DecideProposal(ctx, unknown, false, false))
		if l, err := s.Moderation.ListingInAnyStatus(ctx, id); err != nil || l.Gear != "" {
			t.Errorf("a listing of rejected gear: %+v, %v", l, err)
		}

		// Another site takes the corrections of this one as proposals.
		var file strings.Builder
		must(t, c.WriteCorrections(&file))
		shared, err := s.Site.ShareCorrections(ctx, "https://one.example", file.String())
		must(t, err)
		text, err := json.Marshal(shared)
		must(t, err)
		other := smallCatalog(t)
		theirs, err := other.ReadShared(text)
		must(t, err)
		if len(theirs) != 1 || theirs[0].Gear != "canon/eos-r6" || theirs[0].Site != "https://one.example" {
			t.Errorf("imported %+v", theirs)
		}
		must(t, s.Site.ProposeGear(ctx, theirs...))
		must(t, s.Site.ProposeGear(ctx, theirs...))
		waiting(1)
		if accepted, err := other.Accepted(&theirs[0], euro); err != nil || len(accepted.Fields) != 1 || accepted.Values.Year != 2021 {
			t.Errorf("their correction: %+v, %v", accepted, err)
		}
		for _, wrong := range []string{"", "{}", strings.Replace(string(text), "2021", "2023", 1), strings.Replace(string(text), "one.example", "two.example", 1)} {
			_, err := other.ReadShared([]byte(wrong))
			wantError(t, err, problem.Invalid, "invalid_parameter")
		}

		for i := range catalog.MaxProposals {
			err = propose(john, "launch_price", "1"+strings.Repeat("0", i%5)+string(rune('0'+i/5)))
			if err != nil {
				break
			}
		}
		wantError(t, err, problem.TooMany, "too_many_proposals")
	})
}
