// Package picture takes photographs from strangers: it checks a file before it
// decodes it, turns it upright, makes it small, and hands on nothing but pixels.
package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
)

// Limits of a file that is taken as a photograph.
const (
	maxScans = 64 // of a JPEG; progressive ones have about ten
	maxMore  = 8  // further pictures behind the first, as phones and cameras append them
)

// Limits say how large a photograph may be.
type Limits struct {
	File   int   // bytes of the file
	Memory int64 // bytes the decoded picture may take
}

// Refused says why a file is not taken as a photograph, and what to do about it.
type Refused struct{ Reason, Hint string }

func (r *Refused) Error() string { return r.Reason + " " + r.Hint }

// Refuse makes a refusal.
func Refuse(hint, reason string, args ...any) error {
	return &Refused{Reason: fmt.Sprintf(reason, args...), Hint: hint}
}

// Refusal is the Refused in an error, nil when it is of another kind.
func Refusal(err error) *Refused {
	var r *Refused
	errors.As(err, &r)
	return r
}

// ExportAgain is what most refusals advise.
const (
	ExportAgain = "Export it again as JPEG."
	cutOff      = "It is cut off or broken."
)

// Check reads the structure of a file without decoding it, and refuses
// everything but one whole JPEG or PNG of a bearable size, named as what it is.
// A name without an ending says nothing. Nothing is decoded before this has passed.
func (l Limits) Check(name string, data []byte) error {
	kind, known := map[string]string{".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", "": ""}[strings.ToLower(filepath.Ext(name))]
	if !known {
		return Refuse(ExportAgain, "Only JPEG and PNG are taken.")
	}
	if len(data) > l.File {
		return Refuse(ExportAgain, "It has more than %d MB.", l.File>>20)
	}
	found := sniff(data)
	switch {
	case kind == "" && found != "image/png" && found != "image/jpeg":
		return Refuse(ExportAgain, "Only JPEG and PNG are taken, and it is %s by its content.", found)
	case kind != "" && found != kind:
		return Refuse(ExportAgain, "It is %s by its content and not what its name says.", found)
	}
	var memory int64
	var err error
	if found == "image/png" {
		memory, err = checkPNG(data)
	} else {
		memory, err = checkJPEG(data, maxMore)
	}
	if err == nil && memory > l.Memory {
		err = Refuse("Export it smaller; 2,400 pixels on the long side are plenty.",
			"It has too many pixels: decoded it would take %d MB, more than the %d MB allowed.", memory>>20, l.Memory>>20)
	}
	return err
}

// sniff names the type of a file by its first bytes.
func sniff(data []byte) string {
	kind, _, _ := strings.Cut(http.DetectContentType(data), ";")
	if bytes.Contains(data[:min(len(data), 512)], []byte("<svg")) {
		return "image/svg+xml"
	}
	if len(data) == 0 {
		return "empty"
	}
	return kind
}

// active are the beginnings of what some program would run or unpack. They have
// no place in a picture; a file that is a picture and such a thing at once is a
// trap for whoever hands it on.
var active = [][]byte{
	[]byte("<script"), []byte("<?php"), []byte("<html"), []byte("<!doctype"), []byte("<svg"), []byte("javascript:"), []byte("%pdf-"), []byte("pk\x03\x04"), []byte("pk\x05\x06"),
}

func checkText(segment []byte) error {
	folded := bytes.ToLower(segment)
	for _, sign := range active {
		if bytes.Contains(folded, sign) {
			return Refuse("Export it again without metadata.", "It carries %q, which is no part of a picture.", sign)
		}
	}
	return nil
}

// checkJPEG walks the segments of a JPEG to its end and says how much memory
// decoding takes. more is how many pictures may follow it.
func checkJPEG(data []byte, more int) (memory int64, err error) {
	errBroken := Refuse(ExportAgain, cutOff)
	at, scans := 2, 0
	for {
		for at < len(data) && data[at] == 0xff {
			at++
		}
		if at >= len(data) || at < 3 || data[at-1] != 0xff {
			return 0, errBroken
		}
		marker := data[at]
		at++
		switch {
		case marker == 0xd9:
			if scans == 0 || memory == 0 {
				return 0, errBroken
			}
			return memory, checkRest(data[at:], more)
		case marker == 0x01 || marker >= 0xd0 && marker <= 0xd7:
			continue
		}
		if at+2 > len(data) {
			return 0, errBroken
		}
		length := int(binary.BigEndian.Uint16(data[at:]))
		if length < 2 || at+length > len(data) {
			return 0, errBroken
		}
		segment := data[at+2 : at+length]
		at += length
		switch {
		case marker >= 0xc0 && marker <= 0xc2:
			if memory != 0 {
				return 0, errBroken
			}
			if memory, err = frameMemory(segment, marker == 0xc2); err != nil {
				return 0, err
			}
		case marker >= 0xc3 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
			return 0, Refuse(ExportAgain, "It is a kind of JPEG that browsers do not show.")
		case marker >= 0xe0 && marker <= 0xef || marker == 0xfe:
			if err := checkText(segment); err != nil {
				return 0, err
			}
		case marker == 0xda:
			if scans++; scans > maxScans {
				return 0, Refuse(ExportAgain, "It has more than %d scans, which is made to keep a computer busy.", maxScans)
			}
			at = afterScan(data, at)
		}
	}
}

