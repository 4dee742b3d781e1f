package search

import "github.com/secondlight/secondlight/models"

// digest is an FNV-1a hash. Unlike hash/fnv it hashes strings without copying them to
// byte slices.
type digest uint64

const newDigest digest = 14695981039346656037

func (h digest) byte(b byte) digest { return (h ^ digest(b)) * 1099511628211 }

// text adds a string and a terminating zero byte.
func (h digest) text(s string) digest {
	for i := range len(s) {
		h = h.byte(s[i])
	}
	return h.byte(0)
}

// number adds the eight bytes of n.
func (h digest) number(n uint64) digest {
	for range 8 {
		h, n = h.byte(byte(n)), n>>8
	}
	return h
}

// amount adds an amount, or a marker if a is nil.
func (h digest) amount(a *models.Amount) digest {
	if a == nil {
		return h.byte(1)
	}
	return h.byte(2).number(uint64(a.Cents))
}
