package portfolio

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/codes"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/photo"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/portfolio"
	"github.com/secondlight/secondlight/views/ui"
)

// galleryOps holds the operations of clients on a project that is delivered to them. None is in
// the API or its documents. A gallery has a secret address, which reveals nothing without the
// password: a browser that entered it has a cookie, and its pages, pictures and archive are sent
// to such browsers alone, with Cache-Control: no-store, so that no cache and no service worker
// has them.
type galleryOps struct{ PortfolioOps }

// galleryOp completes an operation of clients.
func galleryOp[In any, Out web.Page](op web.Op[In, Out]) web.Operation {
	op.Tag, op.Unlisted, op.Live = "Portfolio", true, true
	op.Errors = append(op.Errors, "project_not_found", "gallery_ended")
	return op.Operation()
}

type galleryInput struct {
	Gallery string `json:"gallery" in:"path" jsonschema:"secret address of the gallery" example:"k2m4q6s8k2m4q6s8k2m4q6s8k2"`
	Limit   int    `json:"limit,omitempty" jsonschema:"photos per page, 1 to 100" min:"1" max:"100" default:"48" example:"48"`
	Cursor  string `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page, unchanged"`
}

// galleryPhotos is the number of photographs on a page of a gallery.
const galleryPhotos = 48

func (s galleryOps) showGallery() web.Operation {
	return galleryOp(web.Op[galleryInput, *views.Gallery]{
		Name: "show_gallery", Page: "/galleries/{gallery}",
		Title: "Client gallery", Summary: "A project that is delivered to clients.", Description: "Returns the project to browsers that have entered the password, and otherwise the form for it.",
		Errors: []string{"invalid_cursor"}, Sample: s.sampleGallery,
		Do: func(ctx context.Context, in *galleryInput) (*views.Gallery, error) {
			v, err := s.visit(ctx, in.Gallery)
			if err != nil {
				return nil, err
			}
			if !v.entered {
				return views.NewLockedGallery(s.Site, in.Gallery), nil
			}
			return s.galleryPage(ctx, v, in.Cursor, in.Limit, "")
		},
	})
}

type enterGalleryInput struct {
	Gallery  string `json:"gallery" in:"path" jsonschema:"secret address of the gallery" example:"k2m4q6s8k2m4q6s8k2m4q6s8k2"`
	Name     string `json:"name" jsonschema:"name of the visitor" maxlength:"80" example:"Vera"`
	Password string `json:"password" jsonschema:"password of the gallery" format:"password"`
}

func (s galleryOps) enterGallery() web.Operation {
	return galleryOp(web.Op[enterGalleryInput, *views.Gallery]{
		Name: "enter_gallery", Method: http.MethodPost, Page: "/galleries/{gallery}",
		Title: "Open gallery", Summary: "Enters the password of a gallery.", Description: "Lets the browser see a gallery for 30 days.",
		Errors: []string{"invalid_parameter", "too_many_guesses"}, Sample: s.sampleGallery,
		Do: func(ctx context.Context, in *enterGalleryInput) (*views.Gallery, error) {
			v, err := s.visit(ctx, in.Gallery)
			if err != nil {
				return nil, err
			}
			if v.name = input.OneLine(in.Name); v.name == "" {
				return nil, web.InvalidField("name", problem.Textf("The name is empty."), problem.Textf("Enter your name."))
			}
			secret, err := s.Galleries.EnterGallery(ctx, v.gallery, v.name, in.Password, caller.Addr(ctx), web.CallerOf(ctx).Pass)
			if err != nil {
				return nil, err
			}
			return s.galleryPage(ctx, v, "", galleryPhotos, secret)
		},
	})
}

type galleryPhotoInput struct {
	Gallery string `json:"gallery" in:"path" jsonschema:"secret address of the gallery" example:"k2m4q6s8k2m4q6s8k2m4q6s8k2"`
	Photo   string `json:"photo" in:"path" jsonschema:"slug of the photo" example:"first-dance"`
}

