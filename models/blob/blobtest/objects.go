package blobtest

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httputil"
	"slices"
	"strings"
	"sync"
	"time"
)

// objects is the part of the S3 API that blob uses, for one bucket in memory: objects are
// written in one request, read, listed and deleted. Signatures are not checked.
type objects struct {
	path  string // of the bucket, with slashes around it
	mutex sync.Mutex
	all   map[string]object
}

type object struct {
	body     []byte
	modified time.Time
}

func newObjects(bucket string) *objects {
	return &objects{path: "/" + bucket + "/", all: map[string]object{}}
}

func (o object) tag() string { return fmt.Sprintf("%q", fmt.Sprintf("%x", md5.Sum(o.body))) }

func (o *objects) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, ok := strings.CutPrefix(r.URL.Path, o.path)
	query := r.URL.Query()
	switch {
	case !ok:
		refuse(w, http.StatusNotFound, "NoSuchBucket")
	case r.Method == http.MethodGet && name == "" && query.Get("list-type") == "2":
		o.list(w, query.Get("prefix"), query.Get("continuation-token"))
	case name == "" || query.Has("uploads") || query.Has("uploadId"):
		refuse(w, http.StatusNotImplemented, "NotImplemented")
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		o.read(w, r, name)
	case r.Method == http.MethodPut:
		o.write(w, r, name)
	case r.Method == http.MethodDelete:
		o.mutex.Lock()
		defer o.mutex.Unlock()
		delete(o.all, name)
		w.WriteHeader(http.StatusNoContent)
	default:
		refuse(w, http.StatusMethodNotAllowed, "MethodNotAllowed")
	}
}

// refuse responds with an error and its code.
func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code></Error>", code)
}

func (o *objects) read(w http.ResponseWriter, r *http.Request, name string) {
	o.mutex.Lock()
	found, ok := o.all[name]
	o.mutex.Unlock()
	if !ok {
		refuse(w, http.StatusNotFound, "NoSuchKey")
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("ETag", found.tag())
	http.ServeContent(w, r, "", found.modified, bytes.NewReader(found.body))
}

func (o *objects) write(w http.ResponseWriter, r *http.Request, name string) {
	body, err := io.ReadAll(content(r))
	sum := md5.Sum(body)
	if want := r.Header.Get("Content-Md5"); err != nil || want != "" && want != base64.StdEncoding.EncodeToString(sum[:]) {
		refuse(w, http.StatusBadRequest, "BadDigest")
		return
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.all[name] = object{body, time.Now()}
	w.Header().Set("ETag", o.all[name].tag())
}

// content returns the content of a request, without the signatures of its chunks.
func content(r *http.Request) io.Reader {
	if strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING-") {
		return httputil.NewChunkedReader(r.Body)
	}
	return r.Body
}

// pageSize is the number of objects in a response to list.
const pageSize = 1000

// list lists the objects with a prefix and names after another.
func (o *objects) list(w http.ResponseWriter, prefix, after string) {
	type entry struct {
		Key, LastModified, ETag string
		Size                    int
	}
	var result struct {
		XMLName               xml.Name `xml:"ListBucketResult"`
		IsTruncated           bool
		NextContinuationToken string
		Contents              []entry
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for _, name := range slices.Sorted(maps.Keys(o.all)) {
		if !strings.HasPrefix(name, prefix) || name <= after {
			continue
		}
		if result.IsTruncated = len(result.Contents) == pageSize; result.IsTruncated {
			result.NextContinuationToken = result.Contents[pageSize-1].Key
			break
		}
		found := o.all[name]
		result.Contents = append(result.Contents, entry{name, found.modified.UTC().Format(time.RFC3339), found.tag(), len(found.body)})
	}
	w.Header().Set("Content-Type", "application/xml")
	_ = xml.NewEncoder(w).Encode(result)
}
