package price

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestChartDrawsTheStrongestGroup(t *testing.T) {
	p := &PriceChart{Chart: "kinds"}
	for i, percent := range []float64{-5, -9, -3, -2, -7, -1, -4, 3, 2} {
		p.Groups = append(p.Groups, IndexGroup{Name: strconv.Itoa(i), Change12: &IndexChange{Percent: percent}})
	}
	var drawn []string
	for _, g := range p.lines() {
		drawn = append(drawn, g.Name)
	}
	if got := strings.Join(drawn, " "); got != "0 1 2 3 4 7" {
		t.Errorf("drawn are %s", got)
	}
}

func TestTenthsHaveNoNegativeZero(t *testing.T) {
	if got := tenths(-0.01); math.Signbit(got) {
		t.Errorf("got %g", got)
	}
}
