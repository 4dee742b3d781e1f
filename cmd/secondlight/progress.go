package main

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress draws a bar when a terminal is watching and writes nothing
// otherwise. The function it returns is called with what is done and the whole.
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
		_ = bar.Set(done) // a bar that cannot be drawn must not stop the work
	}
}
