package store_test

import (
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models/store"
)

func TestTraitsOf(t *testing.T) {
	t.Parallel()
	for details, want := range map[string]string{
		``:                                   ``,
		`|`:                                  ``,
		`DE|`:                                `region DE`,
		`US-CA|`:                             `region US`,
		`DE||`:                               `region DE`,
		`DE|private|`:                        `region DE`,
		`DE|dealer|`:                         `region DE, seller dealer`,
		`DE|unknown|`:                        `region DE, seller unknown`,
		`||fully_working|0|[]|[]`:            ``,
		`FR||minor_fault|4999|[]|[]`:         `region FR, works minor_fault, shutter from 1`,
		`FR|dealer|not_working|300000|[]|[]`: `region FR, seller dealer, works not_working, shutter from 200000`,
		`FR||broken|-1|["fungus","x"]|`:      `region FR, defect fungus`,
		`FR||untested|many|no list|["2 Batteries","BOX | papers"]`: `region FR, works untested, with box`,
	} {
		if got := strings.Join(store.TraitsOf(details), ", "); got != want {
			t.Errorf("%q has the traits %q, want %q", details, got, want)
		}
	}
}
