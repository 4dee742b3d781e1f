package oauth

import (
	"errors"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models"
)

// tokenResponse is the response to a token request (RFC 6749 section 5.1).
type tokenResponse struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int    `json:"expires_in"` // in seconds
	RefreshToken string `json:"refresh_token"`
	Scope        string `json:"scope"`
}

// oauthErrorResponse is an error response (RFC 6749 section 5.2, RFC 7591 section 3.2.2).
type oauthErrorResponse struct {
	Error       string `json:"error"`
	Description string `json:"error_description"`
}

// sendOAuth sends the response of an endpoint, or the error in it.
func (o oauthServer) sendOAuth(c *fiber.Ctx, status int, response any, err error) error {
	var oauth *models.OAuthError
	switch {
	case errors.As(err, &oauth):
		status, response = fiber.StatusBadRequest, oauthErrorResponse{oauth.Code, oauth.Description}
	case err != nil:
		return err
	}
	body, err := web.EncodeJSON(response)
	if err != nil {
		return err
	}
	web.SendPrivate(c, web.JSON.ContentType(), body)
	c.Set("Cache-Control", "no-store")
	c.Status(status)
	return nil
}

// token exchanges an authorization code or a refresh token.
func (o oauthServer) token(c *fiber.Ctx) error {
	tokens, err := o.issue(c)
	if err != nil {
		return o.sendOAuth(c, 0, nil, err)
	}
	return o.sendOAuth(c, fiber.StatusOK, tokenResponse{tokens.Access, "Bearer", int(tokens.Lifetime.Seconds()), tokens.Refresh, tokens.Scopes.String()}, nil)
}

func (o oauthServer) issue(c *fiber.Ctx) (*models.GrantTokens, error) {
	form, err := oauthForm(c)
	if err != nil {
		return nil, err
	}
	r := &models.TokenRequest{ClientID: form.Get("client_id"), RedirectURI: form.Get("redirect_uri"), Verifier: form.Get("code_verifier")}
	if r.ClientID == "" {
		return nil, &models.OAuthError{Code: "invalid_request", Description: "client_id is missing."}
	}
	if form.Has("resource") {
		var ok bool
		if r.Resource, ok = o.resource(form.Get("resource")); !ok {
			return nil, &models.OAuthError{Code: "invalid_target", Description: "resource must be that of the authorization request."}
		}
	}
	ctx, end := web.RequestContext(c)
	defer end()
	switch form.Get("grant_type") {
	case "authorization_code":
		if r.Secret = form.Get("code"); r.Secret == "" {
			return nil, &models.OAuthError{Code: "invalid_request", Description: "code is missing."}
		}
		return o.Tokens.ExchangeCode(ctx, r)
	case "refresh_token":
		if r.Secret = form.Get("refresh_token"); r.Secret == "" {
			return nil, &models.OAuthError{Code: "invalid_request", Description: "refresh_token is missing."}
		}
		for _, scope := range strings.Fields(strings.ReplaceAll(form.Get("scope"), "offline_access", "")) {
			r.Scopes = append(r.Scopes, models.Scope(scope))
		}
		return o.Tokens.RefreshTokens(ctx, r)
	case "":
		return nil, &models.OAuthError{Code: "invalid_request", Description: "grant_type is missing."}
	}
	return nil, &models.OAuthError{Code: "unsupported_grant_type", Description: "grant_type must be authorization_code or refresh_token."}
}

// oauthForm returns the fields of a request, each of which may occur once.
func oauthForm(c *fiber.Ctx) (url.Values, error) {
	form, err := formValues(c)
	if err != nil {
		return nil, &models.OAuthError{Code: "invalid_request", Description: "The body must be a form: application/x-www-form-urlencoded."}
	}
	for _, values := range form {
		if len(values) > 1 || !bind.ValidText(values[0]) {
			return nil, &models.OAuthError{Code: "invalid_request", Description: "A field occurs more than once, or is not text."}
		}
	}
	return form, nil
}

// revoke revokes a token of a client (RFC 7009). The response is the same if the token
// is unknown.
func (o oauthServer) revoke(c *fiber.Ctx) error {
	form, err := oauthForm(c)
	if err == nil && (form.Get("token") == "" || form.Get("client_id") == "") {
		err = &models.OAuthError{Code: "invalid_request", Description: "token and client_id are required."}
	}
	if err == nil {
		ctx, end := web.RequestContext(c)
		defer end()
		err = o.Tokens.RevokeGranted(ctx, form.Get("client_id"), form.Get("token"))
	}
	return o.sendOAuth(c, fiber.StatusOK, struct{}{}, err)
}
