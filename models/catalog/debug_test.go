package catalog

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestDebug(t *testing.T) {
	c, _ := ReadCatalog(os.DirFS("../../content/catalog"))
	r := c.Resolver()
	data, _ := os.ReadFile("/tmp/cat/dbg.txt")
	for _, l := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		got := r.Resolve(l)
		s := ""
		if got.Gear != nil {
			s = got.Gear.Slug()
		}
		fmt.Printf("%q → %s %.2f %s\n", l, s, got.Confidence, got.Reason)
		tt := r.parseTitle(l)
		for i, w := range tt.words {
			fmt.Printf(" %s", w.text)
			if w.brand != "" {
				fmt.Print("[b]")
			}
			if w.quantity {
				fmt.Print("[q]")
			}
			if w.mount {
				fmt.Print("[m]")
			}
			if i == tt.focalEnd {
				fmt.Print("[F]")
			}
			if i+1 == tt.offered {
				fmt.Print(" ¦")
			}
		}
		fmt.Println()
		for _, m := range r.bodies(tt) {
			fmt.Println("   body", m.gear.Slug(), m.bare)
		}
		if tt.focalEnd >= 0 {
			men, fit := r.lenses.candidates(tt)
			fmt.Println("   ", men, tt.mounts, tt.apertures(tt.focalEnd))
			for _, e := range fit {
				fmt.Println("   fit", e.gear.Slug())
			}
		}
	}
}
