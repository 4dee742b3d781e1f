package portfolio

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/photo"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/portfolio"
	"github.com/secondlight/secondlight/views/ui"
)

// portfolioEditorOps holds the operations of operators that change the portfolio.
type portfolioEditorOps struct{ PortfolioOps }

// editorOp completes an operation of operators on the portfolio.
func editorOp[In any, Out web.Page](op web.Op[In, Out]) web.Operation {
	op.Access, op.Scope, op.Tag = web.Operators, string(models.SiteWrite), "Portfolio"
	return op.Operation()
}

func (s portfolioEditorOps) editPortfolio() web.Operation {
	return editorOp(web.Op[struct{}, *views.PortfolioEditor]{
		Name: "edit_portfolio", Path: "/api/admin/portfolio", Page: "/account/portfolio",
		Title: "Edit the portfolio", Summary: "Lists all projects of the portfolio, with those that visitors can't see.",
		Description: "Returns the projects that can be edited, newest first, with their visibility.",
		Sample: func() *views.PortfolioEditor {
			return views.NewPortfolioEditor(s.Site, sampleProjects(), nil)
		},
		Do: func(context.Context, *struct{}) (*views.PortfolioEditor, error) {
			var editable []*portfolio.Project
			for _, p := range s.Library.Portfolio().All {
				if s.Editor.Editable(p.Folder) {
					editable = append(editable, p)
				}
			}
			return views.NewPortfolioEditor(s.Site, editable, s.Library.Portfolio().Problems), nil
		},
	})
}

type createProjectInput struct {
	Title string `json:"title" jsonschema:"title of the project; its address is made from it" maxlength:"200" example:"Iceland"`
}

func (s portfolioEditorOps) createProject() web.Operation {
	return editorOp(web.Op[createProjectInput, *views.ProjectEditor]{
		Name: "create_project", Method: http.MethodPost, Path: "/api/admin/portfolio", Page: "/account/portfolio", Creates: true,
		Done:  "Project created. Now add photographs. Only operators can see it for now.",
		Title: "Create a project", Summary: "Creates a private project of the portfolio.",
		Description: "Creates a project without photographs that only operators can see. Add photographs with upload_project_photos and publish it with update_project.",
		Errors:      []string{"unavailable"}, Sample: s.sampleEditor,
		Do: func(ctx context.Context, in *createProjectInput) (*views.ProjectEditor, error) {
			title := input.OneLine(in.Title)
			if title == "" {
				return nil, web.InvalidField("title", problem.Textf("The title is empty."), problem.Textf("Name the project."))
			}
			if !s.Editor.Enabled() {
				return nil, &problem.Error{Kind: problem.Unavailable, Code: "unavailable", Message: problem.Textf("This site has no portfolio."), Hint: problem.Programf("Ask its operator to set DATA_DIR.")}
			}
			folder, err := s.Editor.Create(title)
			if err != nil {
				return nil, err
			}
			// A project whose folder was removed may have left a gallery under the same name.
			if err := s.Galleries.DeleteGallery(ctx, folder); err != nil {
				return nil, err
			}
			return s.editorOf(folder)
		},
	})
}

type editProjectInput struct {
	Project string `json:"project" in:"path" jsonschema:"folder of the project" example:"iceland"`
	Limit   int    `json:"limit,omitempty" jsonschema:"photos per page, 1 to 100" min:"1" max:"100" default:"60" example:"60"`
	Cursor  string `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page, unchanged"`
}

// editorPhotos is the number of photographs on a page that edits a project.
const editorPhotos = 60

func (s portfolioEditorOps) editProject() web.Operation {
	return editorOp(web.Op[editProjectInput, *views.ProjectEditor]{
		Name: "edit_project", Path: "/api/admin/portfolio/{project}", Page: "/account/portfolio/{project}",
		Title: "Edit a project", Summary: "A project of the portfolio as it is edited.",
		Description: "Returns the texts and settings of a project and its photographs in order. Change them with update_project and update_project_photo.",
		Errors:      []string{"project_not_found", "invalid_cursor"}, Sample: s.sampleEditor,
		Do: func(_ context.Context, in *editProjectInput) (*views.ProjectEditor, error) {
			return s.editorPage(in.Project, in.Cursor, in.Limit)
		},
	})
}

