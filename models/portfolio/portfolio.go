// Package portfolio reads a photographer's projects and photographs from a folder:
// texts from Markdown files, and the gear used from the EXIF data of the pictures.
//
// A portfolio is a folder:
//
//	portfolio/<project>/index.md   texts of the project and, optionally, of its photographs
//	portfolio/<project>/*.jpg      photographs, JPEG, PNG, WebP, HEIC or AVIF
//	kit.md                         the photographer's gear, see Kit
package portfolio

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // register the decoder
	_ "image/png"  // register the decoder
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/plain"
	"github.com/secondlight/secondlight/models/problem"
)

// Portfolio holds every project. It is immutable and safe for concurrent use.
type Portfolio struct {
	Projects []*Project // that everybody may find, newest first
	All      []*Project // with those that are unlisted, private or not published yet
	Kit      *Kit       // nil when there is no kit.md
	Problems []Problem  // files that were left out
	bySlug   map[string]*Project
	byKey    map[string]*Photo
	next     time.Time // when the next project is published; zero for none
}

// Visibility says who can see a project.
type Visibility string

// Visibilities.
const (
	Public   Visibility = ""         // everybody
	Unlisted Visibility = "unlisted" // those who have its secret address
	Private  Visibility = "private"  // operators
)

// Project is a series of photographs.
type Project struct {
	Folder      string // the name of its folder
	Slug        string // of its address: that of its folder, or a secret if it is unlisted
	Visibility  Visibility
	PublishAt   time.Time // it is private before; zero for at once
	Downloads   bool      // visitors are offered the largest size
	License     string    // of its photographs, "" for all rights reserved
	Title       string
	Description string    // one sentence, plain text
	Date        time.Time // day; zero when not given
	Notice      string    // shown at the top of its pages, such as that it is a demonstration; "" for none
	Label       string    // the notice in two or three words, shown beside single photographs
	Markdown    string    // the text, "" for none; it may show photographs by their file names
	Photos      []*Photo
	Gallery     string   // address of the gallery that it is shown in, "" for the portfolio: see InGallery
	all         []*Photo // with those that only operators see
	hidden      bool     // from everybody but operators
	cover       string   // the file of the cover, "" for the first photograph
}

// Layout says how many photographs share the row of one, with those after it.
type Layout string

// Layouts. Photographs of the zero Layout fill rows of about the same height.
const (
	Full     Layout = "full"
	Pair     Layout = "pair"
	Triptych Layout = "triptych"
)

// Layouts lists the layouts but the zero one.
var Layouts = []Layout{Full, Pair, Triptych}

// Photos returns the number of photographs in a row, 0 for any.
func (l Layout) Photos() int { return slices.Index(Layouts, l) + 1 }

// Cover returns the photograph that stands for the project, nil if it has none.
func (p *Project) Cover() *Photo {
	if photo := p.ByFile(p.cover); photo != nil || len(p.Photos) == 0 {
		return photo
	}
	return p.Photos[0]
}

// All returns the photographs with those that only operators see, in their order.
func (p *Project) All() []*Photo {
	if p.all == nil {
		return p.Photos
	}
	return p.all
}

// show sets the photographs of the project.
func (p *Project) show(all []*Photo) {
	p.all = all
	p.Photos = slices.DeleteFunc(slices.Clone(all), func(photo *Photo) bool { return photo.Hidden })
}

// ByFile returns the photograph with a file name, or nil.
func (p *Project) ByFile(name string) *Photo {
	for _, photo := range p.Photos {
		if path.Base(photo.File) == name {
			return photo
		}
	}
	return nil
}

// Exposure is the EXIF data of a photograph.
type Exposure = picture.Exposure

