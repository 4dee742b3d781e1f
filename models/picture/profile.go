package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image"
	"io"
	"math"
)

// maxProfile limits the length in bytes of a colour profile that is read. Those of
// cameras and editors have a few hundred bytes to a few kilobytes.
const maxProfile = 1 << 20

// profile converts the colours of an RGB profile made of a matrix and curves, such as
// Adobe RGB, Display P3 or ProPhoto RGB, to sRGB.
type profile struct {
	linear [3][256]int32 // of each channel, 0 to srgbSteps
	matrix [3][3]int32   // from linear RGB of the profile to linear sRGB, times matrixUnit
}

// profileOf returns the profile of a file. It returns nil if the file has none,
// if its profile is sRGB, or if it is not made of a matrix and curves.
func profileOf(data []byte) *profile {
	var icc []byte
	switch sniff(data) {
	case "image/png":
		icc = pngProfile(data)
	case "image/webp":
		icc = webpProfile(data)
	case "image/heic", "image/avif":
		if h, err := readHEIF(bytes.NewReader(data)); err == nil {
			icc = h.profile()
		}
	default:
		icc = jpegProfile(data)
	}
	p := parseProfile(icc)
	if p == nil || p.isSRGB() {
		return nil
	}
	return p
}

// jpegProfile returns the ICC profile of a JPEG, which may be in several segments.
func jpegProfile(data []byte) (icc []byte) {
	const mark = "ICC_PROFILE\x00" // and the number of the segment, and of how many
	for at := 2; at+4 <= len(data) && data[at] == 0xff && data[at+1] != 0xda; {
		length := int(binary.BigEndian.Uint16(data[at+2:]))
		if length < 2 || at+2+length > len(data) {
			break
		}
		segment := data[at+4 : at+2+length]
		if data[at+1] == 0xe2 && len(segment) > len(mark)+2 && string(segment[:len(mark)]) == mark && len(icc) < maxProfile {
			icc = append(icc, segment[len(mark)+2:]...)
		}
		at += 2 + length
	}
	return icc
}

// pngProfile returns the ICC profile of a PNG.
func pngProfile(data []byte) []byte {
	for at := 8; at+12 <= len(data); {
		length, kind := int(binary.BigEndian.Uint32(data[at:])), string(data[at+4:at+8])
		if kind == "IDAT" || length < 0 || at+12+length > len(data) {
			return nil
		}
		if chunk := data[at+8 : at+8+length]; kind == "iCCP" {
			_, packed, _ := bytes.Cut(chunk, []byte{0})
			if len(packed) < 2 {
				return nil
			}
			r, err := zlib.NewReader(bytes.NewReader(packed[1:]))
			if err != nil {
				return nil
			}
			icc, _ := io.ReadAll(io.LimitReader(r, maxProfile)) // damage shows when it is parsed
			return icc
		}
		at += 12 + length
	}
	return nil
}

// parseProfile parses an ICC profile, or returns nil if it is not made of a matrix and
// curves.
func parseProfile(icc []byte) *profile {
	if len(icc) < 132 || string(icc[16:20]) != "RGB " || string(icc[20:24]) != "XYZ " {
		return nil
	}
	tags := map[string][]byte{}
	for i := range min(100, int(binary.BigEndian.Uint32(icc[128:]))) {
		entry := 132 + 12*i
		if entry+12 > len(icc) {
			return nil
		}
		from, length := uint64(binary.BigEndian.Uint32(icc[entry+4:])), uint64(binary.BigEndian.Uint32(icc[entry+8:]))
		if from+length <= uint64(len(icc)) {
			tags[string(icc[entry:entry+4])] = icc[from : from+length]
		}
	}
	p := &profile{}
	var xyz [3][3]float64
	for c, name := range []string{"r", "g", "b"} {
		column, curve := tags[name+"XYZ"], parseCurve(tags[name+"TRC"])
		if len(column) < 20 || curve == nil {
			return nil
		}
		for row := range 3 {
			xyz[row][c] = fixed(column[8+4*row:])
		}
		for v := range 256 {
			if light := curve(float64(v) / 255); light > 0 { // and not NaN
				p.linear[c][v] = int32(min(1, light)*srgbSteps + 0.5)
			}
		}
	}
	for row := range 3 {
		for c := range 3 {
			var sum float64
			for k := range 3 {
				sum += fromXYZ[row][k] * xyz[k][c]
			}
			p.matrix[row][c] = int32(math.Round(max(-maxMatrix, min(maxMatrix, sum)) * matrixUnit))
		}
	}
	return p
}