// editorOf returns the first page that edits the project in a folder.
func (s portfolioEditorOps) editorOf(folder string) (*views.ProjectEditor, error) {
	return s.editorPage(folder, "", editorPhotos)
}

// editorPage returns a page that edits the project in a folder.
func (s portfolioEditorOps) editorPage(folder, cursor string, limit int) (*views.ProjectEditor, error) {
	p := s.Library.Portfolio().InFolder(folder)
	if p == nil || !s.Editor.Editable(folder) {
		return nil, s.projectNotFound(folder)
	}
	page, next, err := web.PageOf(p.All(), cursor, limit)
	if err != nil {
		return nil, err
	}
	return views.NewProjectEditor(s.Site, p, page, ui.NewNext(next, limit, editorPhotos)), nil
}

// edited returns the page of a project after a change that failed with err, or nil.
func (s portfolioEditorOps) edited(folder, file string, err error) (*views.ProjectEditor, error) {
	if errors.Is(err, fs.ErrNotExist) {
		if page, notFound := s.editorOf(folder); page == nil {
			return nil, notFound
		}
		return nil, &problem.Error{Kind: problem.NotFound, Code: "photo_not_found", Message: problem.Textf("The project %s has no file %q.", folder, file), Hint: problem.Programf("GET /api/admin/portfolio/%s lists its files.", folder)}
	}
	if err != nil {
		return nil, err
	}
	return s.editorOf(folder)
}

type updateProjectInput struct {
	Project     string   `json:"project" in:"path" jsonschema:"folder of the project" example:"iceland"`
	Title       string   `json:"title" jsonschema:"title of the project" maxlength:"200" example:"Iceland"`
	Description string   `json:"description,omitempty" jsonschema:"one sentence" maxlength:"300" example:"Two weeks on the ring road."`
	Text        string   `json:"text,omitempty" jsonschema:"text as Markdown; a line with an image of a file of the project shows that photograph" maxlength:"50000" example:"Two weeks in June."`
	Visibility  string   `json:"visibility" jsonschema:"public: everyone; unlisted: those with its secret address; private: operators" enum:"public,unlisted,private" example:"public"`
	PublishAt   string   `json:"publish_at,omitempty" jsonschema:"private until then, UTC; default: now" maxlength:"30" example:"2026-12-01T09:00"`
	License     string   `json:"license,omitempty" jsonschema:"what others may do with the photographs; default: all rights reserved" maxlength:"100" example:"CC BY 4.0"`
	Options     []string `json:"options,omitempty" jsonschema:"downloads: visitors are offered the largest size; new_address: an unlisted project gets another secret address; publish: it is public at once, whatever visibility and publish_at say" enum:"downloads,new_address,publish" example:"downloads"`
}

func (s portfolioEditorOps) updateProject() web.Operation {
	return editorOp(web.Op[updateProjectInput, *views.ProjectEditor]{
		Name: "update_project", Method: http.MethodPut, Path: "/api/admin/portfolio/{project}", Page: "/account/portfolio/{project}", Destructive: true,
		Done:  "Changes saved.",
		Title: "Change a project", Summary: "Changes the texts of a project, and who sees it.",
		Description: "Replaces the texts and settings of a project. Its photographs stay as they are. An unlisted project gets a secret address.",
		Errors:      []string{"invalid_parameter", "project_not_found"}, Sample: s.sampleEditor,
		Do: func(ctx context.Context, in *updateProjectInput) (*views.ProjectEditor, error) {
			edit := portfolio.ProjectEdit{Title: input.OneLine(in.Title), Description: input.OneLine(in.Description), Markdown: in.Text, License: input.OneLine(in.License)}
			if edit.Title == "" {
				return nil, web.InvalidField("title", problem.Textf("The title is empty."), problem.Textf("Name the project."))
			}
			if in.Visibility != "public" {
				edit.Visibility = portfolio.Visibility(in.Visibility)
			}
			var err error
			if edit.PublishAt, err = input.PublishTime(ctx, in.PublishAt); err != nil {
				return nil, web.InvalidField("publish_at", problem.Textf("This isn't a time."), problem.Textf("Write it like 2026-12-01T09:00."))
			}
			for _, option := range in.Options {
				edit.Downloads = edit.Downloads || option == "downloads"
				edit.NewSecret = edit.NewSecret || option == "new_address"
				if option == "publish" {
					edit.Visibility, edit.PublishAt = portfolio.Public, time.Time{}
				}
			}
			return s.edited(in.Project, "index.md", s.Editor.Update(in.Project, edit))
		},
	})
}

