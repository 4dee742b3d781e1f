package handlers

import (
	"net/http"
	"testing"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/handlers/web/webtest"
)

// FuzzRequest asks for anything with any query and any Accept: queries, cursors
// and negotiation never bring the server down, and every answer keeps the
// contract.
func FuzzRequest(f *testing.F) {
	for _, seed := range [][3]string{
		{"/api/listings/search", "keyword=r6+mk+ii&budget=500-1500&sort=deal&limit=3", "application/json"},
		{"/api/listings/search", "cursor=AQAAAHTMAAAAAAAAAaH7Y26AAaH7Y26AeNmHpf5toyJfadAFB0LdEOq8", "*/*"},
		{"/listings", "brand=canon&brand=nikon&condition=excellent,good&region=US&mount=nikon-f", "text/html;q=0.5, text/markdown"},
		{"/gear", "keyword=nifty%20fifty&cursor=24", "TEXT/MARKDOWN;charset=utf-8"},
		{"/gear/canon/eos-r6.svg", "", "image/*;q=0, */*;q=0.1"},
		{"/listings/019aa7d2-7c00-7000-8000-000000000000.json", "%ff=%", ","},
		{"/errors/listing_not_found", "", "text/html;level=1"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	s := build(quiet(m()))
	handle := s.Handler()
	f.Fuzz(func(t *testing.T, path, query, accept string) {
		var ctx fasthttp.RequestCtx
		ctx.Request.Header.SetMethod("GET")
		ctx.Request.Header.SetHost("secondlight.example")
		ctx.Request.SetRequestURI("/" + path + "?" + query)
		ctx.Request.Header.Set("Accept", accept)
		handle(&ctx)
		if status := ctx.Response.StatusCode(); status >= 500 {
			t.Errorf("GET %q?%q with Accept %q is %d: %s", path, query, accept, status, ctx.Response.Body())
		}
		header := http.Header{}
		for key, value := range ctx.Response.Header.All() {
			header.Add(string(key), string(value))
		}
		webtest.CheckContract(t, path, header)
	})
}
