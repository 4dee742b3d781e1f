package main

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/secondlight/secondlight/models/delivery"
)

type webhookCommand struct {
	Verify webhookVerifyCommand `cmd:"" help:"Check the signature of a webhook, whose body is read from standard input."`
}

type webhookVerifyCommand struct {
	ID        string `name:"id" help:"Header field webhook-id." required:""`
	Timestamp string `help:"Header field webhook-timestamp." required:""`
	Signature string `help:"Header field webhook-signature." required:""`
	Secret    string `help:"Secret of the webhook, whsec_…" required:""`
	Old       bool   `help:"Accept webhooks older than five minutes."`
}

func (webhookVerifyCommand) Help() string {
	return "Webhooks are signed as Standard Webhooks defines it (https://www.standardwebhooks.com). The exit status is 1 if the signature is wrong."
}

func (cmd webhookVerifyCommand) Run(c *console) error {
	body, err := io.ReadAll(c.in)
	if err != nil {
		return err
	}
	header := http.Header{}
	header.Set(delivery.IDHeader, cmd.ID)
	header.Set(delivery.TimestampHeader, cmd.Timestamp)
	header.Set(delivery.StandardHeader, cmd.Signature)
	now := time.Now()
	if cmd.Old {
		now = delivery.SentAt(header)
	}
	if err := delivery.Verify(cmd.Secret, header, string(body), now); err != nil {
		return err
	}
	fmt.Fprintln(c.out, "valid")
	return nil
}