type updateProjectPhotoInput struct {
	Project  string `json:"project" in:"path" jsonschema:"folder of the project" example:"iceland"`
	Photo    string `json:"photo" in:"path" jsonschema:"file name of the photograph" example:"dsc_0042.jpg"`
	Title    string `json:"title,omitempty" jsonschema:"default: the title in the file" maxlength:"200" example:"Skógafoss"`
	Caption  string `json:"caption,omitempty" jsonschema:"default: the caption in the file" maxlength:"2000" example:"Before the buses."`
	Alt      string `json:"alt,omitempty" jsonschema:"what it shows, for people who can't see it; default: the caption or title" maxlength:"300" example:"A broad waterfall"`
	Location string `json:"location,omitempty" jsonschema:"where it was taken; shown only if given" maxlength:"200" example:"Skógar, Iceland"`
	License  string `json:"license,omitempty" jsonschema:"default: that of the project" maxlength:"100" example:"CC BY 4.0"`
	FocusX   int    `json:"focus_x,omitempty" jsonschema:"point that stays in the picture when it is cropped, in percent from the left" min:"0" max:"100" default:"50" example:"50"`
	FocusY   int    `json:"focus_y,omitempty" jsonschema:"the same, in percent from the top" min:"0" max:"100" default:"50" example:"50"`
	Layout   string `json:"layout,omitempty" jsonschema:"full, pair or triptych: the row that it begins has 1, 2 or 3 photographs; default: rows of about the same height" enum:"full,pair,triptych" example:"pair"`
	Text     string `json:"text,omitempty" jsonschema:"text as Markdown before that row" maxlength:"5000" example:"We left before sunrise."`
	Hidden   bool   `json:"hidden,omitempty" jsonschema:"only operators see it" example:"false"`
	Position int    `json:"position,omitempty" jsonschema:"place in the project, from 1; default: where it is" min:"1" example:"3"`
	Step     string `json:"step,omitempty" jsonschema:"up, down: move by one; cover: use as cover; remove: take out of the project (the file stays)" enum:"up,down,cover,remove" example:"cover"`
}

func (s portfolioEditorOps) updateProjectPhoto() web.Operation {
	return editorOp(web.Op[updateProjectPhotoInput, *views.ProjectEditor]{
		Name: "update_project_photo", Method: http.MethodPut, Path: "/api/admin/portfolio/{project}/{photo}", Page: "/account/portfolio/{project}/photos/{photo}", Form: "/account/portfolio/{project}", Destructive: true,
		Done:  "Changes saved.",
		Title: "Change a photograph", Summary: "Changes the texts of a photograph of a project and its place.",
		Description: "Replaces the texts and the focus of a photograph, moves it by one or to a position, makes it the cover or takes it out of the project. Empty texts are inherited from its file and the project.",
		Errors:      []string{"invalid_parameter", "project_not_found", "photo_not_found"}, Sample: s.sampleEditor,
		Do: func(_ context.Context, in *updateProjectPhotoInput) (*views.ProjectEditor, error) {
			edit := portfolio.PhotoEdit{Texts: portfolio.Texts{Title: input.OneLine(in.Title), Caption: input.OneLine(in.Caption), Alt: input.OneLine(in.Alt), Location: input.OneLine(in.Location), License: input.OneLine(in.License)}, Position: in.Position,
				Focus: portfolio.Focus{X: in.FocusX, Y: in.FocusY}, Hidden: in.Hidden, Layout: portfolio.Layout(in.Layout), Text: in.Text, Cover: in.Step == "cover", Remove: in.Step == "remove", Move: map[string]int{"up": -1, "down": 1}[in.Step]}
			return s.edited(in.Project, in.Photo, s.Editor.UpdatePhoto(in.Project, in.Photo, edit))
		},
	})
}

