package admin

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/admin"
)

// namedPhotos are the photographs that a row of a file names for its listing: addresses, and
// names of files in a ZIP file.
type namedPhotos struct {
	Listing string
	Line    int
	Photos  []string
	Tried   bool // the others of the row were added
}

// importPhotosInput adds photographs to an import.
type importPhotosInput struct {
	ID     string       `json:"id" in:"path" jsonschema:"id of the import" example:"0199b0a2-7c00-7000-8000-000000000001"`
	Photos []web.Upload `json:"photos" jsonschema:"ZIP files, at most 32 MB in all; send more in further requests"`
}

func (s ImportOps) addPhotos() web.Operation {
	return web.Op[importPhotosInput, *views.AdminImport]{
		Name: "add_import_photos", Method: http.MethodPost, Path: "/api/admin/imports/{id}/photos", Page: adminImportPage + "/photos", Form: adminImportPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Add photos to an import", Done: "Photos received.",
		Summary:     "Takes ZIP files with the photos that the rows of an import name.",
		Description: "Finds each photo by its file name, without folders and in any case. An import that has ended runs again for the photos that are missing; the others stay.",
		Errors:      []string{"invalid_parameter", "import_not_found", "import_running"},
		Sample:      func() *views.AdminImport { return views.NewAdminImport(s.Site, s.sampleImport(), nil) },
		Do:          s.doAddPhotos,
	}.Operation()
}

func (s ImportOps) doAddPhotos(ctx context.Context, in *importPhotosInput) (*views.AdminImport, error) {
	var fieldErrors web.FieldErrors
	checkZIPs(in.Photos, &fieldErrors)
	if err := fieldErrors.Err(); err != nil {
		return nil, err
	}
	im, err := s.Imports.Import(ctx, strings.ToLower(in.ID))
	if err != nil {
		return nil, err
	}
	if err := s.storeZIPs(im.ID, in.Photos); err != nil {
		return nil, err
	}
	if im.Status != models.ImportPrepared && im.Status != models.ImportRunning && im.Report.PhotosLeft > 0 {
		if err := s.Imports.ResumeImport(ctx, im); err != nil {
			return nil, err
		}
	}
	return s.importPage(ctx, im.ID)
}

// checkZIPs adds a field error for each file that isn't a ZIP file.
func checkZIPs(files []web.Upload, fieldErrors *web.FieldErrors) {
	for _, f := range files {
		if _, err := zip.NewReader(bytes.NewReader(f.Bytes), int64(len(f.Bytes))); err != nil && len(f.Bytes) > 0 {
			fieldErrors.Add("photos", problem.Textf("This isn't a ZIP file, or it's damaged."), problem.Textf("Put the photos into a ZIP file."))
		}
	}
}

// storeZIPs stores ZIP files of an import, after those that it has.
func (s Deps) storeZIPs(id string, files []web.Upload) error {
	before, err := filepath.Glob(s.importFile(id, ".*"+zipSuffix))
	for i, f := range files {
		if err == nil && len(f.Bytes) > 0 {
			err = writeFile(s.importFile(id, fmt.Sprintf(".%d%s", len(before)+i, zipSuffix)), f.Bytes)
		}
	}
	return err
}

// writeNamedPhotos stores the photographs that are to be added. It deletes the file, and the ZIP
// files, if there are none.
func (s Deps) writeNamedPhotos(id string, named []namedPhotos) error {
	if len(named) == 0 {
		zips, err := filepath.Glob(s.importFile(id, ".*"+zipSuffix))
		for _, name := range zips {
			err = errors.Join(err, os.Remove(name))
		}
		return errors.Join(err, removeFile(s.importFile(id, photosSuffix)))
	}
	document, err := json.Marshal(named)
	if err != nil {
		return err
	}
	return writeFile(s.importFile(id, photosSuffix), document)
}

// photosBatch is the number of listings after which the list of photographs still to be added is
// stored. If the server stops in between, some are added again, and stored once.
const photosBatch = 20

// addImportPhotos adds the photographs that rows name to their listings. Those that are not in the
// ZIP files, can't be fetched or are refused are left for the next time. It stops if the import
// was cancelled.
func (s Deps) addImportPhotos(ctx context.Context, im *models.Import) error {
	document, err := os.ReadFile(s.importFile(im.ID, photosSuffix))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var named []namedPhotos
	if err == nil {
		err = json.Unmarshal(document, &named)
	}
	if err != nil {
		return err
	}
	files, closeFiles, err := s.zippedPhotos(im.ID)
	defer closeFiles()
	if err != nil {
		return err
	}
	im.Report.NoPhotos, im.Report.PhotosLeft = nil, 0
	for i := range named {
		im.Report.PhotosLeft += len(named[i].Photos)
	}
	var left []namedPhotos
	for i := range named {
		n := &named[i]
		if err := s.addNamedPhotos(ctx, im, n, files); err != nil {
			return err
		}
		if len(n.Photos) > 0 {
			left = append(left, *n)
		}
		running, err := s.Imports.ReportImport(ctx, im)
		if err != nil || !running {
			return err
		}
		if i%photosBatch == photosBatch-1 {
			if _, err := s.Leases.Hold(ctx, importLease+im.ID, job.LeaseTime); err != nil {
				return err
			}
			if err := s.writeNamedPhotos(im.ID, append(left, named[i+1:]...)); err != nil {
				return err
			}
		}
	}
	return s.writeNamedPhotos(im.ID, left)
}

