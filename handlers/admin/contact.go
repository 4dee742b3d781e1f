package admin

import (
	"context"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/admin"
	"github.com/secondlight/secondlight/views/ui"
)

// contactOps holds the operations on messages to the owner of the site.
//
// Visitors write with a form that is signed, limited by address and in all, and has a
// field that people don't see. Programs need a token, because that names a member.
type contactOps struct{ Deps }

const (
	contactPage      = "/contact"
	adminContactPage = "/admin/contact"
)

// contactIn prefills the contact form.
type contactIn struct {
	Topic models.ContactTopic `json:"topic,omitempty" jsonschema:"what the message is about"`
	About string              `json:"about,omitempty" jsonschema:"path of the page it is about" maxlength:"300"`
}

// contactInput is a message to the owner.
type contactInput struct {
	Name  string              `json:"name" jsonschema:"name of the sender" maxlength:"60" example:"Vera Visitor"`
	Email string              `json:"email" jsonschema:"address that the sender is answered at" maxlength:"254" example:"vera@example.org"`
	Topic models.ContactTopic `json:"topic" jsonschema:"what it is about" example:"print"`
	About string              `json:"about,omitempty" jsonschema:"path of the page it is about, such as that of a photograph" maxlength:"300" example:"/portfolio/after-dark/moonrise"`
	Text  string              `json:"text" jsonschema:"the message, plain text" maxlength:"4000" example:"Is the photograph available as a print?"`
}

// message returns the input as a message of the caller.
func (in *contactInput) message(ctx context.Context) *models.ContactMessage {
	return &models.ContactMessage{MemberID: caller.ID(ctx), Name: in.Name, Email: in.Email, Topic: in.Topic, About: in.About, Text: in.Text, Status: models.ContactOpen}
}

// contactFormInput is a message with what protects the form against spam.
type contactFormInput struct {
	contactInput
	Stamp   string `json:"stamp,omitempty" jsonschema:"when the form was made, signed" maxlength:"100"`
	Website string `json:"website,omitempty" jsonschema:"empty: people don't see the field" maxlength:"1000"`
}

// formOperations returns the operations of the contact form.
func (s contactOps) formOperations() []web.Operation {
	return []web.Operation{
		web.Op[contactIn, *ui.FormPage]{
			Name: "show_contact", Page: contactPage, Unlisted: true, Live: true,
			Tag: "Site", Title: "Contact", Summary: "Shows the contact form.", Description: "Returns the form that writes to the owner of the site.",
			Sample: s.sampleSent,
			Do:     s.showForm,
		}.Operation(),
		web.Op[contactFormInput, *ui.FormPage]{
			Name: "send_contact_form", Method: http.MethodPost, Page: contactPage,
			Tag: "Site", Title: "Contact", Summary: "Sends a message to the owner of the site, with the contact form.",
			Description: "Stores the message and emails it to the operators. Programs use send_contact_message.",
			Errors:      []string{"form_expired", "form_too_fast", "too_many_messages"},
			Sample:      s.sampleSent,
			Do:          s.sendForm,
		}.Operation(),
		web.Op[struct{}, *ui.FormPage]{
			Name: "show_contact_sent", Page: contactPage + "/sent", Unlisted: true,
			Tag: "Site", Title: "Message sent", Summary: "Shows that a message was sent.", Description: "Returns the confirmation page.",
			Sample: s.sampleSent,
			Do:     func(context.Context, *struct{}) (*ui.FormPage, error) { return views.NewContactSent(s.Site), nil },
		}.Operation(),
	}
}

// showForm returns the form, filled in with the name and address of a member.
func (s contactOps) showForm(ctx context.Context, in *contactIn) (*ui.FormPage, error) {
	form := views.ContactForm{Topic: in.Topic}
	if strings.HasPrefix(in.About, "/") && web.LocalPath(in.About) == in.About {
		form.About = in.About
	}
	if id := caller.Identity(ctx); id != nil {
		form.Name, form.Email = id.Member.Name, id.Account.Email
	}
	var err error
	form.Stamp, err = s.Records.NewContactStamp(ctx)
	return views.NewContact(s.Site, form), err
}

