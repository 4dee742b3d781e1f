package prices

// SellingTime describes how many days listings took to sell.
type SellingTime struct {
	Count            int
	Median, P25, P75 int // days, rounded up; 0 unless Enough
}

// Enough reports whether there are enough sales to state a time.
func (t SellingTime) Enough() bool { return t.Count >= MinSales }