// Photo is a picture in a project.
type Photo struct {
	Project       *Project
	Slug          string // of the file name
	File          string // path in the portfolio's file system
	Key           string // hash of the file; pictures are at /photos/{key}-{size}.jpg
	Title         string
	Caption       string // plain text, "" for none
	Alt           string
	Credit        string // the photographer, "" for the owner of the site
	Subject       string // what it shows, such as "Landscape"; "" if not given
	Tags          []string
	Focus         Focus
	Hidden        bool   // from everybody but operators
	Layout        Layout // of the row that it begins
	Text          string // before that row, Markdown
	License       string // "" for all rights reserved
	Copyright     string // notice in the file, "" for none
	Location      string // as given in index.md; "" by default
	Rating        int    // stars, 1 to 5; 0 if not rated
	Width, Height int    // of the file, upright, pixels
	Exposure      Exposure
	Camera, Lens  *catalog.Gear // nil when unknown
	Placeholder   string        // data URI of a few pixels; "" until the photograph is prepared
	Own           Texts         // as index.md gives them, without those of the file and of the project
	subject       string        // slug of Subject
	tags          []string      // slugs of Tags
	description   picture.Description
}

// Texts are the texts of a photograph that its owner sets.
type Texts struct{ Title, Caption, Alt, Location, License string }

// Focus is the point of a photograph that stays in the picture when it is cropped, in
// percent from the left and from the top.
type Focus struct{ X, Y int }

// Center is the focus of a photograph without one.
var Center = Focus{50, 50}

// MarshalText implements encoding.TextMarshaler.
func (f Focus) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// String formats a focus as in index.md: "30 70".
func (f Focus) String() string { return fmt.Sprintf("%d %d", f.X, f.Y) }

// UnmarshalText parses the format of String, with or without percent signs.
func (f *Focus) UnmarshalText(b []byte) error {
	var read Focus
	if _, err := fmt.Sscanf(strings.ReplaceAll(string(b), "%", ""), "%d %d", &read.X, &read.Y); err != nil || min(read.X, read.Y) < 0 || max(read.X, read.Y) > 100 {
		return fmt.Errorf("%q is not a point such as \"30 70\", in percent from the left and from the top", b)
	}
	*f = read
	return nil
}

// Sizes returns the lengths of the long side, in pixels, that it is served in,
// ascending.
func (p *Photo) Sizes() []int { return sizesOf(p.Width, p.Height) }

// In returns the dimensions of the photograph in one of its sizes, in pixels.
func (p *Photo) In(size int) (width, height int) { return fit(p.Width, p.Height, size) }

// InFolder returns the project in a folder, or nil.
func (p *Portfolio) InFolder(name string) *Project {
	for _, project := range p.All {
		if project.Folder == name {
			return project
		}
	}
	return nil
}

// Hidden reports whether only operators can see the project.
func (p *Project) Hidden() bool { return p.hidden }

// Project returns the project with a slug that everybody may see, or nil.
func (p *Portfolio) Project(slug string) *Project { return p.bySlug[slug] }

// InGallery returns the project as the gallery at an address shows it to clients, whatever its
// visibility: its pages and pictures have addresses of their own there, which need the password.
func (p *Project) InGallery(address string) *Project {
	shown := *p
	shown.Gallery, shown.Downloads, shown.Photos = address, true, nil
	for _, photo := range p.Photos {
		delivered := *photo
		delivered.Project = &shown
		shown.Photos = append(shown.Photos, &delivered)
	}
	shown.all = shown.Photos
	return &shown
}

// Path returns the path of the page of the project.
func (p *Project) Path() string {
	if p.Gallery != "" {
		return GalleryPath(p.Gallery)
	}
	return "/portfolio/" + p.Slug
}

// GalleryPath returns the path of the gallery at an address.
func GalleryPath(address string) string { return "/galleries/" + address }

// Path returns the path of the page of the photograph.
func (p *Photo) Path() string { return p.Project.Path() + "/" + p.Slug }

// PicturePath returns what the paths of the pictures begin with, before their size.
func (p *Photo) PicturePath() string {
	if p.Project != nil && p.Project.Gallery != "" {
		return "/gallery-photos/" + p.Project.Gallery + "/" + p.Key + "-"
	}
	return "/photos/" + p.Key + "-"
}

// Photo returns the photograph with a slug, or nil.
func (p *Project) Photo(slug string) *Photo {
	for _, photo := range p.Photos {
		if photo.Slug == slug {
			return photo
		}
	}
	return nil
}

