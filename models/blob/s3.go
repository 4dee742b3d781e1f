package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// s3 is a Bucket of an S3 service.
type s3 struct {
	client  *minio.Core
	address string // without credentials
	bucket  string
	prefix  string // of all names, "" or ending in "/"
}

// foundCredentials returns the credentials of the environment (AWS_ACCESS_KEY_ID,
// AWS_SECRET_ACCESS_KEY), of ~/.aws/credentials, or of the machine.
func foundCredentials() *credentials.Credentials {
	return credentials.NewChainCredentials([]credentials.Provider{
		&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{Client: &http.Client{Timeout: answerTimeout}}})
}

// openS3 parses an address such as s3://shop/files?endpoint=http://minio:9000&region=eu.
// Without an endpoint it is a bucket of AWS.
func openS3(address string, creds *credentials.Credentials) (*s3, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return nil, fmt.Errorf("%q is not an address such as s3://BUCKET?endpoint=https://s3.example&region=eu-central-1", address)
	}
	query := u.Query()
	for name := range query {
		if !slices.Contains([]string{"endpoint", "region"}, name) {
			return nil, fmt.Errorf("%s: the parameter %q is neither endpoint nor region", address, name)
		}
	}
	region := query.Get("region")
	options := &minio.Options{Secure: true, Region: region, Transport: newTransport(), MaxRetries: 2, Creds: creds}
	endpoint := "s3.amazonaws.com"
	if given := query.Get("endpoint"); given != "" {
		e, err := url.Parse(given)
		if err != nil || e.Host == "" || e.Scheme != "http" && e.Scheme != "https" || strings.Trim(e.Path, "/") != "" {
			return nil, fmt.Errorf("%s: the endpoint is not a scheme and host such as https://s3.example", address)
		}
		endpoint, options.Secure, options.BucketLookup = e.Host, e.Scheme == "https", minio.BucketLookupPath
		if region == "" {
			options.Region = "us-east-1" // what services without regions expect
		}
	} else if region == "" {
		return nil, fmt.Errorf("%s: give the region of the bucket, such as ?region=eu-central-1", address)
	}
	client, err := minio.NewCore(endpoint, options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	prefix := strings.Trim(path.Clean(u.Path), "/.")
	if prefix != "" {
		prefix += "/"
	}
	return &s3{client: client, address: address, bucket: u.Host, prefix: prefix}, nil
}

// newTransport returns an HTTP transport that notices soon when a service does not answer.
func newTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DialContext = (&net.Dialer{Timeout: 2 * time.Second, KeepAlive: 15 * time.Second}).DialContext
	t.TLSHandshakeTimeout = 3 * time.Second
	t.ResponseHeaderTimeout = time.Minute
	t.MaxIdleConnsPerHost = 64
	t.DisableCompression = true
	return t
}

func (s *s3) String() string { return s.address }

// failure returns the error of an operation.
func failure(op, name string, err error) error {
	if err == nil {
		return nil
	}
	var response minio.ErrorResponse
	if errors.As(err, &response) && (response.Code == "NoSuchKey" || response.Code == "" && response.StatusCode == http.StatusNotFound) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return &Error{op, name, err}
}

var md5Tag = regexp.MustCompile(`^[0-9a-f]{32}$`)

// info describes an object.
func (s *s3) info(o *minio.ObjectInfo) Info {
	info := Info{Name: strings.TrimPrefix(o.Key, s.prefix), Size: o.Size, Modified: o.LastModified}
	if md5Tag.MatchString(o.ETag) {
		info.MD5 = o.ETag
	}
	return info
}

// reader turns the errors of reading an object into those of a Bucket.
type reader struct {
	*minio.Object
	name string
	end  context.CancelFunc
}

func (r *reader) Read(p []byte) (int, error) {
	slow := time.AfterFunc(answerTimeout, r.end)
	defer slow.Stop()
	n, err := r.Object.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = failure("read", r.name, err)
	}
	return n, err
}

func (r *reader) Close() error {
	defer r.end()
	return r.Object.Close()
}

// Open implements Bucket.
func (s *s3) Open(ctx context.Context, name string) (io.ReadSeekCloser, Info, error) {
	ctx, end := context.WithCancel(ctx)
	slow := time.AfterFunc(answerTimeout, end)
	o, err := s.client.Client.GetObject(ctx, s.bucket, s.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		end()
		return nil, Info{}, failure("open", name, err)
	}
	stat, err := o.Stat()
	if slow.Stop(); err != nil {
		end()
		return nil, Info{}, failure("open", name, err)
	}
	return &reader{o, name, end}, s.info(&stat), nil
}

// Read implements Bucket.
func (s *s3) Read(ctx context.Context, name string) ([]byte, error) {
	ctx, end := context.WithTimeout(ctx, answerTimeout)
	defer end()
	in, stat, _, err := s.client.GetObject(ctx, s.bucket, s.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return nil, failure("read", name, err)
	}
	defer in.Close()
	body := make([]byte, stat.Size)
	if _, err := io.ReadFull(in, body); err != nil {
		return nil, failure("read", name, err)
	}
	return body, nil
}

// Files that are written within answerTimeout, and the slowest rate at which the rest of a
// larger one is written.
const (
	smallFile = 1 << 20   // bytes
	slowest   = 256 << 10 // bytes a second
)

// Write implements Bucket. The service checks what has arrived.
func (s *s3) Write(ctx context.Context, name string, body io.Reader, size int64) error {
	ctx, end := context.WithTimeout(ctx, answerTimeout+time.Duration(max(0, size-smallFile)/slowest)*time.Second)
	defer end()
	_, err := s.client.Client.PutObject(ctx, s.bucket, s.prefix+name, body, size, minio.PutObjectOptions{ContentType: contentType(name), SendContentMd5: true})
	return failure("write", name, err)
}

func contentType(name string) string {
	switch path.Ext(name) {
	case ".jpg":
		return "image/jpeg"
	case ".png":
		return "image/png"
	}
	return "application/octet-stream"
}

// Delete implements Bucket.
func (s *s3) Delete(ctx context.Context, name string) error {
	ctx, end := context.WithTimeout(ctx, answerTimeout)
	defer end()
	return failure("delete", name, s.client.Client.RemoveObject(ctx, s.bucket, s.prefix+name, minio.RemoveObjectOptions{}))
}

// Stat implements Bucket.
func (s *s3) Stat(ctx context.Context, name string) (Info, error) {
	ctx, end := context.WithTimeout(ctx, answerTimeout)
	defer end()
	o, err := s.client.Client.StatObject(ctx, s.bucket, s.prefix+name, minio.StatObjectOptions{})
	if err != nil {
		return Info{}, failure("stat", name, err)
	}
	o.Key = s.prefix + name
	return s.info(&o), nil
}

// List implements Bucket.
func (s *s3) List(ctx context.Context, prefix string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		ctx, end := context.WithCancel(ctx)
		defer end()
		slow := time.AfterFunc(answerTimeout, end)
		defer slow.Stop()
		for o := range s.client.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.prefix + prefix, Recursive: true}) {
			if o.Err != nil {
				yield(Info{}, failure("list", prefix, o.Err))
				return
			}
			slow.Stop()
			if !yield(s.info(&o), nil) {
				return
			}
			slow.Reset(answerTimeout)
		}
	}
}
