package listing

import (
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
)

// Each field of an item is once in the order of the form, by which its errors are sorted.
func TestFormOrder(t *testing.T) {
	for _, f := range models.ItemFields {
		if n := strings.Count(strings.Join(formOrder, ","), f.Name); n != 1 {
			t.Errorf("%s is %d times in the order of the form", f.Name, n)
		}
	}
}
