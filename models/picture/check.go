// Package picture processes uploaded photographs: it validates a file before
// decoding it, rotates it upright, scales it, and re-encodes it without metadata.
package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models/problem"
)

// maxScans limits the scans of a JPEG. Progressive ones have about ten.
const maxScans = 64

// Limits bounds the size of an accepted photograph.
type Limits struct {
	File   int           // bytes of the file
	Pixels int64         // 0 for no limit
	Memory int64         // bytes of memory to decode it
	Time   time.Duration // estimated processor time to render it; 0 for no limit. See photoTime
}

// Refused reports why a file is not accepted as a photograph. Reason and Hint are
// sentences for the person who sent it.
type Refused struct{ Reason, Hint problem.Text }

// Error implements error.
func (r *Refused) Error() string { return r.Reason.And(r.Hint).String() }

// Refuse returns a *Refused with a formatted reason.
func Refuse(hint, reason problem.Format, args ...any) error {
	return &Refused{Reason: problem.Textf(reason, args...), Hint: problem.Textf(hint)}
}

// Refusal returns the *Refused in err's chain, or nil.
func Refusal(err error) *Refused {
	var r *Refused
	errors.As(err, &r)
	return r
}

// ExportAgain is the hint of most refusals.
const (
	ExportAgain = "Export it again as JPEG."
	damaged     = "The file is incomplete or damaged."
	animated    = "The photo is animated."
	onlyTypes   = "Only JPEG, PNG, WebP, HEIC and AVIF files are accepted."
)