// ByKey returns the photograph with a key that everybody may see, or nil.
func (p *Portfolio) ByKey(key string) *Photo { return p.byKey[key] }

// Photos returns every photograph that everybody may find, by project.
func (p *Portfolio) Photos() []*Photo { return photosOf(p.Projects) }

// files returns every photograph that there is, by project.
func (p *Portfolio) files() (all []*Photo) {
	for _, project := range p.All {
		all = append(all, project.All()...)
	}
	return all
}

func photosOf(projects []*Project) []*Photo {
	var all []*Photo
	for _, project := range projects {
		all = append(all, project.Photos...)
	}
	return all
}

// projectText is the front matter of a project.
type projectText struct {
	Title       string      `yaml:"title"`
	Description string      `yaml:"description,omitempty"`
	Date        time.Time   `yaml:"date,omitempty"`
	Visibility  Visibility  `yaml:"visibility,omitempty"`
	Secret      string      `yaml:"secret,omitempty"` // address of an unlisted project
	PublishAt   time.Time   `yaml:"publish,omitempty"`
	Downloads   bool        `yaml:"downloads,omitempty"`
	License     string      `yaml:"license,omitempty"`
	Notice      string      `yaml:"notice,omitempty"`
	Label       string      `yaml:"label,omitempty"`
	Subject     string      `yaml:"subject,omitempty"`
	Tags        []string    `yaml:"tags,omitempty,flow"`
	Cover       string      `yaml:"cover,omitempty"`
	Photos      []photoText `yaml:"photos,omitempty"`
}

// photoText is a photograph in the front matter of a project. What is missing or empty is
// taken from the metadata of the file and of its sidecar. Camera and Lens are gear slugs that
// override the EXIF data. Subject replaces that of the project, Tags are added to those of
// the project.
type photoText struct {
	File     string   `yaml:"file"`
	Title    string   `yaml:"title"`
	Caption  string   `yaml:"caption"`
	Alt      string   `yaml:"alt"`
	Credit   string   `yaml:"credit,omitempty"`
	License  string   `yaml:"license,omitempty"`
	Location string   `yaml:"location,omitempty"`
	Camera   string   `yaml:"camera,omitempty"`
	Lens     string   `yaml:"lens,omitempty"`
	Subject  string   `yaml:"subject,omitempty"`
	Tags     []string `yaml:"tags,omitempty,flow"`
	Focus    *Focus   `yaml:"focus,omitempty"`
	Hidden   bool     `yaml:"hidden,omitempty"`
	Layout   Layout   `yaml:"layout,omitempty"`
	Text     string   `yaml:"text,omitempty"`
}

// portfolio reads the portfolio. It leaves out files with errors and reports them as
// problems. It does not decode pictures, so damage to their content is found only
// when Library.Prepare renders them. Projects to be published after now are hidden.
func (r *reader) portfolio(now time.Time) *Portfolio {
	p := &Portfolio{bySlug: map[string]*Project{}, byKey: map[string]*Photo{}}
	folders, err := fs.ReadDir(r.fsys, "portfolio")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.problem("portfolio", err)
	}
	for _, folder := range folders {
		if !folder.IsDir() || strings.HasPrefix(folder.Name(), ".") {
			continue
		}
		if project := r.project(folder.Name()); project != nil {
			p.All = append(p.All, project)
		}
	}
	slices.SortFunc(p.All, func(a, b *Project) int { return cmp.Or(b.Date.Compare(a.Date), cmp.Compare(a.Folder, b.Folder)) })
	for _, project := range p.All {
		p.publish(project, now)
	}
	p.Kit = r.kit()
	return p
}

// publish adds a project to those that everybody may find or see, or hides it.
func (p *Portfolio) publish(project *Project, now time.Time) {
	if project.PublishAt.After(now) && (p.next.IsZero() || project.PublishAt.Before(p.next)) {
		p.next = project.PublishAt
	}
	if project.hidden = project.Visibility == Private || project.PublishAt.After(now); project.hidden {
		return
	}
	p.bySlug[project.Slug] = project
	for _, photo := range project.Photos {
		p.byKey[photo.Key] = photo
	}
	if project.Visibility == Public {
		p.Projects = append(p.Projects, project)
	}
}

