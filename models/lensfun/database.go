package lensfun

import (
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// readDatabase returns the content of all files.
func readDatabase(fsys fs.FS) (*database, error) {
	files, err := fs.Glob(fsys, "*.xml")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("lensfun: no *.xml files")
	}
	db := new(database)
	for _, name := range files {
		part, err := readFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("lensfun: %s: %w", name, err)
		}
		db.Mounts = append(db.Mounts, part.Mounts...)
		db.Cameras = append(db.Cameras, part.Cameras...)
		db.Lenses = append(db.Lenses, part.Lenses...)
	}
	return db, nil
}

type database struct {
	Mounts  []mount  `xml:"mount"`
	Cameras []camera `xml:"camera"`
	Lenses  []lens   `xml:"lens"`
}

type mount struct {
	Name   words    `xml:"name"`
	Compat []string `xml:"compat"` // mounts of lenses that can be put on it
}

type camera struct {
	Maker   words   `xml:"maker"`
	Model   words   `xml:"model"`
	Variant words   `xml:"variant"`
	Mount   string  `xml:"mount"`
	Crop    float64 `xml:"cropfactor"`
}

type lens struct {
	Maker    words    `xml:"maker"`
	Model    words    `xml:"model"`
	Mounts   []string `xml:"mount"`
	Crop     float64  `xml:"cropfactor"`
	Type     string   `xml:"type"`
	Focal    span     `xml:"focal"`
	Aperture span     `xml:"aperture"`
}

type span struct {
	Value float64 `xml:"value,attr"`
	Min   float64 `xml:"min,attr"`
	Max   float64 `xml:"max,attr"`
}

// words is a text in several languages.
type words []struct {
	Lang string `xml:"lang,attr"`
	Text string `xml:",chardata"`
}

// written returns the text as cameras write it to files.
func (w words) written() string { return w.in("") }

// display returns the English text, or the text without a language. If there are
// several, it returns the last.
func (w words) display() string {
	if en := w.in("en"); en != "" {
		return en
	}
	return w.in("")
}

func (w words) in(lang string) string {
	text := ""
	for _, word := range w {
		if word.Lang == lang {
			text = word.Text
		}
	}
	return strings.Join(strings.Fields(text), " ")
}

func readFile(fsys fs.FS, name string) (*database, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return decode(f)
}

func decode(r io.Reader) (*database, error) {
	var db struct {
		XMLName xml.Name `xml:"lensdatabase"`
		database
	}
	if err := xml.NewDecoder(r).Decode(&db); err != nil {
		return nil, err
	}
	return &db.database, nil
}
