package admin

import (
	"context"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/mailer"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/admin"
)

// mailOps holds the operations on the emails that the site sends.
type mailOps struct{ Deps }

const mailPage = "/admin/mail"

// unsentShown is how many emails that are not sent are listed.
const unsentShown = 50

func (s mailOps) getMail() web.Operation {
	return web.Op[struct{}, *views.Mail]{
		Name: "get_mail", Path: "/api/admin/mail", Page: mailPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Email",
		Summary:     "Says how email is sent, and which emails are not sent yet or have failed.",
		Description: "Returns the settings without secrets, the numbers of emails that wait, are tried again and have failed, and up to 50 of them with the reason and a shortened address. Send one again with resend_email.",
		Sample:      s.sampleMail,
		Do:          func(ctx context.Context, _ *struct{}) (*views.Mail, error) { return s.mail(ctx) },
	}.Operation()
}

// mail returns the page about email.
func (s mailOps) mail(ctx context.Context) (*views.Mail, error) {
	counts, err := s.Deliveries.CountMail(ctx)
	if err != nil {
		return nil, err
	}
	unsent, err := s.Deliveries.UnsentMail(ctx, unsentShown)
	if err != nil {
		return nil, err
	}
	set, err := s.Mail.settings(ctx)
	if err != nil {
		return nil, err
	}
	return views.NewMail(s.Site, set, counts, unsent), nil
}

var emailTest = mailer.NewAccountEmail("Test email", `This is the test email that you asked {{.Site}} for. Sending email works.

{{.Link}}
`)

func (s mailOps) sendTestEmail() web.Operation {
	return web.Op[struct{}, *views.Mail]{
		Name: "send_test_email", Method: http.MethodPost, Path: "/api/admin/mail/test", Page: mailPage + "/test", Form: mailPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Send a test email",
		Done:        "A test email to your address is on its way. If it can't be sent, this page says why.",
		Summary:     "Sends a test email to your address.",
		Description: "Queues an email to the address of your account. get_mail says if it could not be sent, and why.",
		Errors:      []string{"too_many_guesses"},
		Sample:      s.sampleMail,
		Do: func(ctx context.Context, _ *struct{}) (*views.Mail, error) {
			account := caller.Identity(ctx).Account
			if err := s.Accounts.LimitEmail(ctx, account.Email, caller.Addr(ctx)); err != nil {
				return nil, err
			}
			if err := s.Mailer.Send(ctx, account.Email, emailTest, "", mailPage); err != nil {
				return nil, err
			}
			return s.mail(ctx)
		},
	}.Operation()
}

type emailInput struct {
	ID string `json:"id" in:"path" jsonschema:"id of the email, from get_mail" example:"019aa7d2-7c00-7000-8000-000000000021"`
}

func (s mailOps) resendEmail() web.Operation {
	return web.Op[emailInput, *views.Mail]{
		Name: "resend_email", Method: http.MethodPost, Path: "/api/admin/mail/{id}/resend", Page: mailPage + "/{id}/resend", Form: mailPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Send an email again",
		Done:        "Email queued to resend.",
		Summary:     "Sends an email again that failed.",
		Description: "Queues an email that failed again, with all attempts. Emails that were given up on can be sent again for 14 days.",
		Errors:      []string{"email_not_found"},
		Sample:      s.sampleMail,
		Do: func(ctx context.Context, in *emailInput) (*views.Mail, error) {
			if err := s.Deliveries.Requeue(ctx, strings.ToLower(in.ID)); err != nil {
				return nil, err
			}
			return s.mail(ctx)
		},
	}.Operation()
}

// sampleMail returns an example response.
func (s mailOps) sampleMail() *views.Mail {
	set := views.MailSettings{Transport: views.SMTPTransport, Server: "mail.shop.example:587", Encryption: "starttls", SignsIn: true, From: "shop@shop.example"}
	return views.NewMail(s.Site, set, models.MailCounts{Waiting: 2, Failed: 1}, []models.Delivery{{ID: "019aa7d2-7c00-7000-8000-000000000021", Recipient: "jane@example.org",
		Subject: "An offer on Leica M6", Attempts: 12, Error: "the mail server answered 550", FailedAt: sample.Day, CreatedAt: sample.Day}})
}