type updateProjectPhotosInput struct {
	Project  string   `json:"project" in:"path" jsonschema:"folder of the project" example:"iceland"`
	Photos   []string `json:"photos,omitempty" jsonschema:"file names of the photographs" maxlength:"200" example:"dsc_0042.jpg"`
	Title    *string  `json:"title,omitempty" jsonschema:"title of all of them; empty: that in each file" maxlength:"200" example:"Skógafoss"`
	Caption  *string  `json:"caption,omitempty" jsonschema:"caption of all of them" maxlength:"2000" example:"Before the buses."`
	Alt      *string  `json:"alt,omitempty" jsonschema:"what all of them show, for people who can't see it" maxlength:"300" example:"A broad waterfall"`
	Location *string  `json:"location,omitempty" jsonschema:"where all of them were taken" maxlength:"200" example:"Skógar, Iceland"`
	Hidden   *bool    `json:"hidden,omitempty" jsonschema:"only operators see them" example:"false"`
	Position int      `json:"position,omitempty" jsonschema:"place of the first in the project, from 1, the others after it; default: where they are" min:"1" example:"3"`
	Sort     string   `json:"sort,omitempty" jsonschema:"puts all photographs of the project in an order: name of the file, or taken for the time of capture" enum:"name,taken" example:"taken"`
}

func (s portfolioEditorOps) updateProjectPhotos() web.Operation {
	return editorOp(web.Op[updateProjectPhotosInput, *views.ProjectEditor]{
		Name: "update_project_photos", Method: http.MethodPatch, Path: "/api/admin/portfolio/{project}/photos", Page: "/account/portfolio/{project}/photos", Form: "/account/portfolio/{project}", Destructive: true, NoTool: true,
		Done:  "Changes saved.",
		Title: "Change several photographs", Summary: "Changes several photographs of a project at once, and their order.",
		Description: "Changes the given texts of the named photographs and leaves the others, shows or hides them, moves them together to a position, or sorts the whole project.",
		Errors:      []string{"invalid_parameter", "project_not_found", "photo_not_found"}, Sample: s.sampleEditor,
		Do: func(_ context.Context, in *updateProjectPhotosInput) (*views.ProjectEditor, error) {
			for _, text := range []*string{in.Title, in.Caption, in.Alt, in.Location} {
				if text != nil {
					*text = input.OneLine(*text)
				}
			}
			edit := portfolio.PhotosEdit{Title: in.Title, Caption: in.Caption, Alt: in.Alt, Location: in.Location, Hidden: in.Hidden, Position: in.Position, Sort: portfolio.Sort(in.Sort)}
			return s.edited(in.Project, strings.Join(in.Photos, ", "), s.Editor.UpdatePhotos(in.Project, in.Photos, edit))
		},
	})
}

type uploadProjectPhotosInput struct {
	Project string       `json:"project" in:"path" jsonschema:"folder of the project" example:"iceland"`
	Photos  []web.Upload `json:"photo,omitempty" jsonschema:"files, JPEG, PNG, WebP, HEIC, AVIF or XMP; or the next part of one, with name, size and offset"`
	Name    string       `json:"name,omitempty" jsonschema:"name of a file that is sent in parts" maxlength:"200" example:"dsc_0042.jpg"`
	Size    int          `json:"size,omitempty" jsonschema:"its size in bytes; default: that of the part" min:"1" example:"9000000"`
	Offset  int          `json:"offset,omitempty" jsonschema:"where the part begins; without a part, the response says where to go on" min:"0" example:"0"`
}

