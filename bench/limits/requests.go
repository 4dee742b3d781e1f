//go:build linux

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"time"
)

// request is a request of an anonymous client.
type request struct {
	name, method, path string
	header             string // lines, each with CRLF
	body               string
}

// send sends a request over a new connection and returns the status and the length of the
// response's body.
func (s *server) send(r request) (status, length int, err error) {
	conn, err := s.dial("127.0.0.1")
	if err != nil {
		return 0, 0, err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\n%s", r.method, r.path, s.Address, r.header)
	if r.body != "" {
		head += fmt.Sprintf("Content-Length: %d\r\n", len(r.body))
	}
	_, writeErr := io.WriteString(conn, head+"\r\n"+r.body)
	resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: r.method})
	if err != nil {
		return 0, 0, errors.Join(err, writeErr)
	}
	n, err := io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, int(n), err
}

// rounds is how often each request is sent. The median counts, because the garbage
// collector and background jobs run at any time.
const rounds = 7

// checkRequests sends every request of the table and checks its processor time and the size
// of its error.
func (s *server) checkRequests() error {
	var failures error
	fmt.Printf("%-36s %8s %6s %9s %9s\n", "request", "bytes", "status", "response", "ms")
	requests := worstRequests(32 << 10)            // the largest MCP message
	for _, size := range []int{1 << 20, 4 << 20} { // the largest body, and one that is refused
		for _, r := range worstRequests(size) {
			if len(r.body) > size/2 {
				r.name = fmt.Sprintf("%s, %d MB", r.name, size>>20)
				requests = append(requests, r)
			}
		}
	}
	for _, r := range requests {
		var times []time.Duration
		var status, length int
		for range rounds {
			before, err := s.processorTime()
			if err != nil {
				return err
			}
			if status, length, err = s.send(r); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			after, err := s.processorTime()
			if err != nil {
				return err
			}
			times = append(times, after-before)
		}
		slices.Sort(times)
		took := times[rounds/2]
		fmt.Printf("%-36s %8d %6d %9d %9.2f\n", r.name, len(r.header)+len(r.path)+len(r.body), status, length, float64(took.Microseconds())/1000)
		if took > maxTime || status >= 400 && length > maxError || status >= 500 {
			failures = errors.Join(failures, fmt.Errorf("%s: status %d, %d bytes, %v", r.name, status, length, took))
		}
	}
	return failures
}

