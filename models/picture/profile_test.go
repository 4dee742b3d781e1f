//go:build !race

package picture_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image"
	"image/color"
	"slices"
	"testing"

	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

// profiles are the columns of the matrices, adapted to D50, and the gammas.
var profiles = map[string]struct {
	columns [3][3]float64
	gamma   float64
	srgbRed color.RGBA // the values that mean the red of sRGB
}{
	"Display P3": {[3][3]float64{{0.51512, 0.24120, -0.00105}, {0.29198, 0.69225, 0.04189}, {0.15710, 0.06657, 0.78407}}, 0, color.RGBA{234, 51, 35, 255}},
	"Adobe RGB":  {[3][3]float64{{0.60974, 0.31111, 0.01947}, {0.20528, 0.62567, 0.06087}, {0.14919, 0.06322, 0.74457}}, 563.0 / 256, color.RGBA{219, 0, 0, 255}},
	"sRGB":       {[3][3]float64{{0.43607, 0.22249, 0.01392}, {0.38515, 0.71687, 0.09708}, {0.14307, 0.06061, 0.71410}}, 0, color.RGBA{255, 0, 0, 255}},
}

// iccOf returns an ICC profile of a matrix and the same curve for every channel: that of
// sRGB, or a gamma.
func iccOf(columns [3][3]float64, gamma float64) []byte {
	fixed := func(v float64) []byte { return binary.BigEndian.AppendUint32(nil, uint32(int32(v*65536))) }
	curve := append([]byte("curv\x00\x00\x00\x00\x00\x00\x00\x01"), byte(int(gamma*256)>>8), byte(int(gamma*256)))
	if gamma == 0 {
		curve = []byte("para\x00\x00\x00\x00\x00\x03\x00\x00")
		for _, v := range []float64{2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045} {
			curve = append(curve, fixed(v)...)
		}
	}
	icc := make([]byte, 128, 600)
	copy(icc[16:], "RGB XYZ ")
	icc = binary.BigEndian.AppendUint32(icc, 6)
	at := uint32(132 + 6*12)
	var body []byte
	add := func(name string, tag []byte) {
		icc = append(icc, name...)
		icc = binary.BigEndian.AppendUint32(icc, at+uint32(len(body)))
		icc = binary.BigEndian.AppendUint32(icc, uint32(len(tag)))
		body = append(body, tag...)
	}
	for c, name := range []string{"r", "g", "b"} {
		tag := []byte("XYZ \x00\x00\x00\x00")
		for _, v := range columns[c] {
			tag = append(tag, fixed(v)...)
		}
		add(name+"XYZ", tag)
		add(name+"TRC", curve)
	}
	return append(icc, body...)
}

// TestDecodeConvertsToSRGB decodes the red of sRGB written in other colour spaces.
func TestDecodeConvertsToSRGB(t *testing.T) {
	for name, p := range profiles {
		icc := iccOf(p.columns, p.gamma)
		img := image.NewRGBA(image.Rect(0, 0, 40, 30))
		for i := range img.Pix {
			img.Pix[i] = []uint8{p.srgbRed.R, p.srgbRed.G, p.srgbRed.B, 255}[i%4]
		}
		var packed bytes.Buffer
		w := zlib.NewWriter(&packed)
		if _, err := w.Write(icc); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		png := picturetest.PNG(t, img)
		png = append(bytes.Clone(png[:33]), append(picturetest.Chunk("iCCP", append([]byte("icc\x00\x00"), packed.Bytes()...)), png[33:]...)...)
		decoded, err := picture.Decode(png, 1, 40, 30)
		if err != nil {
			t.Fatal(err)
		}
		if c := color.RGBAModel.Convert(decoded.At(20, 15)).(color.RGBA); c.R < 252 || c.G > 6 || c.B > 6 {
			t.Errorf("%s: a PNG's red is %v", name, c)
		}
	}
}

// inJPEG returns a JPEG with an ICC profile.
func inJPEG(t *testing.T, icc []byte) []byte {
	segment := append([]byte("ICC_PROFILE\x00\x01\x01"), icc...)
	head := binary.BigEndian.AppendUint16([]byte{0xff, 0xe2}, uint16(len(segment)+2))
	return picturetest.With(picturetest.JPEG(t, 40, 30), append(head, segment...))
}

// TestProfileOfJPEG checks that only the colours of JPEGs with another profile than sRGB
// change, and that damage to a profile does no harm.
func TestProfileOfJPEG(t *testing.T) {
	decode := func(data []byte) []byte {
		img, err := picture.Decode(data, 1, 40, 30)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Concat(img.Y, img.Cb, img.Cr)
	}
	plain := decode(picturetest.JPEG(t, 40, 30))
	for name, p := range profiles {
		icc := iccOf(p.columns, p.gamma)
		if same := bytes.Equal(decode(inJPEG(t, icc)), plain); same != (name == "sRGB") {
			t.Errorf("%s: the colours are unchanged: %v", name, same)
		}
		for n := range icc {
			decode(inJPEG(t, icc[:n]))
			damaged := bytes.Clone(icc)
			damaged[n] ^= 0xff
			decode(inJPEG(t, damaged))
		}
	}
}
