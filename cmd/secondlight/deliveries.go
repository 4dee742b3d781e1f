package main

import (
	"fmt"

	"github.com/secondlight/secondlight/models/store"
)

type deliveriesCommand struct {
	Status deliveriesStatusCommand `cmd:"" default:"1" help:"Show whether email and webhooks are being sent."`
	Pause  deliveriesPauseCommand  `cmd:"" help:"Pause email and webhooks."`
	Resume deliveriesResumeCommand `cmd:"" help:"Resume email and webhooks."`
}

func (deliveriesCommand) Help() string {
	return "After a restore, email and webhooks are queued and not sent, because those that waited when the backup was made were probably sent since. " +
		"All these commands can be used while the server runs."
}

type deliveriesStatusCommand struct{}

func (deliveriesStatusCommand) Run(c *console) error {
	return withStore(c, func(store *store.Store) error {
		since, err := store.Deliveries.DeliveriesPaused(c.ctx)
		switch {
		case err != nil:
			return err
		case since == 0:
			fmt.Fprintln(c.out, "email and webhooks are sent")
		default:
			fmt.Fprintf(c.out, "email and webhooks are paused since %s\n", since.RFC3339())
		}
		return nil
	})
}

type deliveriesPauseCommand struct{}

func (deliveriesPauseCommand) Run(c *console) error {
	return withStore(c, func(store *store.Store) error {
		if err := store.Deliveries.PauseDeliveries(c.ctx); err != nil {
			return err
		}
		fmt.Fprintln(c.out, "email and webhooks are paused")
		return nil
	})
}

type deliveriesResumeCommand struct {
	Discard  bool   `help:"Delete those that wait, instead of sending them."`
	Operator string `help:"Handle of the operator who decides; needed if the site has several."`
}

func (cmd deliveriesResumeCommand) Run(c *console) error {
	return withStore(c, func(store *store.Store) error {
		operator, err := memberModeration{Operator: cmd.Operator}.operator(c, store)
		if err != nil {
			return err
		}
		if cmd.Discard {
			n, err := store.Deliveries.DiscardDeliveries(c.ctx)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.out, "deleted %d that waited\n", n)
		}
		if err := store.Deliveries.ResumeDeliveries(c.ctx, operator, "On the command line"); err != nil {
			return err
		}
		fmt.Fprintln(c.out, "email and webhooks are sent again")
		return nil
	})
}