// formats lists the accepted media types by the extensions of their files, in lower case.
var formats = map[string]string{".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".webp": "image/webp", ".heic": "image/heic", ".heif": "image/heic", ".hif": "image/heic", ".avif": "image/avif"}

// IsPicture reports whether the extension of a file's name is that of an accepted format.
func IsPicture(name string) bool { return formats[extension(name)] != "" }

func extension(name string) string { return strings.ToLower(filepath.Ext(name)) }

// Check validates a file without decoding it. It returns a *Refused unless the file
// is a complete JPEG, PNG, WebP, HEIC or AVIF within the limits whose content matches the extension
// of name. A name without an extension matches all. Data after the picture, such as the
// video of a motion photo, is ignored. Call it before Decode.
func (l Limits) Check(name string, data []byte) error {
	_, err := l.check(name, data)
	return err
}

// Cost is Check. It also returns the bytes of memory that decoding the file takes.
func (l Limits) Cost(name string, data []byte) (int64, error) {
	c, err := l.check(name, data)
	return c.memory, err
}

// RefuseType returns a *Refused with the remedy for a file that has another format,
// by the extension of its name.
func RefuseType(name string) error {
	switch extension(name) {
	case ".3fr", ".arw", ".cr2", ".cr3", ".crw", ".dng", ".erf", ".fff", ".iiq", ".nef", ".nrw", ".orf", ".pef", ".raf", ".raw", ".rw2", ".rwl", ".srw", ".x3f":
		return Refuse("Export it as JPEG and add that file.", "This is a RAW file.")
	case ".tif", ".tiff", ".psd":
		return Refuse("Export it as JPEG and add that file.", onlyTypes)
	case ".avi", ".mov", ".mp4", ".mts":
		return Refuse("Leave it out.", "This is a video.")
	}
	return Refuse(ExportAgain, onlyTypes)
}

// check is Check. It also returns what decoding costs.
func (l Limits) check(name string, data []byte) (cost, error) {
	kind := formats[extension(name)]
	if kind == "" && extension(name) != "" {
		return cost{}, RefuseType(name)
	}
	if len(data) > l.File {
		return cost{}, Refuse(ExportAgain, "The file is larger than %d MB.", l.File>>20)
	}
	found := sniff(data)
	switch {
	case kind == "" && checks[found] == nil:
		return cost{}, Refuse(ExportAgain, "Only JPEG, PNG, WebP, HEIC and AVIF files are accepted; the content is %s.", found)
	case kind != "" && found != kind:
		return cost{}, Refuse(ExportAgain, "The content is %s and doesn't match the file extension.", found)
	}
	c, err := checks[found](data)
	if err != nil {
		return cost{}, err
	}
	return c, l.checkCost(c)
}

// checks walk through a file to the end of its picture and return what decoding costs, by
// media type.
var checks = map[string]func(data []byte) (cost, error){"image/jpeg": checkJPEG, "image/png": checkPNG, "image/webp": checkWebP, "image/heic": checkHEIF, "image/avif": checkHEIF}

// smaller is the hint of refusals of pictures that are too large.
const smaller = "Export a smaller version. 2,400 pixels on the long side is plenty."

// photoTime is how many times Limits.Time photographs of cameras and phones may take, in the
// formats that they write: baseline JPEGs, of which Decode decodes a fraction, and lossy WebP.
// HEIC and AVIF are decoded one at a time and by a process of their own, which may take more.
const (
	photoTime    = 2.5
	workerTime   = 15
	workerMemory = 2
)

// checkCost returns a *Refused if decoding a picture costs more than allowed.
func (l Limits) checkCost(c cost) error {
	if c.photo {
		l.Time = time.Duration(float64(l.Time) * photoTime)
	}
	if c.worker {
		l.Time, l.Memory = l.Time*workerTime, l.Memory*workerMemory
	}
	switch {
	case l.Pixels > 0 && c.pixels > l.Pixels:
		return Refuse(smaller, "The photo is %d megapixels. The limit is %d.", c.pixels/1e6, l.Pixels/1e6)
	case c.memory > l.Memory:
		return Refuse(smaller, "The photo is too large to process: it needs %d MB, and the limit is %d MB.", c.memory>>20, l.Memory>>20)
	case l.Time > 0 && c.time > l.Time:
		return Refuse(smaller, "The photo takes too long to process. It may be very large, very detailed or unusually compressed.")
	}
	return nil
}

// sniff returns the media type of data, or "empty".
func sniff(data []byte) string {
	if kind := heifType(data); kind != "" {
		return kind
	}
	kind, _, _ := strings.Cut(http.DetectContentType(data), ";")
	if bytes.Contains(data[:min(len(data), 512)], []byte("<svg")) {
		return "image/svg+xml"
	}
	if len(data) == 0 {
		return "empty"
	}
	return kind
}

// active lists signatures of content that a program could execute or unpack,
// folded to lower case. Files that are pictures and such content at once are refused.
var active = [][]byte{
	[]byte("<script"), []byte("<?php"), []byte("<html"), []byte("<!doctype"), []byte("<svg"), []byte("javascript:"), []byte("%pdf-"), []byte("pk\x03\x04"), []byte("pk\x05\x06"),
}

func checkText(segment []byte) error {
	folded := bytes.ToLower(segment)
	for _, sign := range active {
		if bytes.Contains(folded, sign) {
			return Refuse("Export it again without metadata.", "The file contains %q, which doesn't belong in a photo.", sign)
		}
	}
	return nil
}

// checkJPEG walks the segments of a JPEG.
func checkJPEG(data []byte) (cost, error) {
	errDamaged := Refuse(ExportAgain, damaged)
	var f *frame
	var err error
	at, scans := 2, 0
	for {
		for at < len(data) && data[at] == 0xff {
			at++
		}
		if at >= len(data) || at < 3 || data[at-1] != 0xff {
			return cost{}, errDamaged
		}
		marker := data[at]
		at++
		switch {
		case marker == 0xd9:
			if scans == 0 || f == nil {
				return cost{}, errDamaged
			}
			return f.cost(at), checkRest(data[at:])
		case marker == 0x01 || marker >= 0xd0 && marker <= 0xd7:
			continue
		}
		if at+2 > len(data) {
			return cost{}, errDamaged
		}
		length := int(binary.BigEndian.Uint16(data[at:]))
		if length < 2 || at+length > len(data) {
			return cost{}, errDamaged
		}
		segment := data[at+2 : at+length]
		at += length
		switch {
		case marker >= 0xc0 && marker <= 0xc2:
			if f != nil {
				return cost{}, errDamaged
			}
			if f, err = parseFrame(segment, marker == 0xc2); err != nil {
				return cost{}, err
			}
		case marker >= 0xc3 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
			return cost{}, Refuse(ExportAgain, "Browsers can't display this type of JPEG.")
		case marker >= 0xe0 && marker <= 0xef || marker == 0xfe:
			if err := checkText(segment); err != nil {
				return cost{}, err
			}
		case marker == 0xda:
			if scans++; scans > maxScans {
				return cost{}, Refuse(ExportAgain, "The JPEG has more than %d scans.", maxScans)
			}
			if f == nil || !f.addScan(segment) {
				return cost{}, errDamaged
			}
			at = afterScan(data, at)
		}
	}
}

// afterScan returns the offset of the marker that follows a scan's data.
func afterScan(data []byte, at int) int {
	for at < len(data) {
		i := bytes.IndexByte(data[at:], 0xff)
		if i < 0 || at+i+1 >= len(data) {
			return len(data)
		}
		at += i
		switch next := data[at+1]; {
		case next == 0xff:
			at++
		case next == 0 || next >= 0xd0 && next <= 0xd7:
			at += 2
		default:
			return at
		}
	}
	return at
}

// checkRest checks the data after the end of a picture, which is not decoded. Phones and
// cameras append previews, videos and depth maps.
func checkRest(rest []byte) error { return checkText(rest[:min(len(rest), 512)]) }

// checkPNG walks the chunks of a PNG.
func checkPNG(data []byte) (c cost, err error) {
	errDamaged := Refuse(ExportAgain, damaged)
	at := 8
	for first := true; ; first = false {
		if at+12 > len(data) {
			return cost{}, errDamaged
		}
		length, kind := int64(binary.BigEndian.Uint32(data[at:])), string(data[at+4:at+8])
		if int64(at)+12+length > int64(len(data)) || first != (kind == "IHDR") {
			return cost{}, errDamaged
		}
		chunk := data[at+8 : at+8+int(length)]
		at += 12 + int(length)
		switch kind {
		case "IHDR":
			if length != 13 {
				return cost{}, errDamaged
			}
			c = pngCost(chunk, len(data))
		case "IEND":
			return c, checkRest(data[at:])
		case "acTL":
			return cost{}, Refuse(ExportAgain, animated)
		case "IDAT", "PLTE":
		default:
			if err := checkText(chunk); err != nil {
				return cost{}, err
			}
		}
	}
}