func (s galleryOps) showGalleryPhoto() web.Operation {
	return galleryOp(web.Op[galleryPhotoInput, *views.GalleryPhoto]{
		Name: "show_gallery_photo", Page: "/galleries/{gallery}/{photo}",
		Title: "Photo of a gallery", Summary: "A photo of a gallery, with what the visitor chose.", Description: "Returns a photo to browsers that have entered the password of its gallery.",
		Errors: []string{"photo_not_found"},
		Do: func(ctx context.Context, in *galleryPhotoInput) (*views.GalleryPhoto, error) {
			v, shown, err := s.visitPhoto(ctx, in.Gallery, in.Photo)
			if err != nil {
				return nil, err
			}
			return s.galleryPhotoPage(ctx, v, shown)
		},
	})
}

type markGalleryPhotoInput struct {
	galleryPhotoInput
	Mark    []string `json:"mark,omitempty" jsonschema:"favourite, or nothing" enum:"favourite" example:"favourite"`
	Comment string   `json:"comment,omitempty" jsonschema:"for the photographer" maxlength:"1000" example:"Large, please."`
}

func (s galleryOps) markGalleryPhoto() web.Operation {
	return galleryOp(web.Op[markGalleryPhotoInput, *views.GalleryPhoto]{
		Name: "mark_gallery_photo", Method: http.MethodPost, Page: "/galleries/{gallery}/{photo}", Done: "Saved.",
		Title: "Choose a photo", Summary: "Marks a photo of a gallery as a favourite, or comments on it.", Description: "Stores what a visitor of a gallery chose and wrote at a photo, in place of what they had.",
		Errors: []string{"photo_not_found", "conflict"},
		Do: func(ctx context.Context, in *markGalleryPhotoInput) (*views.GalleryPhoto, error) {
			v, shown, err := s.visitPhoto(ctx, in.Gallery, in.Photo)
			if err != nil {
				return nil, err
			}
			mark := models.GalleryMark{Name: v.name, File: path.Base(shown.File), Favourite: slices.Contains(in.Mark, "favourite"), Comment: input.TrimText(in.Comment)}
			if err := s.Galleries.MarkPhoto(ctx, v.gallery.Project, mark); err != nil {
				return nil, err
			}
			return s.galleryPhotoPage(ctx, v, shown)
		},
	})
}

// chooseFavouritesInput has photos of a gallery by their slugs: those that were to be chosen from,
// and which of them are favourites.
type chooseFavouritesInput struct {
	Gallery   string   `json:"gallery" in:"path" jsonschema:"secret address of the gallery" example:"k2m4q6s8k2m4q6s8k2m4q6s8k2"`
	Shown     []string `json:"shown" jsonschema:"slugs of the photos to choose from" maxitems:"100" example:"first-dance"`
	Favourite []string `json:"favourite,omitempty" jsonschema:"slugs of the favourites among them" maxitems:"100" example:"first-dance"`
}

// chooseFavourites takes the hearts of a page of a gallery, or the one that was just clicked.
func (s galleryOps) chooseFavourites() web.Operation {
	return galleryOp(web.Op[chooseFavouritesInput, *views.Gallery]{
		Name: "choose_favourites", Method: http.MethodPost, Page: "/galleries/{gallery}/photos/favourites", Form: "/galleries/{gallery}", Done: "Saved.",
		Title: "Choose favourites", Summary: "Marks photos of a gallery as favourites.", Description: "Stores which photos of a gallery are favourites of a visitor and which are not. Others stay as they are, and so do comments.",
		Errors: []string{"conflict"}, Sample: s.sampleGallery,
		Do: func(ctx context.Context, in *chooseFavouritesInput) (*views.Gallery, error) {
			v, err := s.visit(ctx, in.Gallery)
			if err != nil {
				return nil, err
			}
			if !v.entered {
				return nil, errNoGallery
			}
			favourite := map[string]bool{}
			for _, slug := range in.Shown {
				if shown := v.project.Photo(slug); shown != nil { // it may have been removed meanwhile
					favourite[path.Base(shown.File)] = slices.Contains(in.Favourite, slug)
				}
			}
			if err := s.Galleries.ChooseFavourites(ctx, v.gallery.Project, v.name, favourite); err != nil {
				return nil, err
			}
			return s.galleryPage(ctx, v, "", 1, "")
		},
	})
}

