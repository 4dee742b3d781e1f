package blob

import (
	"fmt"
	"strings"
)

// Open returns the bucket at an address: s3://BUCKET/PREFIX?endpoint=…&region=…, or a
// folder, which need not exist. It does not connect.
func Open(address string) (Bucket, error) {
	if strings.HasPrefix(address, "s3://") {
		return openS3(address, foundCredentials())
	}
	if scheme, _, ok := strings.Cut(address, "://"); ok && scheme != "file" {
		return nil, fmt.Errorf("%q is neither a folder nor s3://BUCKET?endpoint=…&region=…", address)
	}
	return Folder(strings.TrimPrefix(address, "file://")), nil
}
