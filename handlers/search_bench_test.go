package handlers

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"testing"
)

// BenchmarkSearchAnswer measures uncached searches over the API, from the request to
// the rendered response.
func BenchmarkSearchAnswer(b *testing.B) {
	s := build(quiet(m()))
	dice := rand.New(rand.NewPCG(1, 2))
	brands := []string{"canon", "nikon", "sony", "fujifilm", "olympus", "leica", "panasonic", "sigma"}
	words := []string{"canon eos", "nikon", "sony alpha", "50mm", "x-t3", "leica m", "zoom", "boxed", "film camera", "macro"}
	var uris []string
	for i := range 1 << 16 { // more than are asked in a second: the second time, they would be cached
		q := url.Values{"limit": {"24"}}
		switch dice.IntN(4) {
		case 0:
			q.Set("keyword", words[dice.IntN(len(words))])
		case 1:
			q.Set("brand", brands[dice.IntN(len(brands))])
		case 2:
			q.Set("category", []string{"camera", "lens", "mirrorless", "lens_prime"}[dice.IntN(4)])
		}
		if dice.IntN(2) == 0 {
			q.Set("condition", []string{"excellent", "good", "like_new"}[dice.IntN(3)])
		}
		if dice.IntN(3) == 0 {
			q.Set("sort", []string{"price", "-price", "newest", "deal"}[dice.IntN(4)])
		}
		q.Set("budget", fmt.Sprintf("%d-%d.%02d", dice.IntN(300), 500+i%4096, i/4096))
		uris = append(uris, "/api/listings/search?"+q.Encode())
	}
	handler := s.Handler()
	ctx := requestFor("/")
	size := 0
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		ctx.Request.SetRequestURI(uris[i%len(uris)])
		serveOnce(handler, ctx)
		size += len(ctx.Response.Body())
	}
	b.ReportMetric(float64(size)/float64(b.N), "B/answer")
}