// galleryVisit is a gallery for a visitor.
type galleryVisit struct {
	gallery *models.Gallery
	project *portfolio.Project // as the gallery shows it
	name    string             // of the visitor
	entered bool               // with the password
}

// visit returns the gallery at an address for the caller.
func (s Deps) visit(ctx context.Context, address string) (*galleryVisit, error) {
	g, err := s.Galleries.GalleryAt(ctx, address)
	if err != nil {
		return nil, err
	}
	var project *portfolio.Project
	if g != nil {
		project = s.Library.Portfolio().InFolder(g.Project)
	}
	if project == nil {
		return nil, errNoGallery
	}
	if g.Ended(models.TimeOf(s.Clock())) {
		return nil, &problem.Error{Kind: problem.Gone, Code: "gallery_ended", Message: problem.Textf("This gallery is closed."), Hint: problem.Textf("Ask the photographer to open it again.")}
	}
	v := &galleryVisit{gallery: g, project: project.InGallery(g.Address)}
	v.name, v.entered, err = s.Galleries.GalleryVisitor(ctx, g, web.CallerOf(ctx).Pass)
	return v, err
}

// errNoGallery is returned for what doesn't exist, and for what the caller has not entered.
var errNoGallery = &problem.Error{Kind: problem.NotFound, Code: "project_not_found", Message: problem.Textf("There's no gallery at this address, or you haven't entered its password."),
	Hint: problem.Textf("Open the link that you got from the photographer.")}

// visitPhoto returns a photo of the gallery at an address, which the caller must have entered.
func (s galleryOps) visitPhoto(ctx context.Context, address, slug string) (*galleryVisit, *portfolio.Photo, error) {
	v, err := s.visit(ctx, address)
	if err != nil {
		return nil, nil, err
	}
	if !v.entered {
		return nil, nil, errNoGallery
	}
	shown := v.project.Photo(slug)
	if shown == nil {
		return nil, nil, &problem.Error{Kind: problem.NotFound, Code: "photo_not_found", Message: problem.Textf("The gallery has no photo %q.", slug), Hint: problem.Textf("Choose one of its photographs.")}
	}
	return v, shown, nil
}

// galleryPage returns a page of a gallery for a visitor who has entered.
func (s galleryOps) galleryPage(ctx context.Context, v *galleryVisit, cursor string, limit int, secret string) (*views.Gallery, error) {
	page, next, err := web.PageOf(v.project.Photos, cursor, limit)
	if err != nil {
		return nil, err
	}
	marks, err := s.Galleries.GalleryMarks(ctx, v.gallery.Project)
	if err != nil {
		return nil, err
	}
	return views.NewGallery(s.Site, v.gallery, v.project, page, ui.NewNext(next, limit, galleryPhotos), v.name, marks, secret), nil
}

// galleryPhotoPage returns the page of a photo with what the visitor chose.
func (s galleryOps) galleryPhotoPage(ctx context.Context, v *galleryVisit, shown *portfolio.Photo) (*views.GalleryPhoto, error) {
	marks, err := s.Galleries.GalleryMarks(ctx, v.gallery.Project)
	if err != nil {
		return nil, err
	}
	var own models.GalleryMark
	for _, m := range marks {
		if m.Name == v.name && m.File == path.Base(shown.File) {
			own = m
		}
	}
	return views.NewGalleryPhoto(s.Site, shown, own), nil
}

// SendGalleryFile sends a picture of a gallery, "{key}-{size}.jpg", or an archive of all its
// photographs, to browsers that have entered its password: "all.zip" has the originals, "web.zip"
// the largest size of the site.
func (s Deps) SendGalleryFile(c *fiber.Ctx) error {
	ctx, end := web.RequestContext(c)
	defer end()
	if s.Library == nil {
		return codes.New("photo_not_found")
	}
	v, err := s.visit(ctx, c.Params("gallery"))
	if err != nil {
		return err
	}
	file := c.Params("file")
	switch key, size, ok := PictureName(file); {
	case !v.entered:
		return codes.New("photo_not_found")
	case file == "all.zip":
		return s.sendArchive(c, v.project, "", s.addOriginal)
	case file == "web.zip":
		return s.sendArchive(c, v.project, "-web", s.addWebSize)
	case ok:
		return s.sendGalleryPicture(c, v.project, key, size)
	}
	return codes.New("photo_not_found")
}

