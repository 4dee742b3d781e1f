package handlers

import (
	"net/mail"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/delivery"
)

// TestMailPage tests that operators see how email is sent and what failed, without secrets,
// and send it again.
func TestMailPage(t *testing.T) {
	t.Parallel()
	smtp, err := delivery.ParseSMTP("smtp://postrider:pa55word@mail.shop.example")
	must(err)
	s := newMarketServer(t, func(c *Config) { c.SMTP, c.MailFrom = smtp, mail.Address{Address: "shop@shop.example"} })
	op := s.join(t, "the-operator", models.RoleOperator)
	must(s.store.Deliveries.Queue(t.Context(), models.Delivery{Kind: models.Mail, Recipient: "jane@example.org", Subject: "Set a <b>new</b> password", Body: "S3CRET"}))
	due, err := s.store.Deliveries.ClaimDeliveries(t.Context(), 1)
	must(err)
	must1(s.store.Deliveries.Failed(t.Context(), &due[0], "the mail server answered 550", true))

	page := op.ask(t, "GET", "/api/admin/mail", "", 200)
	if page["failed"] != 1.0 || get(t, page, "emails.0.recipient") != "j…@example.org" || get(t, page, "emails.0.error") != "the mail server answered 550" ||
		get(t, page, "mail_settings.mail_server") != "mail.shop.example:587" || get(t, page, "mail_settings.encryption") != "starttls" {
		t.Errorf("read %v", page)
	}
	for _, accept := range []string{"text/html", "application/json", "text/markdown"} {
		_, text := s.do(t, "GET", "/admin/mail", "Cookie", op.cookie, "Accept", accept)
		for _, secret := range []string{"pa55word", "postrider", "S3CRET", "jane@", "<b>new"} {
			if strings.Contains(text, secret) && !(accept == "application/json" && secret == "<b>new") {
				t.Errorf("the page as %s has %s", accept, secret)
			}
		}
	}
	id := get(t, page, "emails.0.id").(string)
	if resp, _ := op.post(t, "/admin/mail/"+id+"/resend", ""); resp.StatusCode != 303 {
		t.Errorf("sent again with %d", resp.StatusCode)
	}
	op.ask(t, "POST", "/api/admin/mail/"+id+"/resend", "", 404)
	op.ask(t, "POST", "/api/admin/mail/test", "", 200)
	mails := s.mails(t)
	if len(mails) != 2 || mails[0].ID != id || mails[1].Recipient != "the-operator@example.org" || !strings.HasPrefix(mails[1].Subject, "Test email") {
		t.Errorf("the emails are %+v", mails)
	}
}
