//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"io/fs"
	"math"
	"path"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/picture/codec"
)

// photograph is one of the demonstration.
type photograph struct {
	project string
	file    []byte
}

func readPhotographs() (all []photograph, err error) {
	names, err := fs.Glob(content.Portfolio(), "portfolio/*/*.jpg")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		file, err := fs.ReadFile(content.Portfolio(), name)
		if err != nil {
			return nil, err
		}
		all = append(all, photograph{path.Base(path.Dir(name)), file})
	}
	return all, nil
}

// quality sums up what a format keeps of pictures.
type quality struct {
	n          int
	psnr, ssim float64 // of luma
	bytes      int
}

func (q *quality) add(want, got []byte, width, bytes int) {
	q.n++
	q.psnr += psnr(want, got)
	q.ssim += ssim(want, got, width)
	q.bytes += bytes
}

func (q *quality) String() string {
	n := float64(q.n)
	return fmt.Sprintf("%5.2f dB PSNR   %.4f SSIM   %6.0f bytes", q.psnr/n, q.ssim/n, float64(q.bytes)/n)
}

// comparePictures compares n pictures, of 640 pixels and less, as JPEG and as AVIF with themselves. They
// are photographs of the demonstration in many widths, scaled down by at least 1.6.
func comparePictures(ctx context.Context, photographs []photograph, n int) error {
	var asJPEG, asAVIF quality
	each := (n + len(photographs) - 1) / len(photographs)
	for i := range n {
		p := photographs[i%len(photographs)]
		size, _, err := image.DecodeConfig(bytes.NewReader(p.file))
		if err != nil {
			return err
		}
		w := size.Width * 10 / 16 * (each + i/len(photographs)) / (2 * each)
		if _, err := compare(ctx, p.file, w, w*size.Height/size.Width, &asJPEG, &asAVIF); err != nil {
			return err
		}
	}
	fmt.Printf("%d pictures as JPEG: %v\n%d pictures as AVIF: %v, %.0f%% fewer\n", n, &asJPEG, n, &asAVIF, 100*(1-float64(asAVIF.bytes)/float64(asJPEG.bytes)))
	return nil
}

// compare encodes a photograph in a size, as the site does, and adds what that costs. It returns the AVIF, or nil
// if the JPEG is smaller.
func compare(ctx context.Context, file []byte, w, h int, asJPEG, asAVIF *quality) ([]byte, error) {
	img, err := picture.Decode(file, 0, w, h)
	if err != nil {
		return nil, err
	}
	img = picture.Scale(img, w, h)
	asked := luma(img)
	body, err := picture.Encode(img)
	if err != nil {
		return nil, err
	}
	decoded, err := jpeg.Decode(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	asJPEG.add(asked, luma(decoded), w, len(body))
	avif, err := picture.EncodeAVIF(ctx, img)
	if err != nil {
		return nil, err
	}
	decoded, err = codec.Decode(ctx, codec.Request{Format: codec.AVIF, Memory: 1 << 30, Pixels: 1e8, Data: avif})
	if err != nil {
		return nil, err
	}
	asAVIF.add(asked, luma(decoded), w, len(avif))
	if len(avif) >= len(body) {
		avif = nil
	}
	return avif, nil
}

// weighPages adds up the pictures of the pages of projects, in the size for a window of 1440 pixels.
func weighPages(ctx context.Context, photographs []photograph) error {
	const width = 960
	before, after := map[string]int{}, map[string]int{}
	var projects []string
	for _, p := range photographs {
		size, _, err := image.DecodeConfig(bytes.NewReader(p.file))
		if err != nil {
			return err
		}
		w, h := width, width*size.Height/size.Width
		if size.Height > size.Width {
			w, h = width*size.Width/size.Height, width
		}
		var asJPEG, asAVIF quality
		avif, err := compare(ctx, p.file, w, h, &asJPEG, &asAVIF)
		if err != nil {
			return err
		}
		if before[p.project] == 0 {
			projects = append(projects, p.project)
		}
		before[p.project] += asJPEG.bytes
		if avif == nil {
			after[p.project] += asJPEG.bytes
		}
		after[p.project] += len(avif)
	}
	for _, p := range projects {
		fmt.Printf("page of %s, pictures of %d pixels: %d bytes as JPEG, %d where AVIF is smaller\n", p, width, before[p], after[p])
	}
	return nil
}

// luma returns the luma of a picture, row by row.
func luma(img image.Image) []byte {
	b := img.Bounds()
	samples := make([]byte, 0, b.Dx()*b.Dy())
	for y := range b.Dy() {
		switch img := img.(type) {
		case *image.YCbCr:
			samples = append(samples, img.Y[y*img.YStride:][:b.Dx()]...)
		case *image.RGBA:
			for x := range b.Dx() {
				p := img.Pix[y*img.Stride+4*x:]
				samples = append(samples, byte((299*int(p[0])+587*int(p[1])+114*int(p[2])+500)/1000))
			}
		}
	}
	return samples
}

// psnr returns the peak signal-to-noise ratio in dB.
func psnr(a, b []byte) float64 {
	sum := 0.0
	for i := range a {
		d := float64(a[i]) - float64(b[i])
		sum += d * d
	}
	return 10 * math.Log10(255*255*float64(len(a))/max(sum, 1))
}

// ssim returns the mean structural similarity of windows of 8 × 8 pixels, every 4 pixels.
func ssim(a, b []byte, width int) float64 {
	const side, step = 8, 4
	sum, n := 0.0, 0
	for y := 0; (y+side)*width <= len(a); y += step {
		for x := 0; x+side <= width; x += step {
			sum += similarity(a, b, width, y*width+x, side)
			n++
		}
	}
	return sum / float64(n)
}

// similarity returns the structural similarity of the windows of two pictures that begin at an index.
func similarity(a, b []byte, width, at, side int) float64 {
	const c1, c2 = 0.01 * 255 * 0.01 * 255, 0.03 * 255 * 0.03 * 255
	var sumA, sumB, squareA, squareB, product float64
	for y := range side {
		for x := range side {
			p, q := float64(a[at+y*width+x]), float64(b[at+y*width+x])
			sumA, sumB, squareA, squareB, product = sumA+p, sumB+q, squareA+p*p, squareB+q*q, product+p*q
		}
	}
	n := float64(side * side)
	meanA, meanB := sumA/n, sumB/n
	return (2*meanA*meanB + c1) * (2*(product/n-meanA*meanB) + c2) / ((meanA*meanA + meanB*meanB + c1) * (squareA/n - meanA*meanA + squareB/n - meanB*meanB + c2))
}
