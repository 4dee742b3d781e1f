package oauth

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/account"
	"github.com/secondlight/secondlight/handlers/mailer"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/oauth"
)

// maxAuthorizeRequest is the maximum length of an authorization request in bytes. The
// sign-in page has to carry it.
const maxAuthorizeRequest = 4000

// authorizeRequest is a valid authorization request. It is stored while the member
// decides.
type authorizeRequest struct {
	ClientID, ClientName string
	RedirectURI, State   string
	Resource, Challenge  string
	Scopes               models.Scopes
}

// authorize shows the consent page for an authorization request (RFC 6749 section
// 4.1.1). It looks nothing up before the member has signed in, so that nobody else can
// make the server fetch documents.
func (o oauthServer) authorize(c *fiber.Ctx) error {
	by := sessionOf(c)
	if len(c.Context().RequestURI()) > maxAuthorizeRequest {
		return &problem.Error{Kind: problem.Invalid, Code: "bad_request", Message: problem.Textf("The app's request is too long."), Hint: problem.Textf("Contact the app's developer.")}
	}
	if by == nil {
		return o.SeeOther(c, account.SignInPage+"?next="+url.QueryEscape(string(c.Context().RequestURI())))
	}
	query, err := url.ParseQuery(string(c.Context().URI().QueryString()))
	if err != nil {
		return &problem.Error{Kind: problem.Invalid, Code: "invalid_encoding", Message: problem.Textf("The app's request is malformed."), Hint: problem.Textf("Go back to the app and connect it again.")}
	}
	client, err := o.client(c, by.Member.ID, single(query, "client_id"))
	if err != nil {
		return err
	}
	r := authorizeRequest{ClientID: client.ID, ClientName: client.Name, RedirectURI: single(query, "redirect_uri"), State: single(query, "state")}
	if !client.Redirects(r.RedirectURI) {
		return &problem.Error{Kind: problem.Invalid, Code: "invalid_redirect_uri",
			Message: problem.Textf("The app asked to return to an address that it has not registered."), Hint: problem.Textf("Go back to the app and connect it again.").And(problem.Programf("If that doesn't help, contact its developer: redirect_uri must be one of its redirect_uris exactly."))}
	}
	if refused := o.checkRequest(&r, query, by); refused != nil {
		return o.refuse(c, &r, refused)
	}
	return o.askConsent(c, by, &r)
}

// refuse sends the page that says what is wrong with a request. It doesn't redirect, because
// anybody can register a client, and the member has not seen where it would send them
// (RFC 9700 section 4.11.2).
func (o oauthServer) refuse(c *fiber.Ctx, r *authorizeRequest, e *models.OAuthError) error {
	c.Status(fiber.StatusBadRequest)
	return o.SendPrivatePage(c, views.NewRefusal(o.Site, e, o.backTo(r, errorParams(e))))
}

// sessionOf returns the member who is signed in with a browser, or nil.
func sessionOf(c *fiber.Ctx) *models.Identity {
	caller := web.RequestCaller(c)
	if caller.Identity == nil || !caller.Session {
		return nil
	}
	return caller.Member.(*models.Identity)
}

// single returns the value of a parameter that occurs once, or "".
func single(values url.Values, name string) string {
	if len(values[name]) != 1 || !bind.ValidText(values[name][0]) {
		return ""
	}
	return values[name][0]
}

// checkRequest sets the remaining fields of a request whose client and redirect URI are
// valid. It returns an error if one of them is invalid.
func (o oauthServer) checkRequest(r *authorizeRequest, query url.Values, by *models.Identity) *models.OAuthError {
	for name, values := range query {
		if len(values) > 1 && name != "resource" {
			return &models.OAuthError{Code: "invalid_request", Description: "A parameter occurs more than once."}
		}
	}
	if single(query, "response_type") != "code" {
		return &models.OAuthError{Code: "unsupported_response_type", Description: "response_type must be code."}
	}
	if mode := query.Get("response_mode"); mode != "" && mode != "query" {
		return &models.OAuthError{Code: "invalid_request", Description: "response_mode must be query."}
	}
	if query.Has("request") || query.Has("request_uri") {
		return &models.OAuthError{Code: "request_not_supported", Description: "Send the request as parameters."}
	}
	if single(query, "code_challenge_method") != "S256" {
		return &models.OAuthError{Code: "invalid_request", Description: "code_challenge_method must be S256."}
	}
	if r.Challenge = single(query, "code_challenge"); !models.ValidChallenge(r.Challenge) {
		return &models.OAuthError{Code: "invalid_request", Description: "code_challenge must be the base64url-encoded SHA-256 of code_verifier."}
	}
	var refused *models.OAuthError
	if r.Resource, refused = o.requestedResource(query["resource"]); refused != nil {
		return refused
	}
	if by.Account.Suspended() {
		return &models.OAuthError{Code: "access_denied", Description: "The member's account is suspended."}
	}
	r.Scopes, refused = requestedScopes(single(query, "scope"), by)
	return refused
}

