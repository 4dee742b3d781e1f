package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Writer is where copies are written to: a Bucket, or a WebDAV folder.
type Writer interface {
	// Write stores size bytes of body as a file, or replaces it.
	Write(ctx context.Context, name string, body io.Reader, size int64) error
	// Delete deletes a file, if it exists.
	Delete(ctx context.Context, name string) error
}

// OpenWriter returns the bucket at s3://BUCKET/FOLDER?endpoint=…&region=… or the WebDAV folder at an
// https address, with a user name or an access key, and its password. It does not connect.
func OpenWriter(address, user, password string) (Writer, error) {
	if strings.HasPrefix(address, "s3://") {
		return openS3(address, credentials.NewStaticV4(user, password, ""))
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && !(u.Scheme == "http" && isLoopback(u.Hostname())) {
		return nil, fmt.Errorf("%q is neither s3://BUCKET?endpoint=…&region=… nor an https address", address)
	}
	return &webdav{strings.TrimRight(address, "/"), user, password}, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// webdav is a folder of a WebDAV server (RFC 4918).
type webdav struct{ folder, user, password string }

// Write implements Writer. It makes the folder, but none above it.
func (w *webdav) Write(ctx context.Context, name string, body io.Reader, size int64) error {
	ctx, end := context.WithTimeout(ctx, 10*answerTimeout+time.Duration(size/slowest)*time.Second)
	defer end()
	if err := w.do(ctx, "MKCOL", "", nil, 0, http.StatusMethodNotAllowed, http.StatusConflict); err != nil {
		return err
	}
	return w.do(ctx, http.MethodPut, name, body, size)
}

// Delete implements Writer.
func (w *webdav) Delete(ctx context.Context, name string) error {
	ctx, end := context.WithTimeout(ctx, 10*answerTimeout)
	defer end()
	return w.do(ctx, http.MethodDelete, name, nil, 0, http.StatusNotFound)
}

// do sends a request. Success, or one of the other statuses, is no error.
func (w *webdav) do(ctx context.Context, method, name string, body io.Reader, size int64, others ...int) error {
	r, err := http.NewRequestWithContext(ctx, method, w.folder+"/"+url.PathEscape(name), body)
	if err != nil {
		return err
	}
	r.ContentLength = size
	r.SetBasicAuth(w.user, w.password)
	client := http.Client{Transport: newTransport(), CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	resp, err := client.Do(r)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return &Error{Op: "write", Name: name, Err: err}
	}
	defer resp.Body.Close()
	for _, status := range others {
		if resp.StatusCode == status {
			return nil
		}
	}
	if resp.StatusCode/100 != 2 {
		return &Error{Op: "write", Name: name, Err: fmt.Errorf("the server answered %d", resp.StatusCode)}
	}
	return nil
}
