package picture

import "image"

// Scale returns src, which begins at 0, 0, scaled down to w by h pixels with 4:2:0 chroma
// sampling, or src itself if it has that size and sampling. A pixel is the mean of the area
// that it covers in src.
func Scale(src *image.YCbCr, w, h int) *image.YCbCr {
	if size := image.Rect(0, 0, w, h); size == src.Rect && src.SubsampleRatio == image.YCbCrSubsampleRatio420 {
		return src
	}
	dst := image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio420)
	from := planesOf(src)
	for i, to := range planesOf(dst) {
		to.scale(from[i])
	}
	return dst
}

// plane is a plane of a picture: luma or a chroma.
type plane struct {
	pix                   []uint8
	stride, width, height int
}

// planesOf returns the planes of a picture that begins at 0, 0.
func planesOf(img *image.YCbCr) [3]plane {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	last := img.COffset(w-1, h-1)
	cw, ch := last%img.CStride+1, last/img.CStride+1
	return [3]plane{{img.Y, img.YStride, w, h}, {img.Cb, img.CStride, cw, ch}, {img.Cr, img.CStride, cw, ch}}
}

// scale scales src to p.
func (p plane) scale(src plane) {
	across, down := newWeights(src.width, p.width), newWeights(src.height, p.height)
	rows := make([][]uint16, down.n) // of src, scaled across; a ring
	for i := range rows {
		rows[i] = make([]uint16, p.width)
	}
	done := 0
	window := make([][]uint16, down.n)
	for y := range p.height {
		from := down.from[y]
		for done = max(done, from); done < from+down.n; done++ {
			across.row(rows[done%down.n], src.pix[done*src.stride:][:src.width])
		}
		for i := range window {
			window[i] = rows[(from+i)%down.n]
		}
		merge(p.pix[y*p.stride:][:p.width], window, down.of(y))
	}
}

// unit is the sum of the weights of a sample.
const unit = 1 << 16

// weights lists, for each scaled sample, the samples that it is the mean of and their
// weights.
type weights struct {
	n     int      // samples for each scaled one; some may have the weight 0
	from  []int    // the first of them
	parts []uint32 // n for each scaled sample
}

// newWeights returns the weights to scale length samples to scaled ones.
func newWeights(length, scaled int) *weights {
	n := min(length, max(3, (length+scaled-1)/scaled+1))
	t := &weights{n: n, from: make([]int, scaled), parts: make([]uint32, n*scaled)}
	for to := range scaled {
		first := to * length / scaled
		t.from[to] = min(first, length-n)
		left := uint32(unit)
		for at := first; at < length && at*scaled < (to+1)*length; at++ {
			part := uint32(unit * overlap(at, to, length, scaled) / length)
			t.of(to)[at-t.from[to]] = part
			left -= part
		}
		t.of(to)[first-t.from[to]] += left // of rounding
	}
	return t
}

// of returns the weights of a scaled sample.
func (t *weights) of(to int) []uint32 { return t.parts[to*t.n:][:t.n] }

// overlap returns how much of sample from, of n, sample to covers, of m in the same
// length: at most m.
func overlap(from, to, n, m int) int { return min((from+1)*m, (to+1)*n) - max(from*m, to*n) }

// row writes src, scaled, to dst, times 256.
func (t *weights) row(dst []uint16, src []uint8) {
	if t.n != 3 {
		for to := range dst {
			sum := uint32(0)
			for i, part := range t.of(to) {
				sum += uint32(src[t.from[to]+i]) * part
			}
			dst[to] = uint16(sum >> 8)
		}
		return
	}
	parts := t.parts
	for to, from := range t.from[:len(dst)] {
		samples, part := src[from:from+3:from+3], parts[3*to:3*to+3:3*to+3]
		dst[to] = uint16((uint32(samples[0])*part[0] + uint32(samples[1])*part[1] + uint32(samples[2])*part[2]) >> 8)
	}
}

// merge writes the mean of rows, which are times 256, to dst.
func merge(dst []uint8, rows [][]uint16, parts []uint32) {
	const half = 1 << 23
	if len(rows) != 3 {
		for x := range dst {
			sum := uint32(half)
			for i, row := range rows {
				sum += uint32(row[x]) * parts[i]
			}
			dst[x] = uint8(sum >> 24)
		}
		return
	}
	a, b, c := rows[0][:len(dst)], rows[1][:len(dst)], rows[2][:len(dst)]
	p, q, r := parts[0], parts[1], parts[2]
	for x := range dst {
		dst[x] = uint8((uint32(a[x])*p + uint32(b[x])*q + uint32(c[x])*r + half) >> 24)
	}
}