// sendGalleryPicture sends a picture of a project.
func (s Deps) sendGalleryPicture(c *fiber.Ctx, project *portfolio.Project, key string, size int) error {
	ctx, cancel := context.WithTimeout(context.Background(), photo.DrawTime)
	defer cancel()
	for _, shown := range project.Photos {
		if shown.Key != key {
			continue
		}
		body, err := s.Library.PictureOf(ctx, shown, size)
		if err != nil {
			return codes.New("photo_not_found")
		}
		web.SendPrivate(c, "image/jpeg", body)
		return nil
	}
	return codes.New("photo_not_found")
}

// archives limits the archives that are sent at a time: each reads all files of a project.
var archives = make(chan struct{}, 4)

// addPhoto adds a photograph to an archive.
type addPhoto func(archive *zip.Writer, shown *portfolio.Photo) error

// sendArchive streams a ZIP of the photographs of a project that its viewers see. It is named after
// the project, with a suffix.
func (s Deps) sendArchive(c *fiber.Ctx, project *portfolio.Project, suffix string, add addPhoto) error {
	if c.Method() == http.MethodHead {
		web.SendPrivate(c, "application/zip", nil)
		return nil
	}
	select {
	case archives <- struct{}{}:
	default:
		return &problem.Error{Kind: problem.Unavailable, Code: "unavailable", Message: problem.Textf("Several people are downloading photographs right now."), Hint: problem.Textf("Try again in a few minutes."), Wait: 60}
	}
	name := models.Slug(project.Title)
	if name == "" {
		name = "photographs"
	}
	c.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name+suffix+".zip"))
	web.SendStream(c, "application/zip", func(w io.Writer) error {
		defer func() { <-archives }()
		return writeArchive(w, project, add)
	})
	return nil
}

// writeArchive writes a ZIP of the photographs of a project.
func writeArchive(w io.Writer, project *portfolio.Project, add addPhoto) error {
	archive := zip.NewWriter(w)
	for _, shown := range project.Photos {
		if err := add(archive, shown); err != nil {
			return err
		}
	}
	return archive.Close()
}

// addOriginal adds the file of a photograph as the owner stored it, with its metadata. It is not
// compressed again.
func (s Deps) addOriginal(archive *zip.Writer, shown *portfolio.Photo) error {
	in, err := s.Library.Original(shown)
	if err != nil {
		return err
	}
	defer in.Close()
	header := &zip.FileHeader{Name: path.Base(shown.File), Method: zip.Store}
	if info, err := in.Stat(); err == nil {
		header.Modified = info.ModTime()
	}
	out, err := archive.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return err
}

// addWebSize adds the largest JPEG of a photograph that pages show.
func (s Deps) addWebSize(archive *zip.Writer, shown *portfolio.Photo) error {
	ctx, cancel := context.WithTimeout(context.Background(), photo.DrawTime)
	defer cancel()
	sizes := shown.Sizes()
	body, err := s.Library.PictureOf(ctx, shown, sizes[len(sizes)-1])
	if err != nil {
		return err
	}
	name := path.Base(shown.File)
	if ext := strings.ToLower(path.Ext(name)); ext != ".jpg" && ext != ".jpeg" {
		name += ".jpg"
	}
	out, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store, Modified: s.Clock()})
	if err != nil {
		return err
	}
	_, err = out.Write(body)
	return err
}

type galleryEditorInput struct {
	Project string `json:"project" in:"path" jsonschema:"folder of the project" example:"iceland"`
}

func (s portfolioEditorOps) editGallery() web.Operation {
	return editorOp(web.Op[galleryEditorInput, *views.GalleryEditor]{
		Name: "edit_gallery", Page: "/account/portfolio/{project}/gallery", Unlisted: true, Live: true,
		Title: "Client gallery", Summary: "Delivers a project to clients.", Description: "Returns the address of the gallery of a project, when it closes and what its visitors chose.",
		Errors: []string{"project_not_found"}, Sample: s.sampleGalleryEditor,
		Do: func(ctx context.Context, in *galleryEditorInput) (*views.GalleryEditor, error) {
			return s.galleryEditor(ctx, in.Project)
		},
	})
}

