package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
)

type memberListCommand struct {
	Search    string `arg:"" optional:"" help:"Part of a handle, a name or an email address, or an id."`
	Suspended bool   `help:"Only suspended members."`
	Operators bool   `help:"Only operators."`
	After     string `help:"Only handles after this one, to continue a list."`
	Limit     int    `default:"0" help:"At most this many members; 0 for all."`
	JSON      bool   `name:"json" help:"Print a JSON object for each member, one per line."`
}

func (memberListCommand) Help() string {
	return "Lists members in order of handle, with their email addresses. Can be used while the server runs. Example:\n\n" +
		"  secondlight member list --suspended --json | jq -r .email"
}

// listedMember is a line of member list --json.
type listedMember struct {
	ID          string `json:"id"` // as in rows of the database
	Handle      string `json:"handle"`
	Name        string `json:"name"`
	Email       string `json:"email,omitempty"`  // none without an account
	Status      string `json:"status"`           // member, operator, suspended, or no_account
	Region      string `json:"region,omitempty"` // ISO 3166
	JoinedAt    string `json:"joined_at"`
	SuspendedAt string `json:"suspended_at,omitempty"`
	Demo        bool   `json:"demo,omitempty"`
}

func (cmd memberListCommand) Run(c *console) error {
	if cmd.Limit < 0 {
		return usageError{fmt.Errorf("--limit=%d is negative", cmd.Limit)}
	}
	line := printMember
	if cmd.JSON {
		line = func(w io.Writer, m *listedMember) error { return json.NewEncoder(w).Encode(m) }
	}
	filter := store.MemberFilter{Text: cmd.Search, Suspended: cmd.Suspended, After: strings.ToLower(cmd.After)}
	if cmd.Operators {
		filter.Role = models.RoleOperator
	}
	out, n, enough := bufio.NewWriter(c.out), 0, errors.New("enough")
	return withStore(c, func(store *store.Store) error {
		err := store.Accounts.EachMemberRow(c.ctx, filter, func(m *models.MemberRow) error {
			if n++; cmd.Limit > 0 && n > cmd.Limit {
				return enough
			}
			return line(out, newListedMember(m))
		})
		if errors.Is(err, enough) {
			err = nil
		}
		return errors.Join(err, out.Flush())
	})
}

func newListedMember(m *models.MemberRow) *listedMember {
	l := &listedMember{ID: m.ID, Handle: m.Handle, Name: m.Name, Email: m.Email, Status: string(m.Role), Region: string(m.Region), JoinedAt: m.JoinedAt.RFC3339(), Demo: m.Demo}
	switch {
	case m.Role == "":
		l.Status = "no_account"
	case m.SuspendedAt != 0:
		l.Status, l.SuspendedAt = "suspended", m.SuspendedAt.RFC3339()
	}
	return l
}

// printMember prints a member in columns: handle, status, date of joining, email address
// and name.
func printMember(w io.Writer, m *listedMember) error {
	email := m.Email
	if email == "" {
		email = "-"
	}
	_, err := fmt.Fprintf(w, "%-30s  %-10s  %.10s  %-32s  %s\n", m.Handle, strings.ReplaceAll(m.Status, "_", " "), m.JoinedAt, printable(email), printable(m.Name))
	return err
}

// printable returns text without the characters that control a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
}

// memberModeration holds the arguments of suspend and restore.
type memberModeration struct {
	Handle   string `arg:"" help:"The member's handle."`
	Reason   string `required:"" help:"Why, for the audit log."`
	Operator string `help:"Handle of the operator who decides; needed if the site has several."`
}

type memberSuspendCommand struct{ memberModeration }

func (memberSuspendCommand) Help() string {
	return "Signs the member out, removes their listings and withdraws their offers. The reason is written to the audit log, " +
		"under the name of the operator and as made on the command line. Can be used while the server runs. Example:\n\n" +
		"  secondlight member suspend jane --reason 'asks for payment outside the site'"
}

func (cmd memberSuspendCommand) Run(c *console) error { return cmd.moderate(c, true, "suspended") }

