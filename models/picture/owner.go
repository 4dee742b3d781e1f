package picture

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models/blob"
)

// ownerFile is the file of a bucket with the id of the site whose files it has, and ownerTime
// how long a Store relies on having read it.
const (
	ownerFile = "site.id"
	ownerTime = time.Minute
)

// OtherSite is the error for files that belong to another site than the database.
type OtherSite struct {
	Files blob.Bucket
	Owner string // id of the site that they belong to; "" if they name none and no listing uses one of them
}

// Error implements error.
func (e *OtherSite) Error() string {
	of := "another site (" + e.Owner + ")"
	if e.Owner == "" {
		of = "another site: no listing of this database has one of its photographs"
	}
	return fmt.Sprintf("the files in %s are those of %s: check DATABASE_URL, DATA_DIR and BLOB_URL, or, if files and database do belong together, run secondlight files adopt", e.Files, of)
}

// Claim records that the files of a bucket belong to the site of refs, unless CheckOwner
// returns an error.
func Claim(ctx context.Context, files blob.Bucket, refs References) error {
	owner, err := checkedOwner(ctx, files, refs)
	if err != nil || owner != "" {
		return err
	}
	return Adopt(ctx, files, refs)
}

// CheckOwner returns an *OtherSite if the files of a bucket belong to another site than that of
// refs. Files without an owner belong to a site if they have no photographs, or one that it uses.
func CheckOwner(ctx context.Context, files blob.Bucket, refs References) error {
	_, err := checkedOwner(ctx, files, refs)
	return err
}

// checkedOwner returns the id of the site that the files belong to, or "" if nobody has
// claimed them.
func checkedOwner(ctx context.Context, files blob.Bucket, refs References) (owner string, err error) {
	site, err := refs.SiteID(ctx)
	if err != nil {
		return "", err
	}
	owner, err = ownerOf(ctx, files)
	switch {
	case err != nil || owner == site:
		return owner, err
	case owner != "":
		return "", &OtherSite{files, owner}
	}
	if ours, err := hasOurs(ctx, files, refs); err != nil || ours {
		return "", err
	}
	// Another upload may have claimed the files meanwhile, and written the photographs.
	if owner, err = ownerOf(ctx, files); err != nil || owner == site {
		return owner, err
	}
	return "", &OtherSite{files, owner}
}

// Adopt records that the files of a bucket belong to the site of refs, whatever it says.
func Adopt(ctx context.Context, files blob.Bucket, refs References) error {
	site, err := refs.SiteID(ctx)
	if err != nil {
		return err
	}
	return blob.WriteBytes(ctx, files, ownerFile, []byte(site))
}

// ownerOf returns the id of the site that the files of a bucket belong to, or "".
func ownerOf(ctx context.Context, files blob.Bucket) (string, error) {
	owner, err := files.Read(ctx, ownerFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(owner)), err
}

// hasOurs reports whether a bucket has no photographs, or one that a listing uses.
func hasOurs(ctx context.Context, files blob.Bucket, refs References) (bool, error) {
	var keys []string
	for file, err := range photosIn(ctx, files, Folder) {
		if err != nil {
			return false, err
		}
		keys = append(keys, file.key)
	}
	for batch := range slices.Chunk(keys, sweepBatch) {
		if used, err := refs.UsedPhotos(ctx, batch); err != nil || len(used) > 0 {
			return len(used) > 0, err
		}
	}
	return len(keys) == 0, nil
}

// References tells of which site the listings are and which photographs they use, and lets
// one program at a time delete the others. *store.Listings implements it.
type References interface {
	SiteID(ctx context.Context) (string, error)
	UsedPhotos(ctx context.Context, keys []string) ([]string, error)
	Exclusive(ctx context.Context, name string, do func(context.Context) error) (held bool, err error)
}

// sweepBatch is how many keys are looked up at a time.
const sweepBatch = 200
