package drawing

import "testing"

func TestKeysReadBack(t *testing.T) {
	bad := []string{
		"", "demo", "demo-mirrorless-0-0-00000000-side", "demo-mirrorless-19-0-00000000-front", "demo-mirrorless-1x-0-00000000-front", "demo-mirrorless-1kk-0-00000000-front", "demo-mirrorless-0-7-00000000-front",
		"demo-mirrorless-00-0-00000000-front", "demo-lens-prime-0-0-00000000-front", "demo-lens-prime-50f18-0-00000000-top",
		"demo-lens-zoom-70t24f28-0-00000000-front", "demo-other-0-0-00000000-front", "demo-mirrorless-0-0-0000000G-front",
		"demo-lens-prime-50t50f18-0-00000000-front", "../demo-mirrorless-0-0-00000000-front",
	}
	for _, key := range bad {
		if _, ok := ParseKey(key); ok {
			t.Errorf("%q is taken for a key", key)
		}
	}
	for _, key := range []string{"demo-mirrorless-0-0-00000000-front", "demo-lens-zoom-24t70f28-3-a1b2c3d4-glass", "demo-film-slr-3-0-00000000-front", "demo-film-slr-5s-0-00000000-front", "demo-lens-zoom-100t500f45w-1-00000000-front"} {
		if d, ok := ParseKey(key); !ok || d.Key() != key {
			t.Errorf("%q reads as %+v", key, d)
		}
	}
}
