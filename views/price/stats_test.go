package price

import (
	"testing"

	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/views/ui"
)

func TestPercents(t *testing.T) {
	for basis, want := range map[int]string{-1250: "−12.5%", 424: "+4.2%", 425: "+4.3%", -425: "−4.3%", 4: "0%", 10000: "+100%"} {
		if got := ui.PercentIn(t.Context(), *PercentOf(&basis)); got != want {
			t.Errorf("%d basis points are written as %q, want %q", basis, got, want)
		}
	}
	if got := PercentOf(nil); got != nil {
		t.Errorf("no change is %v", *got)
	}
}

func TestDirection(t *testing.T) {
	for basis, want := range map[int]string{301: "rising", 300: "steady", -300: "steady", -301: "falling"} {
		if got := NewChange(&prices.Trend{Change90d: &basis}).Direction; got != want {
			t.Errorf("%d basis points are %s, want %s", basis, got, want)
		}
	}
	if got := NewChange(&prices.Trend{}).Direction; got != InsufficientData {
		t.Errorf("too few sales are %s", got)
	}
}
