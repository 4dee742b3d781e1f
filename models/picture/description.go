package picture

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/bep/imagemeta"
	"golang.org/x/text/encoding/charmap"
)

// Description is what the author of a photograph wrote into its file, with a program such
// as Lightroom: plain text on one line, "" if missing. The place is not read.
type Description struct {
	Title, Caption string
	Creator        string
	Copyright      string
	Keywords       []string
	Rating         int    // stars, 1 to 5; 0 if not rated
	Lens           string // as named in a sidecar; in files it is part of Exposure
}

// maxDescription limits the length in characters of a caption; other texts have at most
// 300.
const maxDescription = 2000

// descriptionTags maps tags of XMP, IPTC and EXIF, by imagemeta's names, to fields.
var descriptionTags = map[imagemeta.Source]map[string]string{
	imagemeta.XMP:  {"Title": "title", "Description": "caption", "Creator": "creator", "Rights": "copyright", "Subject": "keywords", "Rating": "rating", "Lens": "lens"},
	imagemeta.IPTC: {"ObjectName": "title", "Caption-Abstract": "caption", "By-line": "creator", "CopyrightNotice": "copyright", "Keywords": "keywords"},
	imagemeta.EXIF: {"ImageDescription": "caption", "Artist": "creator", "Copyright": "copyright"},
}

// ReadDescription reads the XMP, IPTC and EXIF data of a picture, in the format of its name's
// extension. If they differ, XMP wins, then IPTC. It returns what could be read before any
// error.
func ReadDescription(r io.ReadSeeker, name string) Description {
	format, sources := metadataFormat(name), imagemeta.XMP|imagemeta.IPTC|imagemeta.EXIF
	switch format {
	case imagemeta.PNG:
		sources = imagemeta.IPTC | imagemeta.EXIF
	case imagemeta.WebP, imagemeta.HEIF, imagemeta.AVIF:
		sources = imagemeta.XMP | imagemeta.EXIF
	}
	return readDescription(r, format, sources)
}

// ReadSidecar reads an .xmp file, as programs write beside photographs.
func ReadSidecar(xmp []byte) Description {
	// imagemeta reads XMP only in pictures: this is a WebP with nothing else.
	var file []byte
	chunk := func(name string, body []byte) {
		file = binary.LittleEndian.AppendUint32(append(file, name...), uint32(len(body)))
		file = append(append(file, body...), make([]byte, len(body)%2)...)
	}
	chunk("VP8X", []byte{4, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	chunk("XMP ", xmp)
	head := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(file)+4))
	return readDescription(bytes.NewReader(append(append(head, "WEBP"...), file...)), imagemeta.WebP, imagemeta.XMP)
}

func readDescription(r io.ReadSeeker, format imagemeta.ImageFormat, sources imagemeta.Source) Description {
	read := map[imagemeta.Source]*Description{imagemeta.XMP: {}, imagemeta.IPTC: {}, imagemeta.EXIF: {}}
	damaged := map[string]string{} // texts of EXIF that are not UTF-8
	// An error means that the metadata is damaged; the picture may be fine.
	_, _ = imagemeta.Decode(imagemeta.Options{
		R: r, ImageFormat: format, Sources: sources, LimitNumTags: 5000, LimitTagSize: 10_000, Timeout: 5 * time.Second,
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool {
			// imagemeta needs the character set for the texts of IPTC.
			return tag.Tag == "CodedCharacterSet" || descriptionTags[tag.Source][tag.Tag] != "" && (tag.Source != imagemeta.EXIF || tag.Namespace == "IFD0")
		},
		HandleTag: func(tag imagemeta.TagInfo) error {
			switch v := tag.Value.(type) {
			case string:
				if tag.Source == imagemeta.IPTC {
					tag.Value = undeclaredUTF8(v)
				}
				if tag.Source == imagemeta.EXIF && strings.ContainsRune(v, utf8.RuneError) {
					damaged[tag.Tag] = v
				}
			case []string:
				for i := range v {
					if tag.Source == imagemeta.IPTC {
						v[i] = undeclaredUTF8(v[i])
					}
				}
			}
			read[tag.Source].set(descriptionTags[tag.Source][tag.Tag], tag.Value)
			return nil
		},
	})
	for tag, text := range damaged {
		read[imagemeta.EXIF].set(descriptionTags[imagemeta.EXIF][tag], undeclaredLatin1(r, text))
	}
	return read[imagemeta.XMP].Or(read[imagemeta.IPTC].Or(*read[imagemeta.EXIF]))
}