type reader struct {
	fsys     fs.FS
	catalog  *catalog.Catalog
	known    map[string]pictureFile // by path, of an earlier reading; may be nil
	read     map[string]pictureFile // by path, if not nil
	problems []Problem
}

// pictureFile is what a photograph's file says, as long as its size and modification time
// stay the same.
type pictureFile struct {
	size          int64
	modified      time.Time
	key           string
	width, height int
	exposure      Exposure
	description   picture.Description
}

func (r *reader) problem(file string, err error) {
	r.problems = append(r.problems, newProblem(file, err))
}

// project reads a project's folder. It returns nil if the folder has no index.md or
// it cannot be read.
func (r *reader) project(name string) *Project {
	dir := path.Join("portfolio", name)
	index := path.Join(dir, "index.md")
	var head projectText
	body, err := readText(r.fsys, index, &head)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && models.Slug(name) != name:
		err = wrong(problem.Textf("The name of its folder can't be part of an address."), problem.Textf("Rename the folder to %q.", models.Slug(name)))
	case err == nil && head.Title == "":
		err = errNoTitle
	case err == nil && !slices.Contains([]Visibility{Public, Unlisted, Private}, head.Visibility):
		err = wrong(problem.Textf("There's no visibility %q.", head.Visibility), problem.Textf("Write %s, or remove the line to show it to everyone.", problem.Or{string(Unlisted), string(Private)}))
	case err == nil && head.Visibility == Unlisted && (len(head.Secret) < minSecret || models.Slug(head.Secret) != head.Secret):
		err = wrong(problem.Textf("An unlisted project needs a secret of at least %d letters and digits.", minSecret), problem.Textf("Add a line such as %s.", "secret: k2m4q6s8k2m4q6s8"))
	}
	if err != nil {
		r.problem(index, err)
		return nil
	}
	p := &Project{Folder: name, Slug: name, Visibility: head.Visibility, PublishAt: head.PublishAt, Downloads: head.Downloads, License: head.License, Title: head.Title, Description: head.Description, Date: head.Date, Notice: head.Notice, Label: head.Label, Markdown: body, cover: head.Cover}
	if p.Visibility == Unlisted {
		p.Slug = head.Secret
	}
	p.show(r.photos(dir, head.Photos))
	for i, photo := range p.all {
		photo.Project = p
		if photo.Title == "" {
			photo.Title = fmt.Sprintf("%s %d", p.Title, i+1)
		}
		photo.Alt = cmp.Or(photo.Alt, photo.Caption, photo.Title)
		photo.License = cmp.Or(photo.License, p.License)
		photo.Subject = cmp.Or(photo.Subject, head.Subject)
		photo.Tags, photo.tags = uniqueTags(append(slices.Clone(head.Tags), photo.Tags...))
		photo.subject = models.Slug(photo.Subject)
	}
	uniqueSlugs(p.all)
	return p
}

// photos reads the photographs of a folder: first those in texts, in that order, then
// the others by the time they were taken.
func (r *reader) photos(dir string, texts []photoText) []*Photo {
	var photos, others []*Photo
	named := map[string]bool{}
	for _, t := range texts {
		named[t.File] = true
		if photo := r.photo(dir, t); photo != nil {
			photos = append(photos, photo)
		}
	}
	files, err := fs.ReadDir(r.fsys, dir)
	if err != nil {
		r.problem(dir, err)
	}
	for _, f := range files {
		if named[f.Name()] || strings.HasPrefix(f.Name(), ".") || !picture.IsPicture(f.Name()) {
			continue
		}
		if photo := r.photo(dir, photoText{File: f.Name()}); photo != nil {
			others = append(others, photo)
		}
	}
	slices.SortStableFunc(others, func(a, b *Photo) int { return a.Exposure.TakenAt.Compare(b.Exposure.TakenAt) })
	return append(photos, others...)
}