// worstRequests returns requests with bodies of up to size bytes that are meant to cost
// much.
func worstRequests(size int) []request {
	size -= 500 // for what is around the long part
	const jsonType, formType = "Content-Type: application/json\r\n", "Content-Type: application/x-www-form-urlencoded\r\n"
	const mcpHeader = jsonType + "Accept: application/json, text/event-stream\r\n"
	call := func(arguments string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_listings","arguments":` + arguments + `}}`
	}
	names := func(n int, format, separator string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteString(separator)
			}
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	fill := func(part string, n int) string { return strings.Repeat(part, n/len(part)) }
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for form.Len() < size-200 {
		_ = w.WriteField("handle", "1") // to memory
	}
	w.Close()
	var onePart bytes.Buffer
	one := multipart.NewWriter(&onePart)
	_ = one.WriteField("handle", fill("x", size-200))
	one.Close()

	requests := []request{
		{"names, tool", "POST", "/api/mcp", mcpHeader, call("{" + names(size/16, `"budget%d":1`, ",") + "}")},
		{"150 names, tool", "POST", "/api/mcp", mcpHeader, call("{" + names(150, `"budget%d":1`, ",") + "}")},
		{"a long keyword, tool", "POST", "/api/mcp", mcpHeader, call(`{"keyword":"` + fill("canon ", size-200) + `"}`)},
		{"a keyword of escapes, tool", "POST", "/api/mcp", mcpHeader, call(`{"keyword":"` + fill(`é`, size-200) + `"}`)},
		{"an unknown tool", "POST", "/api/mcp", mcpHeader, strings.Replace(call("{}"), "search_listings", fill("x", size-200), 1)},
		{"deep arguments, tool", "POST", "/api/mcp", mcpHeader, call(fill(`{"a":`, size-200))},
		{"deep lists, tool", "POST", "/api/mcp", mcpHeader, fill("[", size)},
		{"compressed, tool", "POST", "/api/mcp", mcpHeader + "Content-Encoding: gzip\r\n", fill("x", size)},
		{"completion, tool", "POST", "/api/mcp", mcpHeader, `{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"find_camera"},"argument":{"name":"gear","value":"` + fill("canon ", size-300) + `"}}}`},
		{"a resource, tool", "POST", "/api/mcp", mcpHeader, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"` + fill("a/", size-200) + `"}}`},
		{"names, JSON", "POST", "/sign-up", jsonType, "{" + names(size/16, `"budget%d":1`, ",") + "}"},
		{"a list, JSON", "POST", "/sign-up", jsonType, `{"handle":[` + fill("1,", size-200) + `1]}`},
		{"a number, JSON", "POST", "/sign-up", jsonType, `{"handle":` + fill("1", size-200) + `}`},
		{"a long value, JSON", "POST", "/sign-up", jsonType, `{"handle":"` + fill(`\"`, size-200) + `"}`},
		{"a long name, JSON", "POST", "/sign-up", jsonType, `{"` + fill("é", size-200) + `":1}`},
		{"names, form", "POST", "/sign-up", formType, names(size/16, "budget%d=1", "&")},
		{"one name, form", "POST", "/sign-up", formType, fill("handle=a&", size)},
		{"a long value, form", "POST", "/sign-up", formType, "handle=" + fill("%3C", size-200)},
		{"a long email, form", "POST", "/sign-in", formType, "email=" + fill("a@", size-200) + "&password=x"},
		{"many parts", "POST", "/sign-up", "Content-Type: " + w.FormDataContentType() + "\r\n", form.String()},
		{"a long part", "POST", "/sign-up", "Content-Type: " + one.FormDataContentType() + "\r\n", onePart.String()},
		{"a rejected body", "POST", "/api/listings", jsonType, fill("x", size)},
		{"a body of a GET", "GET", "/listings", "", fill("x", size)},
		{"names in a query", "GET", "/api/listings/search?" + names(1200, "budget%d", "&"), "", ""},
		{"a list in a query", "GET", "/api/listings/search?brand=" + fill("a,", 15_000), "", ""},
		{"a long keyword", "GET", "/api/listings/search?keyword=" + fill("canon+", 1000), "", ""},
		{"a keyword of short words", "GET", "/api/listings/search?keyword=" + fill("a+b+", 1000), "", ""},
		{"a keyword of one word", "GET", "/api/listings/search?keyword=" + fill("canonnikon", 1000), "", ""},
		{"a keyword of typos", "GET", "/api/listings/search?keyword=" + fill("cannno+nikkno+", 1000), "", ""},
		{"a keyword of digits", "GET", "/api/listings/search?keyword=" + fill("50mm+1.8+", 1000), "", ""},
		{"a keyword in Unicode", "GET", "/api/listings/search?keyword=" + fill("%F0%9F%93%B7", 12*1000), "", ""},
		{"a keyword, find_gear", "GET", "/api/gear?keyword=" + fill("cannno+", 1000), "", ""},
		{"a long cursor", "GET", "/api/listings/search?cursor=" + fill("A", 1000), "", ""},
		{"a long path", "GET", "/gear/" + fill("a", 15_000), "", ""},
		{"a path of many elements", "GET", fill("/a", 15_000), "", ""},
		{"a long Accept", "GET", "/listings", "Accept: " + fill("a/b;q=0.1,", 15_000) + "\r\n", ""},
		{"many Accepts", "GET", "/listings", fill("Accept: a/b;q=0.1\r\n", 15_000), ""},
		{"a long Accept-Encoding", "GET", "/listings", "Accept-Encoding: " + fill("a;q=0.1,", 15_000) + "\r\n", ""},
		{"a long Cookie", "GET", "/listings", "Cookie: " + fill("a=b; ", 15_000) + "\r\n", ""},
		{"a long If-None-Match", "GET", "/listings", "If-None-Match: " + fill(`"a",`, 15_000) + "\r\n", ""},
		{"many forwarded addresses", "GET", "/listings", "X-Forwarded-For: " + fill("10.0.0.1,", 15_000) + "\r\n", ""},
	}
	for i, path := range []string{"/sitemap.xml", "/sitemaps/gear.xml", "/sitemaps/listings-1.xml", "/openapi.json", "/openapi.yaml", "/llms-full.txt", "/developers", "/listings?limit=100", "/api/listings/search?limit=100"} {
		separator := "?"
		if strings.Contains(path, "?") {
			separator = "&"
		}
		requests = append(requests, request{path, "GET", fmt.Sprintf("%s%sbudget_min=%d", path, separator, i), "Accept-Encoding: br\r\n", ""})
	}
	return requests
}
