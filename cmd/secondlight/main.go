// Command secondlight serves a used camera and lens marketplace joined to a
// photographer's portfolio, and contains the commands to administer it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"syscall"

	"github.com/spf13/pflag"

	"github.com/secondlight/secondlight/models/problem"
)

// Exit statuses of every command.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}

// commands defines the command line, with the tags of node. The Run method of a command is in
// the file named after it.
type commands struct {
	Serve      serveCommand      `cmd:"" default:"1" help:"Serve the site (the default)."`
	Setup      setupCommand      `cmd:"" help:"Print a one-time link to set up an empty site."`
	Migrate    migrateCommand    `cmd:"" help:"Migrate the database to the latest schema."`
	Import     importCommand     `cmd:"" help:"Import listings or sales from a CSV file, or photographs from a folder."`
	Catalog    catalogCommand    `cmd:"" help:"Build and query the gear catalogue."`
	Trends     trendsCommand     `cmd:"" help:"Maintain the price trends."`
	Prices     pricesCommand     `cmd:"" help:"Check the price estimates."`
	Member     memberCommand     `cmd:"" help:"Manage members."`
	Token      tokenCommand      `cmd:"" help:"Manage access tokens."`
	Backup     backupCommand     `cmd:"" help:"Back up the database, photographs and portfolio while the site runs."`
	Restore    restoreCommand    `cmd:"" help:"Restore a backup, or check one."`
	Blobs      blobsCommand      `cmd:"" help:"Move the files of a site to object storage, or back."`
	Files      filesCommand      `cmd:"" help:"List, sweep and put back unused photographs, and say to which site the files belong."`
	Deliveries deliveriesCommand `cmd:"" help:"Pause and resume email and webhooks, which wait after a restore."`
	Registry   registryCommand   `cmd:"" help:"Print a server.json for the MCP Registry."`
	Webhook    webhookCommand    `cmd:"" help:"Check webhooks that a site has sent."`
	Health     healthCommand     `cmd:"" help:"Ask the server of this machine whether it is ready."`
	Notify     notifyCommand     `cmd:"" help:"Send the owner an email that a unit of systemd has failed."`
	Doctor     doctorCommand     `cmd:"" help:"Check settings, disk, database, mail and the public address, and suggest fixes."`
	Version    versionCommand    `cmd:"" help:"Print the version."`
}

// commandLine returns the commands, with nothing set.
func commandLine() *node {
	return newNode("", "A used camera and lens marketplace joined to a photographer's portfolio.", reflect.ValueOf(new(commands)).Elem())
}

// console holds the context, environment and streams of a command.
type console struct {
	ctx    context.Context
	env    []string
	in     io.Reader
	out    io.Writer
	errOut io.Writer
}

// usageError is an error in how a command was called that the parser does not detect.
type usageError struct{ error }

// loggedError is an error that is in the log, and not printed again.
type loggedError struct{ error }

// run executes the command line args and returns the exit status.
func run(ctx context.Context, args, environ []string, in io.Reader, out, errOut io.Writer) int {
	chosen, err := commandLine().parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		chosen.writeUsage(out)
		return exitOK
	case errors.Is(err, errVersion):
		fmt.Fprintln(out, describeBuild(buildInfo()))
		return exitOK
	case err == nil:
		err = chosen.openPaths()
	}
	if err == nil {
		environ, err = withEnvFile(chosen.envFile, environ)
	}
	if err != nil {
		fmt.Fprintf(errOut, "secondlight: %v\n(try: secondlight --help)\n", err)
		return exitUsage
	}
	err = chosen.target.Addr().Interface().(runner).Run(&console{ctx: ctx, env: environ, in: in, out: out, errOut: errOut})
	if err = explainDamage(environ, err); err == nil {
		return exitOK
	}
	if logged := (loggedError{}); errors.As(err, &logged) {
		return exitFailed
	}
	fmt.Fprintf(errOut, "secondlight: %s\n", errorText(err))
	if usage := (usageError{}); errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailed
}

// errorText returns an error as printed for the user: the message and hint of a
// problem.Error that the user can fix, without its code.
func errorText(err error) string {
	var e *problem.Error
	if errors.As(err, &e) && e.Kind != problem.Internal {
		return e.Message.And(e.Advice()).String()
	}
	return err.Error()
}