// photo reads one photograph. It returns nil if it cannot be shown.
func (r *reader) photo(dir string, t photoText) *Photo {
	name := path.Join(dir, t.File)
	if path.Dir(name) != dir {
		r.problem(name, wrong(problem.Textf("This file is in another folder."), problem.Textf("Move it to the folder of the project.")))
		return nil
	}
	p := &Photo{File: name, Own: Texts{t.Title, t.Caption, t.Alt, t.Location, t.License}, Alt: t.Alt, Credit: t.Credit, Subject: strings.TrimSpace(t.Subject), Focus: Center, Location: t.Location, Hidden: t.Hidden, Layout: t.Layout, Text: t.Text}
	if t.Focus != nil {
		p.Focus = *t.Focus
	}
	if t.Layout != "" && t.Layout.Photos() == 0 {
		r.problem(name, wrong(problem.Textf("There's no layout %q.", t.Layout), problem.Textf("Write %s.", problem.Or(models.Strs(Layouts)))))
		p.Layout = ""
	}
	if err := r.picture(p); err != nil {
		r.problem(name, err)
		return nil
	}
	base := strings.TrimSuffix(t.File, path.Ext(t.File))
	p.Slug = cmp.Or(models.Slug(base), p.Key)
	d := r.describe(name, p.description)
	p.Title, p.Caption, p.License, p.Copyright = cmp.Or(t.Title, d.Title, titleOf(base)), cmp.Or(t.Caption, d.Caption), t.License, d.Copyright
	p.Tags, p.Rating = append(slices.Clone(t.Tags), d.Keywords...), d.Rating
	if p.Exposure.LensModel == "" {
		p.Exposure.LensModel = d.Lens
	}
	p.Camera = r.gear(name, t.Camera, models.FamilyCamera, p.Exposure.Camera(r.catalog))
	p.Lens = r.gear(name, t.Lens, models.FamilyLens, p.Exposure.Lens(r.catalog))
	return p
}

// maxSidecar limits the length of a sidecar in bytes.
const maxSidecar = 4 << 20

// describe returns the description in the file with a name, and what its sidecar says
// instead: photo.xmp or photo.jpg.xmp.
func (r *reader) describe(name string, inFile picture.Description) picture.Description {
	for _, sidecar := range []string{strings.TrimSuffix(name, path.Ext(name)) + ".xmp", name + ".xmp"} {
		info, err := fs.Stat(r.fsys, sidecar)
		if err != nil || info.Size() > maxSidecar {
			continue
		}
		if xmp, err := fs.ReadFile(r.fsys, sidecar); err == nil {
			d := picture.ReadSidecar(xmp)
			return d.Or(inFile)
		}
	}
	return inFile
}

// titleOf returns the title that the name of a file says, without its extension, or "" if
// it is one that cameras and programs give, such as IMG_0042.
func titleOf(base string) string {
	words := strings.FieldsFunc(base, func(r rune) bool { return r == '_' || r == '-' || r == ' ' })
	if !slices.ContainsFunc(words, func(word string) bool { return len(word) > 2 && !numbered.MatchString(word) }) {
		return ""
	}
	return strings.Join(words, " ")
}

// numbered matches a word of a name that a camera gave: IMG, DSC01234, 20260630, R0001234.
var numbered = regexp.MustCompile(`(?i)^(img|image|dsc[nf]?|_?mg|pict?|pxl|mvi|dji|gopr|imgp|sdim|scan|export|edit|edited|copy|bearbeitet|photo|foto|untitled|unbenannt|hdr|pano|[a-z]{0,5}\d+[a-z]{0,2})$`)

// gear returns the gear with a slug that the text names, or found if it names none.
func (r *reader) gear(name, slug, family string, found *catalog.Gear) *catalog.Gear {
	if slug == "" {
		return found
	}
	if g := r.catalog.Gear(slug); g != nil && g.Category.Family() == family {
		return g
	}
	r.problem(name, unknownGear(r.catalog, slug))
	return found
}

