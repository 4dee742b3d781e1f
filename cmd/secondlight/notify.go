package main

import (
	"errors"
	"fmt"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
)

type notifyCommand struct {
	Unit string `arg:"" help:"What has failed, such as secondlight-backup."`
}

func (notifyCommand) Help() string {
	return "Queues an email to CONTACT_EMAIL that says that a unit of systemd has failed. The running server sends it. The units of the package call it when a backup fails."
}

func (cmd notifyCommand) Run(c *console) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	if set.ContactEmail == "" {
		return usageError{errors.New("CONTACT_EMAIL is not set")}
	}
	return withStore(c, func(db *store.Store) error {
		return db.Deliveries.Queue(c.ctx, models.Delivery{Kind: models.Mail, Recipient: set.ContactEmail, Subject: set.SiteName + ": " + cmd.Unit + " failed",
			Body: fmt.Sprintf("%s of %s failed. This command says why:\n\njournalctl --unit %s --lines 50\n", cmd.Unit, set.BaseURL, cmd.Unit)})
	})
}
