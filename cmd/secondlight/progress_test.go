package main

import (
	"strings"
	"testing"
)

func TestProgress(t *testing.T) {
	var out strings.Builder
	show := showProgress(&out, "copying")
	for done := range 1001 {
		show(done, 1000)
	}
	text := out.String()
	if n := strings.Count(text, "\r"); n != 101 || !strings.HasPrefix(text, clearLine+"copying 0% (0/1000)") || !strings.HasSuffix(text, "copying 99% (990/1000)"+clearLine) {
		t.Errorf("%d lines: %q", n, text)
	}
	out.Reset()
	progress(&out, "copying")(1, 2)
	if out.Len() > 0 {
		t.Errorf("not a terminal: %q", &out)
	}
}
