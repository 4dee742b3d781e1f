package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/secondlight/secondlight/handlers/mailer"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/account"
	"github.com/secondlight/secondlight/views/ui"
)

type memberExportCommand struct{ memberModeration }

func (memberExportCommand) Help() string {
	return "Prints the JSON file that the member finds under \"Your data\". The audit log records it. Can be used while the server runs. Example:\n\n" +
		"  secondlight member export jane --reason 'asked in writing on 2 May' > jane.json"
}

func (cmd memberExportCommand) Run(c *console) error {
	return cmd.with(c, func(db *store.Store, member *models.Member, operator string) error {
		site, err := siteOf(c, db)
		if err != nil {
			return err
		}
		tables, err := db.Accounts.PersonalData(c.ctx, member.ID)
		if err != nil {
			return err
		}
		if _, err := db.Moderation.Record(c.ctx, operator, models.ExportMember, member.ID, cmd.note()); err != nil {
			return err
		}
		return json.NewEncoder(c.out).Encode(account.NewMemberExport(site, member.Handle, models.TimeOf(time.Now()), tables))
	})
}

// siteOf returns the site with the settings in its database.
func siteOf(c *console, db *store.Store) (*ui.Site, error) {
	set, err := readSettings(c.env)
	if err != nil {
		return nil, err
	}
	own, version, err := db.Site.SiteSettings(c.ctx)
	if err != nil {
		return nil, err
	}
	site := set.site(false)
	site.Use(own, ui.SiteState{Version: version})
	return site, nil
}

type memberDeleteCommand struct {
	memberModeration
	Yes bool `help:"Delete it. Without this nothing happens."`
}

func (memberDeleteCommand) Help() string {
	return "Deletes the account, its name, tokens and active listings for good, and withdraws offers. Records that other members rely on, such as completed sales, stay without a name. " +
		"The audit log records it. Can be used while the server runs. Example:\n\n" +
		"  secondlight member delete jane --yes --reason 'asked in writing on 2 May'"
}

func (cmd memberDeleteCommand) Run(c *console) error {
	if !cmd.Yes {
		return usageError{errors.New("this can't be undone: add --yes, and export the data first if the member wants it")}
	}
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	return cmd.with(c, func(db *store.Store, member *models.Member, operator string) error {
		accounts, err := db.Accounts.AccountsByID(c.ctx, []string{member.ID})
		if err != nil {
			return err
		}
		if err := db.Accounts.DeleteAccount(c.ctx, member.ID); err != nil {
			return err
		}
		if deleted := accounts[member.ID]; deleted != nil {
			mail := mailer.Mailer{Outbox: set.outbox()}
			if err := mail.Forget(deleted.Email); err != nil {
				return err
			}
		}
		if _, err := db.Moderation.Record(c.ctx, operator, models.DeleteMember, member.ID, cmd.note()); err != nil {
			return err
		}
		fmt.Fprintf(c.out, "deleted the account of %s\n", member.Handle)
		return nil
	})
}

type memberEmailCommand struct {
	memberModeration
	To string `required:"" help:"The new email address."`
}

func (memberEmailCommand) Help() string {
	return "Make sure first that it is the member who asks. It signs them out everywhere, ends their tokens and suspends their passkeys. The new address gets a link to set a new password, " +
		"which works once within an hour, and the old one a link to undo the change within 72 hours. Can be used while the server runs, which sends the emails."
}

func (cmd memberEmailCommand) Run(c *console) error {
	return cmd.with(c, func(db *store.Store, member *models.Member, operator string) error {
		site, err := siteOf(c, db)
		if err != nil {
			return err
		}
		accounts, err := db.Accounts.AccountsByID(c.ctx, []string{member.ID})
		if err != nil {
			return err
		}
		if accounts[member.ID] == nil {
			return fmt.Errorf("%s has no account, and so no email address", member.Handle)
		}
		mail := mailer.Mailer{Deliveries: db.Deliveries, Site: site}
		if err := mail.ReplaceEmail(c.ctx, db.Accounts, accounts[member.ID], member.Handle, cmd.To); err != nil {
			return err
		}
		if _, err := db.Moderation.Record(c.ctx, operator, models.ReplaceEmail, member.ID, cmd.note()); err != nil {
			return err
		}
		fmt.Fprintf(c.out, "changed the email address of %s: the links are queued for both addresses\n", member.Handle)
		return nil
	})
}

type memberSessionsCommand struct {
	Handle   string `arg:"" help:"The member's handle."`
	End      bool   `help:"Sign the member out everywhere. Their password and tokens still work."`
	Reason   string `help:"Why, for the audit log; needed with --end."`
	Operator string `help:"Handle of the operator who decides; needed with --end if the site has several."`
}

func (memberSessionsCommand) Help() string {
	return "Prints when each session was last used, when it began, and the browser. Can be used while the server runs."
}

func (cmd memberSessionsCommand) Run(c *console) error {
	if !cmd.End {
		return withStore(c, func(db *store.Store) error {
			member, err := db.Accounts.Member(c.ctx, cmd.Handle)
			if err != nil {
				return err
			}
			sessions, err := db.Accounts.Sessions(c.ctx, member.ID)
			for _, s := range sessions {
				fmt.Fprintf(c.out, "%s  %s  %s\n", s.SeenAt.RFC3339(), s.CreatedAt.RFC3339(), printable(s.Client))
			}
			return err
		})
	}
	of := memberModeration{cmd.Handle, cmd.Reason, cmd.Operator}
	return of.with(c, func(db *store.Store, member *models.Member, operator string) error {
		if err := db.Accounts.EndSessions(c.ctx, member.ID); err != nil {
			return err
		}
		if _, err := db.Moderation.Record(c.ctx, operator, models.EndSessions, member.ID, of.note()); err != nil {
			return err
		}
		fmt.Fprintf(c.out, "%s is signed out\n", member.Handle)
		return nil
	})
}