// undeclaredUTF8 returns a text of IPTC that was read as ISO 8859-1, because its file doesn't
// declare another character set, as UTF-8 if its bytes are that: many programs write it so.
func undeclaredUTF8(text string) string {
	raw, err := charmap.ISO8859_1.NewEncoder().String(text)
	if err != nil || !utf8.ValidString(raw) {
		return text
	}
	return raw
}

// maxHead is how much of a file is searched for a text, in bytes: EXIF is one segment of 64 KB,
// after others.
const maxHead = 256 << 10

// undeclaredLatin1 returns a text of EXIF as it stands in a file, read as ISO 8859-1: many
// programs write it so, and imagemeta replaces bytes that are not UTF-8. A regular expression
// matches such a byte by the same replacement.
func undeclaredLatin1(r io.ReadSeeker, text string) string {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return text
	}
	head, err := io.ReadAll(io.LimitReader(r, maxHead))
	if err != nil {
		return text
	}
	decoded, err := charmap.ISO8859_1.NewDecoder().Bytes(regexp.MustCompile(regexp.QuoteMeta(text)).Find(head))
	if err != nil || len(decoded) == 0 {
		return text
	}
	return string(decoded)
}

// Or returns d with what it lacks taken from other.
func (d *Description) Or(other Description) Description {
	or := Description{Title: cmp.Or(d.Title, other.Title), Caption: cmp.Or(d.Caption, other.Caption), Creator: cmp.Or(d.Creator, other.Creator),
		Copyright: cmp.Or(d.Copyright, other.Copyright), Keywords: d.Keywords, Rating: cmp.Or(d.Rating, other.Rating), Lens: cmp.Or(d.Lens, other.Lens)}
	if len(or.Keywords) == 0 {
		or.Keywords = other.Keywords
	}
	return or
}

func (d *Description) set(field string, value any) {
	switch field {
	case "title":
		d.Title = firstText(value, 300)
	case "caption":
		// Cameras fill ImageDescription with spaces or their own name.
		if d.Caption = firstText(value, maxDescription); isCameraText(d.Caption) {
			d.Caption = ""
		}
	case "creator":
		d.Creator = firstText(value, 300)
	case "copyright":
		d.Copyright = firstText(value, 300)
	case "keywords":
		for _, keyword := range texts(value, 100) {
			if len(d.Keywords) < 50 {
				d.Keywords = append(d.Keywords, keyword)
			}
		}
	case "rating":
		if n, err := strconv.Atoi(firstText(fmt.Sprint(value), 5)); err == nil && n >= 1 && n <= 5 {
			d.Rating = n
		}
	case "lens":
		d.Lens = firstText(value, 100)
	}
}

// isCameraText reports whether a caption was written by a camera.
func isCameraText(caption string) bool {
	folded := strings.ToUpper(caption)
	for _, written := range []string{"OLYMPUS DIGITAL CAMERA", "DCIM", "SONY DSC", "DIGITAL CAMERA", "KONICA MINOLTA DIGITAL CAMERA", "MINOLTA DIGITAL CAMERA", "SAMSUNG CSC", "SCREENSHOT"} {
		if strings.HasPrefix(folded, written) {
			return true
		}
	}
	return false
}

// texts returns the strings of a value without empty ones, each on one line of at most
// max characters.
func texts(value any, max int) (all []string) {
	var values []string
	switch v := value.(type) {
	case string:
		values = []string{v}
	case []string:
		values = v
	case []any:
		for _, item := range v {
			if s, ok := item.(string); ok {
				values = append(values, s)
			}
		}
	}
	for _, s := range values {
		s = strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return ' '
			}
			if !unicode.IsPrint(r) {
				return -1
			}
			return r
		}, strings.ToValidUTF8(s, ""))
		s = strings.Join(strings.Fields(s), " ")
		if runes := []rune(s); len(runes) > max {
			s = string(runes[:max-1]) + "…"
		}
		if s != "" {
			all = append(all, s)
		}
	}
	return all
}

// firstText returns the first of texts, or "".
func firstText(value any, max int) string {
	if all := texts(value, max); len(all) > 0 {
		return all[0]
	}
	return ""
}
