package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/secondlight/secondlight/models"
)

type memberCommand struct {
	Create memberCreateCommand `cmd:"" help:"Make a member with an account, without mail."`
}

type memberCreateCommand struct {
	Handle        string `required:"" help:"Name in addresses: 3 to 30 letters, digits and hyphens."`
	Email         string `required:"" help:"E-mail address to sign in with."`
	PasswordStdin bool   `required:"" help:"Read the password from the first line of standard input; there is no other way to give it, because others can read a command line."`
	Name          string `help:"Name to show; the handle when missing."`
	Region        string `help:"Where their gear is, ISO 3166: DE, US-CA."`
	Operator      bool   `help:"Let them look after the site: reports, hiding, suspending."`
}

func (memberCreateCommand) Help() string {
	return "Works beside a running server. Example:\n\n  secondlight member create --handle jane --email jane@example.org --password-stdin < password.txt"
}

func (m memberCreateCommand) Run(c *console) error {
	password, err := firstLine(c.in)
	if err != nil {
		return err
	}
	return withStore(c, func(store *models.Store) error {
		role := models.RoleMember
		if m.Operator {
			role = models.RoleOperator
		}
		member, err := store.CreateAccount(c.ctx, models.Registration{
			Handle: m.Handle, Name: m.Name, Region: models.Region(m.Region), Email: m.Email, Password: password}, role)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.out, "%s is a member\n", member.Handle)
		return nil
	})
}

// firstLine reads a line of standard input, without its end.
func firstLine(in io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(in, 4096)).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}
