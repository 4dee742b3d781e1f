package main

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress returns a function that draws a progress bar if w is a terminal, and does
// nothing otherwise.
func progress(w io.Writer, label string) func(done, total int) {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return func(int, int) {}
	}
	var bar *progressbar.ProgressBar
	return func(done, total int) {
		if bar == nil {
			bar = progressbar.NewOptions(total,
				progressbar.OptionSetWriter(w),
				progressbar.OptionSetDescription(label),
				progressbar.OptionShowCount(),
				progressbar.OptionClearOnFinish(),
			)
		}
		bar.ChangeMax(total)
		_ = bar.Set(done) // a display error is not a failure
	}
}
