package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// progress returns a function that shows how much is done if w is a terminal, and does
// nothing otherwise. What it shows is removed at the end.
func progress(w io.Writer, label string) func(done, total int) {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return func(int, int) {}
	}
	return showProgress(w, label)
}

// clearLine moves to the start of the line of a terminal and clears it.
const clearLine = "\r\x1b[K"

// showProgress returns a function that shows how much is done, whenever the percentage
// changes.
func showProgress(w io.Writer, label string) func(done, total int) {
	shown := -1
	return func(done, total int) {
		percent := 100
		if done < total {
			percent = 100 * done / total
		}
		if percent == shown {
			return
		}
		shown = percent
		if percent == 100 {
			fmt.Fprint(w, clearLine)
		} else {
			fmt.Fprintf(w, "%s%s %d%% (%d/%d)", clearLine, label, percent, done, total)
		}
	}
}