type memberRestoreCommand struct{ memberModeration }

func (memberRestoreCommand) Help() string {
	return "Puts the listings up again that the suspension removed; offers stay closed. The reason is written to the audit log. Can be used while the server runs."
}

func (cmd memberRestoreCommand) Run(c *console) error { return cmd.moderate(c, false, "restored") }

func (cmd memberModeration) moderate(c *console, suspend bool, done string) error {
	return cmd.with(c, func(store *store.Store, member *models.Member, operator string) error {
		if _, err := store.Moderation.ModerateMember(c.ctx, operator, member.ID, suspend, cmd.note()); err != nil {
			return err
		}
		fmt.Fprintf(c.out, "%s member %s\n", done, member.Handle)
		return nil
	})
}

// note returns the note of the audit log.
func (cmd memberModeration) note() string {
	return "On the command line: " + strings.TrimSpace(cmd.Reason)
}

// with calls do with the member and the id of the operator.
func (cmd memberModeration) with(c *console, do func(db *store.Store, member *models.Member, operator string) error) error {
	if strings.TrimSpace(cmd.Reason) == "" {
		return usageError{errors.New("--reason is empty")}
	}
	return withStore(c, func(db *store.Store) error {
		member, err := db.Accounts.Member(c.ctx, strings.ToLower(cmd.Handle))
		if err != nil {
			return err
		}
		operator, err := cmd.operator(c, db)
		if err != nil {
			return err
		}
		return do(db, member, operator)
	})
}

// operator returns the id of the operator in whose name a member is moderated: the one
// named, or else the only one.
func (cmd memberModeration) operator(c *console, db *store.Store) (id string, err error) {
	var handles []string
	named := strings.ToLower(cmd.Operator)
	err = db.Accounts.EachMemberRow(c.ctx, store.MemberFilter{Role: models.RoleOperator}, func(m *models.MemberRow) error {
		if named == "" || named == m.Handle {
			handles = append(handles, m.Handle)
		}
		return nil
	})
	switch {
	case err != nil:
		return "", err
	case len(handles) > 1:
		return "", usageError{fmt.Errorf("the site has several operators: choose one with --operator, such as %s", handles[0])}
	case len(handles) == 0 && named != "":
		return "", fmt.Errorf("%s is not an operator: see secondlight member list --operators", cmd.Operator)
	case len(handles) == 0:
		return "", errors.New("the site has no operator: create one with secondlight member create --operator")
	}
	operator, err := db.Accounts.Member(c.ctx, handles[0])
	if err != nil {
		return "", err
	}
	return operator.ID, nil
}

type memberResetCommand struct {
	Handle string `arg:"" help:"The member's handle."`
}

func (memberResetCommand) Help() string {
	return "Signs the member out everywhere and prints a link to standard output, with which a new password can be set once within an hour. " +
		"Their old password works until then; setting the new one also ends their tokens and suspends their passkeys. " +
		"Whoever has the link has the account: send it only to the member. Can be used while the server runs."
}

func (cmd memberResetCommand) Run(c *console) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	return withStore(c, func(db *store.Store) error {
		member, err := db.Accounts.Member(c.ctx, strings.ToLower(cmd.Handle))
		if err != nil {
			return err
		}
		account, err := db.Accounts.Account(c.ctx, member.ID)
		if missing := (*problem.Error)(nil); errors.As(err, &missing) {
			return fmt.Errorf("%s has no account, and so no password", member.Handle)
		}
		if err != nil {
			return err
		}
		code, err := db.Accounts.BeginPasswordReset(c.ctx, account.Email)
		if err != nil {
			return err
		}
		if err := db.Accounts.EndSessions(c.ctx, member.ID); err != nil {
			return err
		}
		fmt.Fprintf(c.errOut, "%s is signed out. This link works once, until %s:\n", member.Handle, time.Now().Add(store.ResetLifetime).Format("15:04"))
		fmt.Fprintln(c.out, set.BaseURL+"/reset-password/new?code="+url.QueryEscape(code))
		return nil
	})
}
