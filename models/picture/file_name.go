package picture

import (
	"context"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
)

// Folder begins the names of photographs in a bucket.
const Folder = "photos/"

var (
	fileName = regexp.MustCompile(`^([0-9a-f]{32})-([1-9][0-9]{0,4})\.jpg$`)
	avifName = regexp.MustCompile(`^([0-9a-f]{32})-[1-9][0-9]{0,4}\.avif$`)
)

// ParseFileName splits the name of a stored file, such as "6f1c…f1-320.jpg", into
// its key and width. ok is false if it is not one.
func ParseFileName(file string) (key string, width int, ok bool) {
	m := fileName.FindStringSubmatch(file)
	if m == nil {
		return "", 0, false
	}
	width, _ = strconv.Atoi(m[2])
	for _, w := range models.PhotoWidths {
		ok = ok || w == width
	}
	return m[1], width, ok
}

// IsKey reports whether key has the form of a Store's keys.
func IsKey(key string) bool {
	_, _, ok := ParseFileName(FileName(key, models.PhotoWidths[0]))
	return ok
}

func fileOf(key string, width int) string {
	return Folder + FileName(key, width)
}

// FileName returns the name of the stored file of a photograph in one of models.PhotoWidths.
func FileName(key string, width int) string { return key + "-" + strconv.Itoa(width) + ".jpg" }

// photoFile is a stored file of a photograph.
type photoFile struct {
	key      string
	modified time.Time
}

// photosIn lists the files of photographs in a folder of a bucket, with their AVIFs.
func photosIn(ctx context.Context, files blob.Bucket, folder string) iter.Seq2[photoFile, error] {
	return func(yield func(photoFile, error) bool) {
		for info, err := range files.List(ctx, folder) {
			name := strings.TrimPrefix(info.Name, folder)
			key, _, ok := ParseFileName(name)
			if m := avifName.FindStringSubmatch(name); m != nil {
				key, ok = m[1], true
			}
			if (ok || err != nil) && !yield(photoFile{key, info.Modified}, err) {
				return
			}
		}
	}
}
