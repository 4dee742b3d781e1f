package account

import (
	"context"
	"net/http"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/handlers/mailer"
	"github.com/secondlight/secondlight/handlers/settings"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/account"
	adminviews "github.com/secondlight/secondlight/views/admin"
	"github.com/secondlight/secondlight/views/ui"
)

// SetupPath returns the path of the page that sets up the site with a secret.
func SetupPath(secret string) string { return SetupPage + "?token=" + secret }

const SetupPage = "/setup"

type setupTokenIn struct {
	Token string `json:"token,omitempty" jsonschema:"secret of the link in the log" maxlength:"100"`
}

type setupIn struct {
	Token    string             `json:"token" jsonschema:"secret of the link in the log" maxlength:"100"`
	SiteName string             `json:"site_name" jsonschema:"name of the site" maxlength:"60" example:"Foto Ecke"`
	Purpose  models.SitePurpose `json:"purpose" jsonschema:"what the site is" example:"portfolio_and_shop"`
	Name     string             `json:"name" jsonschema:"name of the owner" maxlength:"60" example:"Ada Ortega"`
	Handle   string             `json:"handle" jsonschema:"handle used in URLs: 3 to 30 letters, digits and single hyphens" maxlength:"30" example:"ada-ortega"`
	Email    string             `json:"email" jsonschema:"email address to sign in with" maxlength:"254" example:"ada@example.org"`
	Password string             `json:"password" jsonschema:"at least 10 characters" format:"password" maxlength:"1000"`
	Currency string             `json:"currency,omitempty" jsonschema:"currency of prices, ISO 4217" maxlength:"3" example:"EUR"`
	Country  models.Region      `json:"country,omitempty" jsonschema:"country of the owner, ISO 3166" example:"DE"`
	Language string             `json:"language,omitempty" jsonschema:"default language of pages" maxlength:"10" example:"de"`
	Start    string             `json:"start,omitempty" jsonschema:"what the shop starts with" enum:"empty,demo" example:"empty"`
}

// setupOperations returns the operations that set up a new site.
func (s accountOps) setupOperations() []web.Operation {
	return []web.Operation{
		web.Op[setupTokenIn, *ui.FormPage]{
			Name: "show_setup", Page: SetupPage, Unlisted: true, Live: true,
			Tag: "Account", Title: "Set up the site", Summary: "Shows the form that sets up a new site.", Description: "Returns the form that sets up a new site, to who has the link in its log.",
			Errors: []string{"code_invalid", "set_up_already"},
			Sample: s.sampleForm,
			Do: func(ctx context.Context, in *setupTokenIn) (*ui.FormPage, error) {
				return adminviews.NewSetup(s.Site, in.Token, s.Settings.Demo.Fill != nil), s.Accounts.CheckSetup(ctx, in.Token)
			},
		}.Operation(),
		web.Op[setupIn, *views.SessionResult]{
			Name: "set_up_site", Method: http.MethodPost, Page: SetupPage,
			Tag: "Account", Title: "Set up the site", Summary: "Sets up a new site and makes its owner an operator.",
			Description: "Creates the account of the owner, stores the first settings and signs the browser in. Works once, with the link in the log.",
			Done:        "Your site is set up. Here’s what to do next.",
			Errors:      []string{"invalid_parameter", "code_invalid", "set_up_already"},
			Sample:      s.sampleSession,
			Do:          s.setUpSite,
		}.Operation(),
	}
}

func (s accountOps) setUpSite(ctx context.Context, in *setupIn) (*views.SessionResult, error) {
	set := &models.SiteSettings{Name: in.SiteName, Owner: in.Name, Purpose: in.Purpose, Currency: in.Currency, Country: in.Country}
	if in.Language != "" {
		set.Languages = []string{in.Language}
	}
	if err := set.Check(settings.LanguageCodes(languages.All), nil); err != nil {
		return nil, err
	}
	owner := models.Registration{Handle: in.Handle, Name: in.Name, Region: in.Country, Email: in.Email, Password: in.Password, Language: in.Language}
	account, err := s.Accounts.SetUp(ctx, in.Token, owner, set, in.Start == "demo" && s.Settings.Demo.Fill != nil)
	if err != nil {
		return nil, err
	}
	s.Settings.Reload()
	s.Settings.Demo.Request()
	if err := s.Mailer.Send(ctx, account.Email, mailer.EmailSetUp, in.Handle, settings.ChecklistPage); err != nil {
		return nil, err
	}
	return s.startSession(ctx, account, settings.ChecklistPage)
}