// sendForm sends a message of the form. One with a filled-in website is stored as spam,
// and its sender can't tell.
func (s contactOps) sendForm(ctx context.Context, in *contactFormInput) (*ui.FormPage, error) {
	if err := s.Records.CheckContactStamp(ctx, in.Stamp); err != nil {
		return nil, err
	}
	m := in.message(ctx)
	if m.Stamp = in.Stamp; in.Website != "" {
		m.Status = models.ContactSpam
	}
	return views.NewContactSent(s.Site), s.send(ctx, m)
}

// send stores a message and emails it to the operators, unless there were too many.
func (s contactOps) send(ctx context.Context, m *models.ContactMessage) error {
	if err := s.Records.LimitContact(ctx, caller.Addr(ctx), m.MemberID); err != nil {
		return err
	}
	return s.AddMessage(ctx, m)
}

// AddMessage stores a message and emails it, without limits.
func (s Deps) AddMessage(ctx context.Context, m *models.ContactMessage) error {
	return s.Records.AddContactMessage(ctx, m, func(operator *models.Account) models.Delivery {
		reader := s.Site.InLanguage(context.Background(), operator.Language)
		return views.ContactEmail(reader, s.Site, m).Delivery(reader, s.Site, operator.MemberID)
	})
}

func (s contactOps) sendMessage() web.Operation {
	return web.Op[contactInput, *views.ContactMessage]{
		Name: "send_contact_message", Method: http.MethodPost, Path: "/api/contact", Creates: true,
		Access: web.Members, Scope: string(models.MessagesWrite), Tag: "Site", Title: "Write to the owner",
		Summary:     "Sends a message to the owner of the site.",
		Description: "Stores the message and emails it to the operators, who answer by email. For a question about a listing use write_message. Deleted after 180 days.",
		Errors:      []string{"invalid_parameter", "too_many_messages"},
		Sample:      func() *views.ContactMessage { return s.sampleMessage() },
		Do: func(ctx context.Context, in *contactInput) (*views.ContactMessage, error) {
			m := in.message(ctx)
			if err := s.send(ctx, m); err != nil {
				return nil, err
			}
			return views.NewContactMessage(s.Site, m, &caller.Identity(ctx).Member), nil
		},
	}.Operation()
}

type listContactInput struct {
	Status models.ContactStatus `json:"status,omitempty" jsonschema:"only messages in this status" default:"open" example:"open"`
	Limit  int                  `json:"limit,omitempty" jsonschema:"messages per page, 1 to 100" min:"1" max:"100" default:"20"`
	Cursor string               `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page"`
}

func (s contactOps) listMessages() web.Operation {
	return web.Op[listContactInput, *views.ContactMessages]{
		Name: "list_contact_messages", Path: "/api/admin/contact", Page: adminContactPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Contact messages",
		Summary:     "Lists messages to the owner of the site, newest first.",
		Description: "Returns messages in one status, open by default, with the address to answer at. Answer by email, then file them with edit_contact_message. Messages are deleted after 180 days, spam after 30.",
		Errors:      []string{"invalid_cursor"},
		Sample:      s.sampleMessages,
		Do:          s.messages,
	}.Operation()
}

// messages returns a page of messages.
func (s contactOps) messages(ctx context.Context, in *listContactInput) (*views.ContactMessages, error) {
	_, before, err := input.ReadCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	found, err := s.Records.ContactMessages(ctx, in.Status, before, in.Limit+1)
	if err != nil {
		return nil, err
	}
	found, next := input.CutPage(found, in.Limit, func(r models.ContactMessage) (models.Time, string) { return r.CreatedAt, r.ID })
	ids := make([]string, len(found))
	for i := range found {
		ids[i] = found[i].MemberID
	}
	members, err := s.Accounts.MembersByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	open, err := s.Records.CountContactMessages(ctx, models.ContactOpen)
	if err != nil {
		return nil, err
	}
	list := make([]*views.ContactMessage, len(found))
	for i := range found {
		list[i] = views.NewContactMessage(s.Site, &found[i], members[found[i].MemberID])
	}
	return views.NewContactMessages(s.Site, in.Status, open, list, ui.NewNext(next, in.Limit, 20)), nil
}