func (s portfolioEditorOps) uploadProjectPhotos() web.Operation {
	return editorOp(web.Op[uploadProjectPhotosInput, *views.ProjectEditor]{
		Name: "upload_project_photos", Method: http.MethodPost, Path: "/api/admin/portfolio/{project}/uploads", Page: "/account/portfolio/{project}/uploads", Form: "/account/portfolio/{project}",
		Done:  "Photographs added.",
		Title: "Add photographs", Summary: "Adds photographs to a project, in parts if need be.",
		Description: "Send files whole by multipart/form-data, or one with its name in base64, whole or in parts with size and offset: received in the response is how much has arrived, also after an interruption. A file replaces one with the same name. Files are stored unchanged; sizes are made from them later.",
		Errors:      []string{"invalid_parameter", "project_not_found"}, Sample: s.sampleEditor,
		Do: func(_ context.Context, in *uploadProjectPhotosInput) (*views.ProjectEditor, error) {
			received, err := s.receivePhotos(in)
			if errors.Is(err, fs.ErrNotExist) {
				return nil, s.projectNotFound(in.Project)
			}
			if err != nil {
				return nil, err
			}
			page, err := s.editorOf(in.Project)
			if page != nil {
				page.Received = received
			}
			return page, err
		},
	})
}

// receivePhotos stores the files or the part of a request, and returns how many bytes of
// the last file have arrived.
func (s portfolioEditorOps) receivePhotos(in *uploadProjectPhotosInput) (received int64, err error) {
	var fieldErrors web.FieldErrors
	receive := func(i int, name string, size, offset int64, part []byte) {
		var failed error
		received, failed = s.Editor.Upload(in.Project, name, size, offset, part)
		if picture.Refusal(failed) != nil {
			photo.AddPhotoError(&fieldErrors, name, i, failed)
		} else {
			err = cmp.Or(err, failed)
		}
	}
	switch {
	case in.Name != "" && len(in.Photos) <= 1:
		var part []byte
		if len(in.Photos) == 1 {
			part = in.Photos[0].Bytes
		}
		receive(0, in.Name, int64(cmp.Or(in.Size, len(part))), int64(in.Offset), part)
	case len(in.Photos) == 0:
		return 0, web.InvalidField("photo", problem.Textf("There's no file."), problem.Textf("Choose one or more JPEG, PNG, WebP, HEIC or AVIF files."))
	default:
		for i, f := range in.Photos {
			receive(i, path.Base(strings.ReplaceAll(f.Name, `\`, "/")), int64(len(f.Bytes)), 0, f.Bytes)
		}
	}
	return received, cmp.Or(err, fieldErrors.Err())
}

// sampleProjects returns example projects.
func sampleProjects() []*portfolio.Project {
	p := &portfolio.Project{Folder: "iceland", Slug: "iceland", Title: "Iceland", Description: "Two weeks on the ring road.", Markdown: "Two weeks in June.\n", License: "CC BY 4.0"}
	p.Photos = []*portfolio.Photo{{Project: p, Slug: "dsc-0042", File: "portfolio/iceland/dsc_0042.jpg", Key: "0123456789abcdef", Title: "Skógafoss", Caption: "Before the buses.", Alt: "A broad waterfall", Width: 6000, Height: 4000, Focus: portfolio.Center, License: "CC BY 4.0", Own: portfolio.Texts{Title: "Skógafoss", Caption: "Before the buses."}}}
	return []*portfolio.Project{p}
}

func (s portfolioEditorOps) sampleEditor() *views.ProjectEditor {
	p := sampleProjects()[0]
	return views.NewProjectEditor(s.Site, p, p.Photos, ui.Next{})
}
