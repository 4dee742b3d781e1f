package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
)

type tokenCommand struct {
	Create tokenCreateCommand `cmd:"" help:"Create an access token for a member and print it to standard output."`
}

type tokenCreateCommand struct {
	Handle  string        `required:"" help:"The member's handle."`
	Scope   []string      `required:"" help:"Scopes, separated by commas or repeated: listings:write, offers:write, messages:write, watch:write, account:read, tokens:write and, if the member's role has them, moderation, site, admin."`
	Name    string        `default:"created on the command line" help:"Name that says what the token is for."`
	Expires time.Duration `help:"How long it is valid, such as 720h; it does not expire if not given."`
}

func (tokenCreateCommand) Help() string {
	return "Can be used while the server runs. Example:\n\n  TOKEN=$(secondlight token create --handle jane --scope listings:write,account:read)"
}

func (t tokenCreateCommand) Run(c *console) error {
	scopes, err := models.ParseScopes(strings.Join(t.Scope, ","))
	if err != nil {
		return usageError{err}
	}
	if t.Expires < 0 {
		return usageError{fmt.Errorf("--expires=%s is negative", t.Expires)}
	}
	return withStore(c, func(store *store.Store) error {
		member, err := store.Accounts.Member(c.ctx, t.Handle)
		if err != nil {
			return err
		}
		token := models.Token{Name: t.Name, Scopes: scopes}
		if t.Expires > 0 {
			token.ExpiresAt = models.TimeOf(time.Now().Add(t.Expires))
		}
		secret, err := store.Tokens.CreateToken(c.ctx, member.ID, &token)
		if err != nil {
			return err
		}
		fmt.Fprintln(c.out, secret)
		return nil
	})
}
