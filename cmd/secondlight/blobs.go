package main

import (
	"fmt"

	"github.com/secondlight/secondlight/models/backup"
	"github.com/secondlight/secondlight/models/blob"
)

// blobsCommand is the group of the commands on the files of a site.
type blobsCommand struct {
	Copy copyBlobsCommand `cmd:"" help:"Copy the photographs, the portfolio, pages and themes."`
}

// copyBlobsCommand copies the files of a site.
type copyBlobsCommand struct {
	From string `arg:"" help:"Where the files are: a DATA_DIR, or s3://BUCKET?endpoint=https://…&region=…"`
	To   string `arg:"" help:"Where to copy them."`
}

func (copyBlobsCommand) Help() string {
	return "Copies the files that can't be made again, checks the size and content of each, and leaves what is there already, " +
		"so that it can be repeated: first while the site runs, then for the rest while it is stopped. Nothing is deleted. " +
		"The credentials of S3 are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
}

func (cmd copyBlobsCommand) Run(c *console) error {
	from, err := blob.Open(cmd.From)
	if err != nil {
		return usageError{err}
	}
	to, err := blob.Open(cmd.To)
	if err != nil {
		return usageError{err}
	}
	report, err := blob.Copy(c.ctx, from, to, backup.IsData, progress(c.errOut, "copying"))
	fmt.Fprintf(c.out, "%d files: %d copied (%s), %d unchanged\n", report.Files, report.Copied, sizeText(uint64(report.Bytes)), report.Unchanged)
	if err != nil {
		return fmt.Errorf("%w (repeat the command for the rest)", err)
	}
	return nil
}
