// Command secondlight serves a used camera and lens marketplace joined to a
// photographer's portfolio, and holds the commands that look after one.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/secondlight/secondlight/models"
)

// Exit statuses of every command.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}

// commands is the command line; a command's Run is in the file named after it.
type commands struct {
	Serve   serveCommand   `cmd:"" default:"1" help:"Serve the site (the default)."`
	Migrate migrateCommand `cmd:"" help:"Bring the database to the newest schema."`
	Import  importCommand  `cmd:"" help:"Read listings or sales from a CSV file."`
	Catalog catalogCommand `cmd:"" help:"Make and question the catalogue of gear."`
	Trends  trendsCommand  `cmd:"" help:"Look after the price trends."`
	Member  memberCommand  `cmd:"" help:"Look after members."`
	Token   tokenCommand   `cmd:"" help:"Look after access tokens."`
	Backup  backupCommand  `cmd:"" help:"Copy the embedded database to a file while the site runs."`
	Restore restoreCommand `cmd:"" help:"Put a backup in the place of the embedded database."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

// console is where a command reads and writes.
type console struct {
	ctx    context.Context
	env    []string
	in     io.Reader
	out    io.Writer
	errOut io.Writer
}

// usageError is a wrong call of a command that the parser could not see.
type usageError struct{ error }

// run is the whole program without the process around it; it returns the exit status.
func run(ctx context.Context, args, environ []string, in io.Reader, out, errOut io.Writer) (status int) {
	var cli commands
	// The parser ends --help by calling kong.Exit, which must not return.
	type exited struct{ status int }
	defer func() {
		switch e := recover().(type) {
		case nil:
		case exited:
			status = e.status
		default:
			panic(e)
		}
	}()
	parser := kong.Must(&cli,
		kong.Name("secondlight"),
		kong.Description("A used camera and lens marketplace joined to a photographer's portfolio."),
		kong.Writers(out, errOut),
		kong.Exit(func(status int) { panic(exited{status}) }),
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	chosen, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(errOut, "secondlight: %v\n(try: secondlight --help)\n", err)
		return exitUsage
	}
	err = chosen.Run(&console{ctx: ctx, env: environ, in: in, out: out, errOut: errOut})
	if err == nil {
		return exitDone
	}
	fmt.Fprintf(errOut, "secondlight: %s\n", told(err))
	if usage := (usageError{}); errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailed
}

// told is an error as the command line tells it: what readers can repair with
// its hint, and without its code.
func told(err error) string {
	var e *models.Error
	if errors.As(err, &e) && e.Kind != models.Internal {
		return e.Message + " " + e.Hint
	}
	return err.Error()
}
