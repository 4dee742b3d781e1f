package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
)

type memberCommand struct {
	Create   memberCreateCommand   `cmd:"" help:"Create a member with a confirmed email address."`
	List     memberListCommand     `cmd:"" help:"List members."`
	Suspend  memberSuspendCommand  `cmd:"" help:"Suspend a member."`
	Restore  memberRestoreCommand  `cmd:"" help:"Reinstate a suspended member."`
	Export   memberExportCommand   `cmd:"" help:"Print all data about a member, as they can download it."`
	Delete   memberDeleteCommand   `cmd:"" help:"Delete the account of a member, as they can."`
	Email    memberEmailCommand    `cmd:"" help:"Change the email address of a member who has lost theirs."`
	Sessions memberSessionsCommand `cmd:"" help:"List the sessions of a member, or end them."`
	Reset    memberResetCommand    `cmd:"" help:"Print a password reset link for a member, and sign them out."`
}

type memberCreateCommand struct {
	Handle        string `required:"" help:"Unique name in URLs: 3 to 30 letters, digits and hyphens."`
	Email         string `required:"" help:"Email address to sign in with."`
	PasswordStdin bool   `required:"" help:"Read the password from the first line of standard input. It cannot be an argument, because other users can see arguments."`
	Name          string `help:"Display name; the handle if not given."`
	Region        string `help:"Location of their gear, ISO 3166: DE, US-CA."`
	Operator      bool   `help:"Allow moderation: reports, hiding listings, suspending members."`
}

func (memberCreateCommand) Help() string {
	return "Can be used while the server runs. Example:\n\n  secondlight member create --handle jane --email jane@example.org --password-stdin < password.txt"
}

func (m memberCreateCommand) Run(c *console) error {
	password, err := firstLine(c.in)
	if err != nil {
		return err
	}
	return withStore(c, func(store *store.Store) error {
		role := models.RoleMember
		if m.Operator {
			role = models.RoleOperator
		}
		member, err := store.Accounts.CreateAccount(c.ctx, models.Registration{
			Handle: m.Handle, Name: m.Name, Region: models.Region(m.Region), Email: m.Email, Password: password}, role)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.out, "created member %s\n", member.Handle)
		return nil
	})
}

// firstLine reads the first line of in, without the line break.
func firstLine(in io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(in, 4096)).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}