// picture adds what a photograph's file says.
func (r *reader) picture(p *Photo) error {
	info, err := fs.Stat(r.fsys, p.File)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return picture.Refuse("", "This isn't a regular file.")
	}
	file, known := r.known[p.File]
	if !known || file.size != info.Size() || !file.modified.Equal(info.ModTime()) {
		if file, err = r.pictureFile(p.File, info); err != nil {
			return err
		}
	}
	if r.read != nil {
		r.read[p.File] = file
	}
	p.Key, p.Width, p.Height, p.Exposure, p.description = file.key, file.width, file.height, file.exposure, file.description
	return nil
}

// pictureFile reads a photograph's file.
func (r *reader) pictureFile(name string, info fs.FileInfo) (p pictureFile, err error) {
	f, err := r.fsys.Open(name)
	if err != nil {
		return p, err
	}
	defer f.Close()
	in, ok := f.(io.ReadSeeker)
	if !ok {
		return p, picture.Refuse("", "This isn't a regular file.")
	}
	p.size, p.modified = info.Size(), info.ModTime()
	if p.key, err = keyOf(in, p.size); err != nil {
		return p, err
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return p, err
	}
	p.exposure = picture.ReadEXIF(in, name)
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return p, err
	}
	p.description = picture.ReadDescription(in, name)
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return p, err
	}
	config, _, err := image.DecodeConfig(in)
	if err != nil || config.Width <= 0 || config.Height <= 0 {
		return p, picture.Refuse(picture.ExportAgain, "This isn't an image.")
	}
	p.width, p.height = picture.Upright(config.Width, config.Height, p.exposure.Orientation)
	return p, nil
}

// minSecret is the least length of the secret of an unlisted project.
const minSecret = 16

// hashedBytes is how much of either end of a file goes into its key.
const hashedBytes = 64 << 10

// pipeline is part of every key. Change it when pictures are rendered differently:
// browsers cache them for ever.
const pipeline = "2"

// keyOf returns the key of a file, a hash of its length and of both ends. Files are
// not read completely, because the portfolio is read at every start.
func keyOf(r io.ReadSeeker, size int64) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, pipeline, size)
	for _, from := range []int64{0, max(0, size-hashedBytes)} {
		if _, err := r.Seek(from, io.SeekStart); err != nil {
			return "", err
		}
		if _, err := io.CopyN(h, r, min(hashedBytes, size)); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// uniqueTags returns tags and their slugs without those that cannot be in a URL, and
// without those with the same slug as an earlier one.
func uniqueTags(tags []string) (unique, slugs []string) {
	for _, tag := range tags {
		if tag, slug := strings.TrimSpace(tag), models.Slug(tag); slug != "" && !slices.Contains(slugs, slug) {
			unique, slugs = append(unique, tag), append(slugs, slug)
		}
	}
	return unique, slugs
}

// uniqueSlugs appends a number to slugs that are already in use.
func uniqueSlugs(photos []*Photo) {
	taken := map[string]bool{}
	for _, p := range photos {
		slug := p.Slug
		for n := 2; taken[p.Slug]; n++ {
			p.Slug = slug + "-" + strconv.Itoa(n)
		}
		taken[p.Slug] = true
	}
}

// readText reads a Markdown file: the YAML front matter into head, and the text after it.
func readText(fsys fs.FS, name string, head any) (body string, err error) {
	b, err := fs.ReadFile(fsys, name)
	if err != nil {
		return "", err
	}
	matter, ok := strings.CutPrefix(plain.File(b), "---\n")
	matter, body, closed := strings.Cut("\n"+matter, "\n---")
	if !ok || !closed {
		return "", errNoFrontMatter
	}
	dec := yaml.NewDecoder(strings.NewReader(matter))
	dec.KnownFields(true) // so that a misspelt key does not silently drop a caption
	if err := dec.Decode(head); err != nil && !errors.Is(err, io.EOF) {
		return "", frontMatterError(err)
	}
	_, body, _ = strings.Cut(body, "\n")
	if body = strings.TrimSpace(body); body != "" {
		body += "\n"
	}
	return body, nil
}