// afterScan is where the next marker stands behind a scan's data.
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

// checkRest looks at what stands behind the end of a JPEG: nothing, zeros, or
// further pictures such as previews.
func checkRest(rest []byte, more int) error {
	rest = bytes.TrimLeft(rest, "\x00")
	if len(rest) == 0 {
		return nil
	}
	if more == 0 || !bytes.HasPrefix(rest, []byte{0xff, 0xd8, 0xff}) {
		return Refuse(ExportAgain, "%d bytes that are no picture stand behind its end.", len(rest))
	}
	_, err := checkJPEG(rest, more-1)
	return err
}

// frameMemory is how many bytes decoding takes, by the frame header of a JPEG:
// its samples, and for a progressive one the coefficients, which are kept whole.
func frameMemory(frame []byte, progressive bool) (int64, error) {
	if len(frame) < 6 || len(frame) < 6+3*int(frame[5]) || frame[5] == 0 {
		return 0, Refuse(ExportAgain, cutOff)
	}
	height, width := int64(binary.BigEndian.Uint16(frame[1:])), int64(binary.BigEndian.Uint16(frame[3:]))
	if width == 0 || height == 0 {
		return 0, Refuse(ExportAgain, "It has no size.")
	}
	var areas, most int64
	for i := range int(frame[5]) {
		factors := frame[6+3*i+1]
		area := int64(factors>>4) * int64(factors&15)
		areas, most = areas+area, max(most, area)
	}
	if most == 0 {
		return 0, Refuse(ExportAgain, cutOff)
	}
	bytesEach := int64(1)
	if progressive {
		bytesEach += 4
	}
	if frame[5] == 4 {
		bytesEach++ // inks are turned round in a copy
	}
	return max(width*height*areas/most*bytesEach, 1), nil
}

// checkPNG walks the chunks of a PNG to its end and says how much memory
// decoding takes.
func checkPNG(data []byte) (memory int64, err error) {
	errBroken := Refuse(ExportAgain, cutOff)
	at := 8
	for first := true; ; first = false {
		if at+12 > len(data) {
			return 0, errBroken
		}
		length, kind := int64(binary.BigEndian.Uint32(data[at:])), string(data[at+4:at+8])
		if int64(at)+12+length > int64(len(data)) || first != (kind == "IHDR") {
			return 0, errBroken
		}
		chunk := data[at+8 : at+8+int(length)]
		at += 12 + int(length)
		switch kind {
		case "IHDR":
			if length != 13 {
				return 0, errBroken
			}
			memory = pngMemory(chunk)
		case "IEND":
			if rest := len(data) - at; rest > 0 {
				return 0, Refuse(ExportAgain, "%d bytes that are no picture stand behind its end.", rest)
			}
			return memory, nil
		case "acTL":
			return 0, Refuse(ExportAgain, "It moves.")
		case "IDAT", "PLTE":
		default:
			if err := checkText(chunk); err != nil {
				return 0, err
			}
		}
	}
}

func pngMemory(header []byte) int64 {
	width, height := int64(binary.BigEndian.Uint32(header)), int64(binary.BigEndian.Uint32(header[4:]))
	depth, colour, interlaced := header[8], header[9], header[12] != 0
	const grey, palette = 0, 3
	each := int64(4)
	if colour == grey || colour == palette {
		each = 1
	}
	if depth == 16 {
		each *= 2
	}
	if interlaced {
		each *= 2 // the passes are decoded one by one and put together
	}
	if width > 1<<20 || height > 1<<20 {
		return 1 << 50 // more than anything allowed, and no overflow
	}
	return width * height * each
}