// contactMessageInput is a message.
type contactMessageInput struct {
	ID string `json:"id" in:"path" jsonschema:"id of the message, from list_contact_messages" example:"019aa7d2-7c00-7000-8000-000000000022"`
}

type editContactInput struct {
	contactMessageInput
	Status models.ContactStatus `json:"status" jsonschema:"new status" example:"done"`
}

func (s contactOps) editMessage() web.Operation {
	return web.Op[editContactInput, *views.ContactMessage]{
		Name: "edit_contact_message", Method: http.MethodPatch, Path: "/api/admin/contact/{id}", Page: adminContactPage + "/{id}", Form: adminContactPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "File a contact message",
		Done:        "Message updated.",
		Summary:     "Files a message to the owner as done or as spam, or opens it again.",
		Description: "Sets the status of a message. The sender isn't told.",
		Errors:      []string{"contact_message_not_found"},
		Sample:      func() *views.ContactMessage { return s.sampleMessage() },
		Do: func(ctx context.Context, in *editContactInput) (*views.ContactMessage, error) {
			m, err := s.Records.SetContactStatus(ctx, strings.ToLower(in.ID), in.Status)
			if err != nil {
				return nil, err
			}
			members, err := s.Accounts.MembersByID(ctx, []string{m.MemberID})
			if err != nil {
				return nil, err
			}
			return views.NewContactMessage(s.Site, m, members[m.MemberID]), nil
		},
	}.Operation()
}

func (s contactOps) deleteMessage() web.Operation {
	return web.Op[contactMessageInput, *views.ContactMessages]{
		Name: "delete_contact_message", Method: http.MethodDelete, Path: "/api/admin/contact/{id}", Page: adminContactPage + "/{id}/delete", Form: adminContactPage,
		Access: web.Operators, Scope: string(models.Admin), Destructive: true, Tag: "Administration", Title: "Delete a contact message",
		Done:        "Message deleted.",
		Summary:     "Deletes a message to the owner.",
		Description: "Permanently deletes a message with its sender's address. Returns the open messages.",
		Errors:      []string{"contact_message_not_found"},
		Sample:      s.sampleMessages,
		Do: func(ctx context.Context, in *contactMessageInput) (*views.ContactMessages, error) {
			if err := s.Records.DeleteContactMessage(ctx, strings.ToLower(in.ID)); err != nil {
				return nil, err
			}
			return s.messages(ctx, &listContactInput{Status: models.ContactOpen, Limit: 20})
		},
	}.Operation()
}

// sampleSent returns an example response.
func (s contactOps) sampleSent() *ui.FormPage { return views.NewContactSent(s.Site) }

// sampleMessage returns an example message.
func (s contactOps) sampleMessage() *views.ContactMessage {
	_, _, sender := sample.Reported()
	return views.NewContactMessage(s.Site, &models.ContactMessage{ID: "019aa7d2-7c00-7000-8000-000000000022", Name: "Ada Ortega", Email: "ada@example.org", Topic: models.ContactPrint,
		About: "/portfolio/after-dark/moonrise", Text: "Is the photograph available as a print?", Status: models.ContactOpen, CreatedAt: sample.Day}, sender)
}

// sampleMessages returns an example page of messages.
func (s contactOps) sampleMessages() *views.ContactMessages {
	return views.NewContactMessages(s.Site, models.ContactOpen, 1, []*views.ContactMessage{s.sampleMessage()}, ui.Next{})
}