// matrixUnit is the 1 of a matrix. Its values are limited to maxMatrix, far above those of
// real profiles, so that sums of products fit in 32 bits.
const (
	matrixUnit = 1 << 12
	maxMatrix  = 8
)

// fromXYZ converts XYZ with the white point D50, which profiles use, to linear sRGB.
var fromXYZ = [3][3]float64{
	{3.1338561, -1.6168667, -0.4906146},
	{-0.9787684, 1.9161415, 0.0334540},
	{0.0719453, -0.2289914, 1.4052427},
}

// fixed reads a number of the type s15Fixed16.
func fixed(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) / 65536 }

// parseCurve returns the function of a curve from 0 to 1, or nil if it is not valid.
func parseCurve(tag []byte) func(float64) float64 {
	if len(tag) < 12 {
		return nil
	}
	switch string(tag[:4]) {
	case "curv":
		n := int(binary.BigEndian.Uint32(tag[8:]))
		if n < 0 || n > (len(tag)-12)/2 {
			return nil
		}
		return tableCurve(tag[12 : 12+2*n])
	case "para":
		return parametricCurve(int(binary.BigEndian.Uint16(tag[8:])), tag[12:])
	}
	return nil
}

// tableCurve returns the curve of a table of 16-bit values: none is a straight line,
// one is a gamma.
func tableCurve(table []byte) func(float64) float64 {
	at := func(i int) float64 { return float64(binary.BigEndian.Uint16(table[2*i:])) }
	switch n := len(table) / 2; n {
	case 0:
		return func(v float64) float64 { return v }
	case 1:
		return func(v float64) float64 { return math.Pow(v, at(0)/256) }
	default:
		return func(v float64) float64 {
			x := v * float64(n-1)
			i := min(int(x), n-2)
			return (at(i) + (at(i+1)-at(i))*(x-float64(i))) / 65535
		}
	}
}

// parametricCurve returns a curve given by its type and parameters: g, a, b, c, d, e, f.
func parametricCurve(kind int, params []byte) func(float64) float64 {
	counts := []int{1, 3, 4, 5, 7}
	if kind >= len(counts) || len(params) < 4*counts[kind] {
		return nil
	}
	var p [7]float64
	for i := range counts[kind] {
		p[i] = fixed(params[4*i:])
	}
	g, a, b, c, d, e, f := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	switch kind {
	case 0:
		a = 1
	case 1, 2:
		if a == 0 {
			return nil
		}
		c, d, e, f = 0, -b/a, c, c
	}
	return func(v float64) float64 {
		if v < d {
			return c*v + f
		}
		return math.Pow(max(0, a*v+b), g) + e
	}
}

// isSRGB reports whether the conversion changes colours by at most 2 of 255.
func (p *profile) isSRGB() bool {
	const steps = 5
	img := image.NewRGBA(image.Rect(0, 0, steps*steps*steps, 1))
	for i := range steps * steps * steps {
		for c, step := range []int{i % steps, i / steps % steps, i / steps / steps} {
			img.Pix[4*i+c] = uint8(step * 255 / (steps - 1))
		}
		img.Pix[4*i+3] = 255
	}
	before := bytes.Clone(img.Pix)
	p.convert(img)
	for i, v := range img.Pix {
		if d := int(v) - int(before[i]); d < -2 || d > 2 {
			return false
		}
	}
	return true
}

// srgbSteps is the number of steps of linear light for which the sRGB value is known.
const srgbSteps = 1 << 14

// srgb holds the sRGB value of linear light from 0 to 1.
var srgb = func() (table [srgbSteps + 1]uint8) {
	for i := range table {
		v := float64(i) / srgbSteps
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		table[i] = uint8(v*255 + 0.5)
	}
	return table
}()

// convert converts an opaque picture to sRGB. Colours that sRGB lacks are clipped.
func (p *profile) convert(img *image.RGBA) {
	m := &p.matrix
	for at := 0; at+3 < len(img.Pix); at += 4 {
		pixel := img.Pix[at : at+3 : at+3]
		r, g, b := p.linear[0][pixel[0]], p.linear[1][pixel[1]], p.linear[2][pixel[2]]
		pixel[0] = fromLinear(m[0][0]*r + m[0][1]*g + m[0][2]*b)
		pixel[1] = fromLinear(m[1][0]*r + m[1][1]*g + m[1][2]*b)
		pixel[2] = fromLinear(m[2][0]*r + m[2][1]*g + m[2][2]*b)
	}
}

// fromLinear returns the sRGB value of linear light, given times srgbSteps*matrixUnit.
func fromLinear(light int32) uint8 {
	return srgb[min(srgbSteps, max(0, (light+matrixUnit/2)/matrixUnit))]
}
