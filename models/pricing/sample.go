package pricing

// Sample chooses the sales that a fit needs from those of a site, so that a fit takes memory
// for the gear that there is, not for every sale: of each gear all its sales, or at most
// maxPerGear evenly chosen ones. Their counts are of all sales.
type Sample struct {
	Sales  []Sale           // in the order in which they were added
	Counts map[string]Count // of all sales, by gear

	day    int // before which the sales are
	gear   string
	first  int   // index in Sales of the first sale of gear
	count  Count // of gear
	stride int   // one of so many sales of gear is chosen
}

// Count tells how many sales a gear had.
type Count struct {
	First, Last, Sales int // First and Last are days
	ByGrade            [Grades]int
}

// NewSample returns an empty sample of the sales before a day.
func NewSample(day int) *Sample { return &Sample{Counts: map[string]Count{}, day: day} }

// Add adds a sale, if it is valid and before the day. The sales of a gear come one after the
// other, the oldest first. Finish has to be called after the last.
func (s *Sample) Add(sale Sale) {
	if !sale.valid() || sale.Day >= s.day {
		return
	}
	if sale.Gear != s.gear || s.count.Sales == 0 {
		s.Finish()
		s.gear, s.first, s.count, s.stride = sale.Gear, len(s.Sales), Count{}, 1
	}
	sale.Gear = s.gear // one string for all
	s.count.add(&sale)
	if s.count.Sales%s.stride != 0 {
		return
	}
	s.Sales = append(s.Sales, sale)
	if chosen := s.Sales[s.first:]; len(chosen) == 2*maxPerGear {
		s.Sales, s.stride = append(s.Sales[:s.first], evenly(chosen, maxPerGear)...), 2*s.stride
	}
}

// Finish ends the sales of a gear.
func (s *Sample) Finish() {
	if s.count.Sales == 0 {
		return
	}
	s.Counts[s.gear] = s.count
	s.Sales = append(s.Sales[:s.first], evenly(s.Sales[s.first:], maxPerGear)...)
	s.count = Count{}
}

// add counts a sale.
func (c *Count) add(sale *Sale) {
	if c.Sales == 0 {
		c.First, c.Last = sale.Day, sale.Day
	}
	c.First, c.Last = min(c.First, sale.Day), max(c.Last, sale.Day)
	c.Sales++
	c.ByGrade[sale.Grade]++
}
