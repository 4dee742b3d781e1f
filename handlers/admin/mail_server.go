package admin

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/mail"
	"strings"
	"time"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/sealed"
	"github.com/secondlight/secondlight/models/store"
	views "github.com/secondlight/secondlight/views/admin"
)

// MailServers knows the mail server of the site: that of the environment, or that which the owner
// has set.
type MailServers struct {
	Records *store.Site
	Box     sealed.Box
	SMTP    *delivery.SMTP // of the environment; nil if it sets none
	From    mail.Address   // sender unless the owner sets another
}

// mailBox names the password of the mail server when it is encrypted.
const mailBox = "mail server"

// Current returns the mail server that the owner has set, with the address of the sender, and nil if
// they have set none.
func (s *MailServers) Current(ctx context.Context) (*delivery.SMTP, string, error) {
	set, password, err := s.read(ctx)
	if err != nil || set.Host == "" {
		return nil, "", err
	}
	return delivery.NewSMTP(set, password), set.Sender, nil
}

// read returns what the owner has set, with the password.
func (s *MailServers) read(ctx context.Context) (set *models.MailServer, password string, err error) {
	set = &models.MailServer{}
	if err := s.Records.OwnerSetting(ctx, models.MailServerSetting, set); err != nil || set.Password == "" {
		return set, "", err
	}
	password, err = s.Box.Open(mailBox, set.Password)
	return set, password, err
}

// settings returns how email is sent, without secrets.
func (s *MailServers) settings(ctx context.Context) (views.MailSettings, error) {
	shown := views.MailSettings{Transport: views.OutboxTransport, From: s.From.Address}
	smtp := s.SMTP
	if shown.Environment = smtp != nil; !shown.Environment {
		set, password, err := s.read(ctx)
		if shown.Locked = errors.Is(err, sealed.ErrKey); err != nil && !shown.Locked {
			return shown, err
		}
		if set.Host != "" {
			smtp = delivery.NewSMTP(set, password)
			shown.From, shown.Host, shown.Port, shown.User, shown.Sender = cmp.Or(set.Sender, shown.From), set.Host, set.Port, set.User, set.Sender
		}
	}
	if smtp != nil {
		shown.Transport, shown.Server, shown.Encryption, shown.SignsIn = views.SMTPTransport, smtp.Address(), smtp.Encryption(), smtp.SignsIn()
	}
	return shown, nil
}

// mailServerInput is a mail server.
type mailServerInput struct {
	Preset   string  `json:"preset,omitempty" jsonschema:"provider, whose mail server and port apply unless they are given" enum:"own,gmail,fastmail,mailgun,brevo,postmark" example:"own"`
	Host     string  `json:"mail_server,omitempty" jsonschema:"host of the mail server; empty without a preset: email is written to files again" maxlength:"253" example:"mail.shop.example"`
	Port     *int64  `json:"port,omitempty" jsonschema:"465: TLS from the start; others: STARTTLS; default: 587" min:"1" max:"65535" example:"587"`
	User     string  `json:"user_name,omitempty" jsonschema:"user name to sign in with; none: without signing in" maxlength:"254" example:"shop@shop.example"`
	Password *string `json:"password,omitempty" jsonschema:"password; default: the one that is stored" format:"password" maxlength:"1000"`
	Sender   string  `json:"sender_address,omitempty" jsonschema:"sender of email; default: of the server" maxlength:"254" example:"shop@shop.example"`
}

func (s mailOps) editMail() web.Operation {
	return web.Op[mailServerInput, *views.Mail]{
		Name: "edit_mail", Method: http.MethodPut, Path: "/api/admin/mail", Page: mailPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Set up email",
		Done:        "Email is set up. Send yourself a test.",
		Summary:     "Sets the mail server.",
		Description: "Signs in to the mail server, and stores it if that works. The password is encrypted and never returned. SMTP_URL in the environment takes precedence.",
		Errors:      []string{"invalid_parameter"},
		Sample:      s.sampleMail,
		Do:          s.doEditMail,
	}.Operation()
}

func (s mailOps) doEditMail(ctx context.Context, in *mailServerInput) (*views.Mail, error) {
	before, _, err := s.Mail.read(ctx)
	if err != nil && !errors.Is(err, sealed.ErrKey) {
		return nil, err
	}
	set, err := in.server()
	if err != nil {
		return nil, err
	}
	set.Password = before.Password
	if given := in.Password; given != nil && *given != "" {
		if set.Password, err = s.Mail.Box.Seal(mailBox, *given); err != nil {
			return nil, err
		}
	}
	if set.User == "" || set.Host != before.Host && set.Password == before.Password { // a stored password goes to no other server
		set.Password = ""
	}
	if set.Host != "" {
		if err := s.tryMail(ctx, set); err != nil {
			return nil, err
		}
	}
	if err := s.Records.SetOwnerSetting(ctx, caller.ID(ctx), models.MailServerSetting, set); err != nil {
		return nil, err
	}
	return s.mail(ctx)
}

// server returns the mail server of the input, without its password, or field errors.
func (in *mailServerInput) server() (*models.MailServer, error) {
	set := &models.MailServer{Host: strings.ToLower(strings.TrimSpace(in.Host)), User: strings.TrimSpace(in.User), Port: 587}
	if p := views.MailPresetOf(in.Preset); p != nil && set.Host == "" {
		set.Host, set.Port = p.Host, p.Port
	} else if in.Port != nil {
		set.Port = int(*in.Port)
	}
	set.TLS = set.Port == 465
	var fieldErrors web.FieldErrors
	if strings.ContainsAny(set.Host, "/ @:") {
		fieldErrors.Add("mail_server", problem.Textf("This isn't the name of a server."), problem.Textf("Enter one such as mail.shop.example."))
	}
	if in.Sender != "" {
		var ok bool
		if set.Sender, ok = models.ParseEmail(in.Sender); !ok {
			fieldErrors.Add("sender_address", problem.Textf("Enter an email address such as hello@shop.example."), nil)
		}
	}
	return set, fieldErrors.Err()
}

// lostPassword returns the field error for a stored password that was encrypted with another key.
func lostPassword() error {
	return web.InvalidField("password", problem.Textf("The stored password can't be read any more."), problem.Textf("Enter it again."))
}

// signInTime limits an attempt to sign in to a mail server.
const signInTime = 15 * time.Second

// tryMail signs in to a mail server, and returns a field error if that fails.
func (s mailOps) tryMail(ctx context.Context, set *models.MailServer) error {
	password := ""
	if set.Password != "" {
		var err error
		if password, err = s.Mail.Box.Open(mailBox, set.Password); err != nil {
			return lostPassword()
		}
	}
	ctx, cancel := context.WithTimeout(ctx, signInTime)
	defer cancel()
	if err := delivery.NewSMTP(set, password).Check(ctx); err != nil {
		return web.InvalidField("mail_server", problem.Textf("The mail server can't be used: %s.", err.Error()), problem.Textf("Check the server, the port, the user name and the password."))
	}
	return nil
}