// zippedPhotos returns the files in the ZIP files of an import by their names, in lower case and
// without folders.
func (s Deps) zippedPhotos(id string) (files map[string]*zip.File, closeAll func(), err error) {
	var open []io.Closer
	closeAll = func() {
		for _, f := range open {
			f.Close()
		}
	}
	files = map[string]*zip.File{}
	names, err := filepath.Glob(s.importFile(id, ".*"+zipSuffix))
	for _, name := range names {
		archive, openErr := zip.OpenReader(name)
		if openErr != nil {
			return nil, closeAll, openErr
		}
		open = append(open, archive)
		for _, f := range archive.File {
			if !f.FileInfo().IsDir() {
				files[photoName(f.Name)] = f
			}
		}
	}
	return files, closeAll, err
}

// photoName returns the name of a file without folders, in lower case.
func photoName(name string) string {
	return strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
}

// addNamedPhotos adds photographs to a listing, and leaves those that it can't add. A listing that
// has as many photographs as the row names keeps them.
func (s Deps) addNamedPhotos(ctx context.Context, im *models.Import, n *namedPhotos, files map[string]*zip.File) error {
	all, err := s.Listings.AllListingsByID(ctx, []string{n.Listing})
	if err != nil {
		return err
	}
	l := all[n.Listing]
	if l == nil || !n.Tried && len(l.Photos) >= len(n.Photos) {
		im.Report.PhotosLeft -= len(n.Photos)
		n.Photos = nil
		return nil
	}
	n.Tried = true
	var rendered []*picture.Rendered
	var left []string
	for _, name := range n.Photos {
		r, err := s.namedPhoto(ctx, n.Listing, name, files)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			left = append(left, name)
			s.refusePhoto(im, n.Line, name, err)
			continue
		}
		rendered = append(rendered, r)
	}
	if len(rendered) > 0 {
		if err := s.savePhotos(ctx, l, rendered); err != nil {
			var p *problem.Error
			if !errors.As(err, &p) {
				return err
			}
			s.refusePhoto(im, n.Line, l.Title, err)
			return nil
		}
	}
	im.Report.Photos += len(rendered)
	im.Report.PhotosLeft -= len(rendered)
	n.Photos = left
	return nil
}

// namedPhoto returns the photograph with a name or an https address, ready to be stored.
func (s Deps) namedPhoto(ctx context.Context, listing, name string, files map[string]*zip.File) (*picture.Rendered, error) {
	var data []byte
	var err error
	base := photoName(name)
	if address, parseErr := url.Parse(name); parseErr == nil && address.Scheme != "" && address.Host != "" {
		base = photoName(address.Path)
		if !strings.Contains(base, ".") {
			base = ""
		}
		data, err = s.Guard.FetchFile(ctx, name, picture.MaxUpload)
	} else if f := files[base]; f != nil {
		data, err = readZipped(f)
	} else {
		return nil, problem.Errorf("The photo isn't in the ZIP file.")
	}
	if err != nil {
		return nil, err
	}
	return s.Uploads.Photos.Render(ctx, importLease+listing, base, data)
}

// readZipped reads a file of a ZIP file, of at most the size of an upload.
func readZipped(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, picture.MaxUpload+1)) // more is refused
}

// savePhotos stores photographs of a listing.
func (s Deps) savePhotos(ctx context.Context, l *models.Listing, rendered []*picture.Rendered) error {
	photos := make([]models.Photo, len(rendered))
	for i, r := range rendered {
		photos[i] = r.Photo
	}
	return s.Uploads.Photos.Save(ctx, s.Listings, rendered, func() error {
		if err := s.Listings.AddPhotoFacts(ctx, l.ID, picture.Facts(s.Catalog, rendered)); err != nil {
			return err
		}
		_, err := s.Listings.AddPhotos(ctx, l.ID, l.SellerID, photos)
		return err
	})
}

// refusePhoto records why a photograph was not added, in words for the owner.
func (s Deps) refusePhoto(im *models.Import, line int, name string, err error) {
	if len(im.Report.NoPhotos) >= models.MaxRejectedRows {
		return
	}
	row := models.RejectedRow{Line: line, Name: name, Reason: "The photo couldn't be loaded."}
	if refused := picture.Refusal(err); refused != nil {
		row.Reason, row.Hint = refused.Reason.String(), refused.Hint.String()
	} else if p := problem.TextOf(err); p != nil && !errors.As(err, new(*url.Error)) {
		row.Reason = p.String()
	}
	im.Report.NoPhotos = append(im.Report.NoPhotos, row)
}
