//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	xdraw "golang.org/x/image/draw"

	"github.com/secondlight/secondlight/bench/program"
)

const (
	perListing = 10  // photographs
	perMember  = 100 // of them: a member has a quota of processor time
)

// site is a running program.
type site struct {
	*program.Server
	binary string
	env    []string
}

// upload uploads photographs of 12 megapixels to drafts, requests their page after each, and prints how long
// that takes, the most memory of the server, and that while readers ask for AVIFs of the photographs.
func upload(ctx context.Context, photographs []photograph, n int) error {
	dir, err := os.MkdirTemp("", "portfolio")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	files, err := large(photographs, perListing)
	if err != nil {
		return err
	}
	s, err := start(ctx, dir)
	if err != nil {
		return err
	}
	addresses, times, err := s.uploadAll(ctx, files, n)
	if err == nil {
		slices.Sort(times)
		fmt.Printf("%d uploads: page usable after %v (median), %v (99%%); at most %d MB of memory\n", n,
			times[len(times)/2].Round(time.Millisecond), times[len(times)*99/100].Round(time.Millisecond), s.peak())
		err = s.readAll(ctx, addresses)
	}
	return errors.Join(err, s.Stop())
}

// large returns n different photographs of 4000 × 3000 pixels.
func large(photographs []photograph, n int) (files [][]byte, err error) {
	for i := range n {
		small, err := jpeg.Decode(bytes.NewReader(photographs[i%len(photographs)].file))
		if err != nil {
			return nil, err
		}
		img := image.NewRGBA(image.Rect(0, 0, 4000, 3000))
		xdraw.ApproxBiLinear.Scale(img, img.Rect, small, small.Bounds(), xdraw.Src, nil)
		draw.Draw(img, image.Rect(0, 0, 100*(i+1), 100), image.NewUniform(color.White), image.Point{}, draw.Src)
		var file bytes.Buffer
		if err := jpeg.Encode(&file, img, &jpeg.Options{Quality: 90}); err != nil {
			return nil, err
		}
		files = append(files, file.Bytes())
	}
	return files, nil
}

// start builds and starts the program, without demonstration data.
func start(ctx context.Context, dir string) (*site, error) {
	s := &site{binary: filepath.Join(dir, "secondlight")}
	if err := program.Build(ctx, s.binary); err != nil {
		return nil, err
	}
	address := program.FreeAddress()
	s.env = append(os.Environ(), "LISTEN_ADDR="+address, "DATA_DIR="+filepath.Join(dir, "data"), "DATABASE_URL=", "RATE_LIMIT=100000000", "DEMO=false")
	cmd := exec.CommandContext(ctx, s.binary, "serve")
	cmd.Env = s.env
	var err error
	s.Server, err = program.Start(ctx, address, "/readyz", cmd)
	return s, err
}

// uploadAll uploads n photographs, and publishes the listings. It returns the addresses of the photographs, and
// how long each took until its page was sent.
func (s *site) uploadAll(ctx context.Context, files [][]byte, n int) (addresses []string, times []time.Duration, err error) {
	var token, listing string
	for i := range n {
		if i%perMember == 0 {
			if token, err = s.member(ctx, fmt.Sprint("member-", i/perMember)); err != nil {
				return nil, nil, err
			}
		}
		if i%perListing == 0 {
			const fields = `{"title":"Canon EOS R6, boxed","gear":"canon/eos-r6","category":"mirrorless","condition":"good","functional":"untested","price":"1000","region":"DE"}`
			answer, err := s.send(ctx, "POST", "/api/listings", "application/json", token, []byte(fields))
			if err != nil {
				return nil, nil, err
			}
			listing = answer.ID
		}
		began := time.Now()
		answer, err := s.sendPhoto(ctx, listing, token, files[i%len(files)])
		if err == nil {
			_, err = s.send(ctx, "GET", "/api/listings/"+listing, "", token, nil)
		}
		if err != nil {
			return nil, nil, err
		}
		times = append(times, time.Since(began))
		addresses = append(addresses, "/photos/"+answer.Photos[len(answer.Photos)-1].Key+"-640.jpg")
		if (i+1)%perListing == 0 {
			if _, err := s.send(ctx, "POST", "/api/listings/"+listing+"/publish", "application/json", token, []byte("{}")); err != nil {
				return nil, nil, err
			}
		}
	}
	return addresses, times, nil
}

// member creates a member and returns a token of theirs.
func (s *site) member(ctx context.Context, handle string) (token string, err error) {
	for _, args := range [][]string{
		{"member", "create", "--handle", handle, "--email", handle + "@example.org", "--password-stdin"},
		{"token", "create", "--handle", handle, "--scope", "listings:write"},
	} {
		cmd := exec.CommandContext(ctx, s.binary, args...)
		cmd.Env, cmd.Stdin, cmd.Stderr = s.env, strings.NewReader("a long password of theirs\n"), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("%s: %w", strings.Join(args, " "), err)
		}
		token = strings.TrimSpace(string(out))
	}
	return token, nil
}

// answer is what the program says about a listing.
type answer struct {
	ID     string `json:"id"`
	Photos []struct {
		Key string `json:"key"`
	} `json:"photos"`
}

func (s *site) sendPhoto(ctx context.Context, listing, token string, file []byte) (answer, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("photo", "photo.jpg")
	if err == nil {
		_, err = part.Write(file)
	}
	if err := errors.Join(err, form.Close()); err != nil {
		return answer{}, err
	}
	return s.send(ctx, "POST", "/api/listings/"+listing+"/photos", form.FormDataContentType(), token, body.Bytes())
}

func (s *site) send(ctx context.Context, method, path, contentType, token string, body []byte) (a answer, err error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://"+s.Address+path, bytes.NewReader(body))
	if err != nil {
		return a, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("If-Match", "*")
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return a, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("%s %s: %d %s", method, path, resp.StatusCode, text)
	}
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	return a, err
}

// readAll requests photographs as a browser does until all are AVIFs, or nothing new is one for a minute.
func (s *site) readAll(ctx context.Context, addresses []string) error {
	slices.Sort(addresses)
	addresses = slices.Compact(addresses)
	began, changed, made := time.Now(), time.Now(), 0
	for made < len(addresses) && time.Since(changed) < time.Minute {
		now := 0
		for _, address := range addresses {
			kind, err := s.kind(ctx, address)
			if err != nil {
				return err
			}
			if kind == "image/avif" {
				now++
			}
		}
		if now > made {
			made, changed = now, time.Now()
		}
		time.Sleep(100 * time.Millisecond)
	}
	fmt.Printf("%d of %d different photographs are AVIFs of 640 pixels %v after readers ask for them; at most %d MB of memory in the server\n", made, len(addresses), changed.Sub(began).Round(100*time.Millisecond), s.peak())
	return nil
}

// kind returns the media type of a photograph for a browser.
func (s *site) kind(ctx context.Context, address string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, "http://"+s.Address+address, http.NoBody)
	if err != nil {
		return "", err
	}
	req.Header.Set("Accept", "image/avif,image/webp,*/*;q=0.8")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	if err := resp.Body.Close(); err != nil {
		return "", err
	}
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %d", address, resp.StatusCode)
	}
	return resp.Header.Get("Content-Type"), nil
}

// peak returns the most memory that the server has had so far, in MB.
func (s *site) peak() int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.PID())) // 0 once it has ended
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kb, _ := strconv.Atoi(fields[0])
	return kb >> 10
}
