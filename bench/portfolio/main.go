// Command portfolio measures the import of photographs of 24 megapixels into a portfolio
// that is being served: photographs a second, memory, and how long requests take meanwhile.
package main

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

var (
	photographs = flag.Int("photographs", 5000, "photographs that the site has already, small ones")
	large       = flag.Int("large", 300, "photographs of 24 megapixels to import")
	dir         = flag.String("data", "", "folder for temporary files; default: that of the system")
	addr        = flag.String("addr", "127.0.0.1:18104", "address to serve at")
)

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	temp, err := os.MkdirTemp(*dir, "secondlight-portfolio-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	data, program := filepath.Join(temp, "data"), filepath.Join(temp, "secondlight")
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/secondlight").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(program, args...)
		cmd.Env = append(os.Environ(), "DATA_DIR="+data, "LISTEN_ADDR="+*addr, "DEMO=false", "DATABASE_URL=", "RATE_LIMIT=1000000")
		return cmd
	}
	small, big := filepath.Join(temp, "small"), filepath.Join(temp, "big")
	if err := writePhotographs(small, *photographs, 600, 400); err != nil {
		return err
	}
	if err := writePhotographs(big, *large, 6000, 4000); err != nil {
		return err
	}
	fmt.Printf("%s, %d processors\n", runtime.Version(), runtime.NumCPU())
	if err := importFolder(command("import", "photos", small), *photographs); err != nil {
		return err
	}
	site := command()
	if err := site.Start(); err != nil {
		return err
	}
	defer func() {
		_ = site.Process.Signal(os.Interrupt)
		_ = site.Wait()
	}()
	if err := waitFor("http://" + *addr + "/api/health"); err != nil {
		return err
	}
	idle := request(5*time.Second, nil)
	report("requests without an import", idle)
	done, during := make(chan struct{}), make(chan []time.Duration)
	go func() { during <- request(time.Hour, done) }()
	err = importFolder(command("import", "photos", big), *large)
	close(done)
	report("requests during the import", <-during)
	return err
}

// writePhotographs writes n different JPEGs of a size to a folder, with grain as of a
// sensor.
func writePhotographs(folder string, n, width, height int) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	img := image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio420)
	random := rand.New(rand.NewPCG(1, 1))
	for i := range img.Y {
		x, y := i%img.YStride, i/img.YStride
		img.Y[i] = uint8(60 + 120*y/height + (x*7919/width+y*104729/height)%23 + random.IntN(11))
	}
	for i := range img.Cb {
		img.Cb[i], img.Cr[i] = 118, 134
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 92}); err != nil {
		return err
	}
	fmt.Printf("%d photographs of %d × %d pixels, %.1f MB each\n", n, width, height, float64(b.Len())/1e6)
	for i := range n {
		comment := []byte{0xff, 0xfe, 0, 6, 0, 0, 0, 0} // makes each file another
		binary.BigEndian.PutUint32(comment[4:], uint32(i))
		file := slices.Concat(b.Bytes()[:2], comment, b.Bytes()[2:])
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("harbour-%04d.jpg", i)), file, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// importFolder runs an import and prints its rate and memory.
func importFolder(cmd *exec.Cmd, n int) error {
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	took := time.Since(start)
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	fmt.Printf("imported %d in %v: %.1f a second; %v of processor time each, so %.1f a second with both processors; %d MB of memory at most\n",
		n, took.Round(time.Second), float64(n)/took.Seconds(), (cpu / time.Duration(n)).Round(time.Millisecond), 2*float64(n)/cpu.Seconds(), usage.Maxrss>>10)
	if !strings.Contains(string(out), fmt.Sprintf("%d new", n)) {
		return fmt.Errorf("not all are imported: %s", out)
	}
	return nil
}

func waitFor(url string) error {
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if resp, err := http.Get(url); err == nil {
			resp.Body.Close()
			return nil
		}
	}
	return fmt.Errorf("%s does not answer", url)
}

// request asks for pages, twenty a second, until the time is over or done is closed, and
// returns how long each took. A request waits for the one before.
func request(limit time.Duration, done <-chan struct{}) (took []time.Duration) {
	paths := []string{"/portfolio", "/portfolio/small", "/portfolio/small?cursor=2400", "/portfolio/small/harbour-%04d", "/listings", "/api/listings/search?keyword=leica+%d", "/api/portfolio/small?cursor=%d"}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	end := time.After(limit)
	for i := 0; ; i++ {
		select {
		case <-done:
			return took
		case <-end:
			return took
		case <-tick.C:
		}
		path := paths[i%len(paths)]
		if strings.Contains(path, "%") {
			path = fmt.Sprintf(path, i*31%max(1, *photographs))
		}
		start := time.Now()
		resp, err := http.Get("http://" + *addr + path)
		if err != nil {
			continue
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		took = append(took, time.Since(start))
	}
}

func report(name string, took []time.Duration) {
	slices.Sort(took)
	if len(took) == 0 {
		return
	}
	at := func(share float64) time.Duration {
		return took[min(len(took)-1, int(share*float64(len(took))))].Round(100 * time.Microsecond)
	}
	fmt.Printf("%s: %d, p50 %v, p99 %v, slowest %v\n", name, len(took), at(0.5), at(0.99), took[len(took)-1].Round(time.Millisecond))
}
