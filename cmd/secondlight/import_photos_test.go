package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// folderOfPhotos returns a folder with n different photographs and a file of another type.
func folderOfPhotos(t *testing.T, n int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "Summer in Böhmen")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		img := image.NewRGBA(image.Rect(0, 0, 600, 400))
		for p := range img.Pix {
			img.Pix[p] = uint8(p * (i + 1) >> 9)
		}
		img.SetRGBA(0, 0, color.RGBA{uint8(i), uint8(i >> 8), 0, 255})
		var b bytes.Buffer
		if err := jpeg.Encode(&b, img, nil); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("dsc_%04d.jpg", i)), b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "movie.jpg"), []byte("GIF89a"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestImportPhotos(t *testing.T) {
	folder, data := folderOfPhotos(t, 3), t.TempDir()
	call := func(args ...string) (int, string, string) {
		var out, errOut bytes.Buffer
		status := run(context.Background(), append([]string{"import", "photos"}, args...), []string{"DATA_DIR=" + data}, strings.NewReader(""), &out, &errOut)
		return status, out.String(), errOut.String()
	}
	status, out, errOut := call(folder)
	if status != exitOK || !strings.Contains(out, "4 files: 3 new, 0 unchanged, 1 refused") || !strings.Contains(out, "/portfolio/summer-in-bohmen") || !strings.Contains(errOut, "movie.jpg: The content is image/gif") {
		t.Errorf("%d %q %q", status, out, errOut)
	}
	if _, out, _ := call(folder); !strings.Contains(out, "0 new, 3 unchanged") {
		t.Errorf("again: %q", out)
	}
	if _, err := os.Stat(filepath.Join(data, "portfolio", "summer-in-bohmen", "index.md")); err != nil {
		t.Error(err)
	}
	if _, out, _ := call(folder, "--title", "Bohemia, late"); !strings.Contains(out, "the page is /portfolio/bohemia-late") {
		t.Errorf("with a title: %q", out)
	}
	for _, args := range [][]string{{folder + "-none"}, {folder, "--project", "../etc"}, {filepath.Join(folder, "movie.jpg")}, {}} {
		if status, _, errOut := call(args...); status != exitUsage || errOut == "" {
			t.Errorf("%q: %d %q", args, status, errOut)
		}
	}
}

// TestImportPhotosIsResumed kills a process repeatedly while it imports, and checks
// that every photograph is complete in the end and none was imported twice.
func TestImportPhotosIsResumed(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	binary := filepath.Join(t.TempDir(), "secondlight")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	const n = 60
	folder, data := folderOfPhotos(t, n), t.TempDir()
	// A refused file in the middle blocks the program, because its standard error is
	// full: it cannot finish before it is killed.
	if err := os.Rename(filepath.Join(folder, "movie.jpg"), filepath.Join(folder, "dsc_0030_movie.jpg")); err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(data, "portfolio", "trip")
	imported := func() int {
		files, _ := filepath.Glob(filepath.Join(project, "dsc_*.jpg"))
		return len(files)
	}
	start := func(errOut io.Writer) (*exec.Cmd, *bytes.Buffer) {
		cmd := exec.Command(binary, "import", "photos", folder, "--project", "trip")
		cmd.Env = []string{"DATA_DIR=" + data}
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, errOut
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd, &out
	}
	for _, until := range []int{5, 20} {
		cmd, _ := start(fullPipe(t))
		for deadline := time.Now().Add(2 * time.Minute); imported() < until; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("nothing is imported")
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil {
			t.Fatal("it was done before it was killed")
		}
	}
	before := imported()
	cmd, out := start(nil)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if before > n/2+2 || imported() != n || !strings.Contains(out.String(), fmt.Sprintf("%d new, %d unchanged, 1 refused", n-before, before)) {
		t.Errorf("%d before, %d after: %s", before, imported(), out)
	}
	for i := range n {
		name := fmt.Sprintf("dsc_%04d.jpg", i)
		want, err1 := os.ReadFile(filepath.Join(folder, name))
		got, err2 := os.ReadFile(filepath.Join(project, name))
		if err1 != nil || err2 != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what it was: %v %v", name, err1, err2)
		}
	}
	sizes, _ := filepath.Glob(filepath.Join(data, "photos", "*-*.jpg"))
	tiny, _ := filepath.Glob(filepath.Join(data, "photos", "*.png"))
	left, _ := filepath.Glob(filepath.Join(project, ".*"))
	if len(sizes) != 2*n || len(tiny) != n || len(left) > 0 {
		t.Errorf("kept %d sizes and %d placeholders; left %q", len(sizes), len(tiny), left)
	}
}

// fullPipe returns a pipe whose buffer is full once a line was written to it, and that nobody
// reads after that.
func fullPipe(t *testing.T) *os.File {
	t.Helper()
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	full := make(chan struct{})
	t.Cleanup(func() { in.Close(); out.Close(); <-full })
	go func() {
		defer close(full)
		_, err := bufio.NewReaderSize(out, 16).ReadString('\n')
		for err == nil {
			if err = in.SetWriteDeadline(time.Now().Add(50 * time.Millisecond)); err == nil {
				_, err = in.Write(make([]byte, 4096))
			}
		}
	}()
	return in
}