// galleryEditor returns the page of the gallery of the project in a folder.
func (s portfolioEditorOps) galleryEditor(ctx context.Context, folder string) (*views.GalleryEditor, error) {
	p := s.Library.Portfolio().InFolder(folder)
	if p == nil || !s.Editor.Editable(folder) {
		return nil, s.projectNotFound(folder)
	}
	g, err := s.Galleries.Gallery(ctx, folder)
	if err != nil {
		return nil, err
	}
	marks, err := s.Galleries.GalleryMarks(ctx, folder)
	if err != nil {
		return nil, err
	}
	return views.NewGalleryEditor(s.Site, p, g, marks, models.TimeOf(s.Clock())), nil
}

type saveGalleryInput struct {
	galleryEditorInput
	Password string `json:"password,omitempty" jsonschema:"password for clients, at least 10 characters; default: the present one" format:"password"`
	LastDay  string `json:"last_day,omitempty" jsonschema:"last day on which the gallery is open; default: it stays open" maxlength:"10" example:"2026-12-31"`
}

func (s portfolioEditorOps) saveGallery() web.Operation {
	return editorOp(web.Op[saveGalleryInput, *views.GalleryEditor]{
		Name: "save_gallery", Method: http.MethodPost, Page: "/account/portfolio/{project}/gallery", Unlisted: true, Done: "Changes saved.",
		Title: "Change the gallery", Summary: "Sets the password and the last day of a gallery.", Description: "Makes a project a gallery, which makes it private, or changes its password or last day.",
		Errors: []string{"invalid_parameter", "project_not_found"}, Sample: s.sampleGalleryEditor,
		Do: func(ctx context.Context, in *saveGalleryInput) (*views.GalleryEditor, error) {
			before, err := s.galleryEditor(ctx, in.Project)
			if err != nil {
				return nil, err
			}
			var endsAt models.Time
			if in.LastDay != "" {
				start, ok := models.Day(in.LastDay).Start()
				if !ok {
					return nil, web.InvalidField("last_day", problem.Textf("This isn't a day."), problem.Textf("Write it like 2026-12-31."))
				}
				endsAt = models.TimeOf(start.Add(24 * time.Hour))
			}
			if err := s.Galleries.SaveGallery(ctx, in.Project, in.Password, endsAt); err != nil {
				return nil, err
			}
			if !before.Open { // from now on only those with the password see it, until the owner publishes it
				if err := s.Editor.Hide(in.Project); err != nil {
					return nil, err
				}
			}
			return s.galleryEditor(ctx, in.Project)
		},
	})
}

func (s portfolioEditorOps) deleteGallery() web.Operation {
	return editorOp(web.Op[galleryEditorInput, *views.GalleryEditor]{
		Name: "delete_gallery", Method: http.MethodPost, Page: "/account/portfolio/{project}/gallery/delete", Form: "/account/portfolio/{project}/gallery", Unlisted: true, Destructive: true, Done: "Gallery ended.",
		Title: "End the gallery", Summary: "Deletes the gallery of a project.", Description: "Deletes the address, the password and the selection of a gallery. The project stays private.",
		Errors: []string{"project_not_found"}, Sample: s.sampleGalleryEditor,
		Do: func(ctx context.Context, in *galleryEditorInput) (*views.GalleryEditor, error) {
			if err := s.Galleries.DeleteGallery(ctx, in.Project); err != nil {
				return nil, err
			}
			return s.galleryEditor(ctx, in.Project)
		},
	})
}

// Samples of documents.

func (s galleryOps) sampleGallery() *views.Gallery {
	return views.NewLockedGallery(s.Site, "k2m4q6s8k2m4q6s8k2m4q6s8k2")
}

func (s portfolioEditorOps) sampleGalleryEditor() *views.GalleryEditor {
	return views.NewGalleryEditor(s.Site, sampleProjects()[0], nil, nil, 0)
}