// requestedResource returns the resource that a request is for. Clients of earlier
// versions of MCP name none: they get tokens for the whole site.
func (o oauthServer) requestedResource(named []string) (string, *models.OAuthError) {
	switch len(named) {
	case 0:
		return o.Site.BaseURL, nil
	case 1:
		if resource, ok := o.resource(named[0]); ok {
			return resource, nil
		}
	}
	return "", &models.OAuthError{Code: "invalid_target", Description: "resource must be one of this server: " + o.Site.BaseURL + web.MCPPath}
}

// requestedScopes returns the scopes that a member can be asked for: those in text, or
// by default all that members may grant. It leaves out those the member doesn't have.
func requestedScopes(text string, by *models.Identity) (models.Scopes, *models.OAuthError) {
	var scopes models.Scopes
	for _, word := range strings.Fields(text) {
		scope := models.Scope(word)
		switch {
		case word == "offline_access": // of OpenID Connect; every client gets a refresh token
		case !models.GrantableScopes.Has(scope):
			return nil, &models.OAuthError{Code: "invalid_scope", Description: "Unknown scope, or one that apps can't have. Use any of: " + models.GrantableScopes.String()}
		case !by.Account.Role.May(scope):
		case !scopes.Has(scope):
			scopes = append(scopes, scope)
		}
	}
	switch {
	case len(scopes) > 0:
		return scopes, nil
	case strings.TrimSpace(strings.ReplaceAll(text, "offline_access", "")) == "":
		return models.DefaultScopes, nil
	}
	return nil, &models.OAuthError{Code: "invalid_scope", Description: "The member has none of these scopes."}
}

// askConsent sends the page that asks the member to allow a request.
func (o oauthServer) askConsent(c *fiber.Ctx, by *models.Identity, r *authorizeRequest) error {
	request, err := json.Marshal(r)
	if err != nil {
		return err
	}
	ctx, end := web.RequestContext(c)
	defer end()
	code, err := o.Tokens.BeginConsent(ctx, by, web.RequestCaller(c).Secret, string(request))
	if err != nil {
		return err
	}
	c.Set("Content-Security-Policy", web.ContentSecurityPolicy(formTargets(r.RedirectURI)))
	return o.SendPrivatePage(c, views.NewConsent(o.Site, &views.ConsentRequest{
		ClientID: r.ClientID, ClientName: r.ClientName, RedirectURI: r.RedirectURI, Scopes: r.Scopes,
		Handle: by.Member.Handle, Until: models.TimeOf(o.Clock().Add(models.GrantLifetime)), Code: code,
	}))
}

// formTargets returns the sources of form-action that let the consent form redirect to
// the client. Browsers check each redirect that follows, and clients redirect to other
// addresses of theirs, so that all of https is allowed.
func formTargets(redirectURI string) string {
	u, err := url.Parse(redirectURI)
	switch {
	case err != nil || u.Scheme == "https":
		return "https:"
	case u.Scheme == "http":
		return "https: http://" + u.Host
	}
	return "https: " + u.Scheme + ":"
}

// decide answers the consent page: it redirects to the client with an authorization
// code, or with an error if the member denies it.
func (o oauthServer) decide(c *fiber.Ctx) error {
	by := sessionOf(c)
	if by == nil {
		return web.NewError("unauthenticated")
	}
	form, err := formValues(c)
	if err != nil {
		return err
	}
	ctx, end := web.RequestContext(c)
	defer end()
	text, err := o.Tokens.EndConsent(ctx, by, web.RequestCaller(c).Secret, single(form, "consent"))
	if err != nil {
		return err
	}
	var r authorizeRequest
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return err
	}
	allowed := slices.DeleteFunc(r.Scopes, func(s models.Scope) bool { return !slices.Contains(form["scopes"], string(s)) })
	if single(form, "decision") != "allow" || len(allowed) == 0 {
		return o.SeeOther(c, o.backTo(&r, errorParams(&models.OAuthError{Code: "access_denied", Description: "The member denied the request."})))
	}
	code, err := o.Tokens.CreateGrant(ctx, by, &models.Grant{ClientID: r.ClientID, ClientName: r.ClientName, RedirectURI: r.RedirectURI,
		Scopes: allowed, Resource: r.Resource, Challenge: r.Challenge})
	if err != nil {
		return err
	}
	if err := o.Mailer.Send(ctx, by.Account.Email, mailer.EmailAppConnected, "", connectionsPage); err != nil {
		return err
	}
	return o.SeeOther(c, o.backTo(&r, url.Values{"code": {code}}))
}

// errorParams returns the parameters that tell a client an error.
func errorParams(e *models.OAuthError) url.Values {
	return url.Values{"error": {e.Code}, "error_description": {e.Description}}
}

// backTo returns the address of a client with parameters, the state of its request, and the
// issuer, by which it tells the answers of servers apart (RFC 9207).
func (o oauthServer) backTo(r *authorizeRequest, params url.Values) string {
	if r.State != "" {
		params.Set("state", r.State)
	}
	params.Set("iss", o.Site.BaseURL)
	separator := "?"
	if strings.Contains(r.RedirectURI, "?") {
		separator = "&"
	}
	return r.RedirectURI + separator + params.Encode()
}
