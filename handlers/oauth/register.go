package oauth

import (
	"encoding/json"
	"slices"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/oauth"
)

// registerCost is the cost of a registration in requests.
const registerCost = 50

// Limits of the metadata of a client.
const (
	maxClientDocument = 16 << 10 // bytes
	maxRedirectURIs   = 20
	maxClientName     = 60 // characters
)

// clientMetadata is what a client says about itself, in its registration (RFC 7591) or
// in the document that its id is the address of.
type clientMetadata struct {
	ClientID                string   `json:"client_id,omitempty"`
	ClientIDIssuedAt        int64    `json:"client_id_issued_at,omitempty"`
	ClientName              string   `json:"client_name,omitempty"`
	RedirectURIs            []string `json:"redirect_uris"`
	GrantTypes              []string `json:"grant_types,omitempty"`
	ResponseTypes           []string `json:"response_types,omitempty"`
	TokenEndpointAuthMethod string   `json:"token_endpoint_auth_method,omitempty"`

	// TokenEndpointAuthMethods lists the methods that the client supports besides the
	// one it prefers.
	TokenEndpointAuthMethods []string `json:"token_endpoint_auth_methods_supported,omitempty"`
	ClientSecret             any      `json:"client_secret,omitempty"`
}

// client returns the client with the metadata, or an error that says what is invalid.
func (m *clientMetadata) client() (*models.OAuthClient, *models.OAuthError) {
	invalid := func(text string) (*models.OAuthClient, *models.OAuthError) {
		return nil, &models.OAuthError{Code: "invalid_client_metadata", Description: text}
	}
	switch {
	case len(m.RedirectURIs) == 0 || len(m.RedirectURIs) > maxRedirectURIs:
		return nil, &models.OAuthError{Code: "invalid_redirect_uri", Description: "redirect_uris must have 1 to 20 addresses."}
	case slices.ContainsFunc(m.RedirectURIs, func(address string) bool { return !models.ValidRedirectURI(address) }):
		return nil, &models.OAuthError{Code: "invalid_redirect_uri", Description: "Each redirect URI must be https, http on a loopback address, or of a private-use scheme such as com.example.app, without a fragment."}
	case m.GrantTypes != nil && !slices.Contains(m.GrantTypes, "authorization_code"):
		return invalid("grant_types must include authorization_code.")
	case m.ResponseTypes != nil && !slices.Contains(m.ResponseTypes, "code"):
		return invalid("response_types must include code.")
	}
	return &models.OAuthClient{ID: m.ClientID, Name: views.PlainName(m.ClientName, maxClientName), RedirectURIs: m.RedirectURIs}, nil
}

// register registers a client (RFC 7591). Every client is a public one: a method of
// authentication other than none is replaced.
func (o oauthServer) register(c *fiber.Ctx) error {
	if err := o.Charge(c, registerCost-1); err != nil {
		return err
	}
	var m clientMetadata
	body := c.Body()
	if len(body) > maxClientDocument || json.Unmarshal(body, &m) != nil {
		return o.sendOAuth(c, 0, nil, &models.OAuthError{Code: "invalid_client_metadata", Description: "The body must be a JSON object of at most 16 KB."})
	}
	m.ClientID = ""
	client, invalid := m.client()
	if invalid != nil {
		return o.sendOAuth(c, 0, nil, invalid)
	}
	ctx, end := web.RequestContext(c)
	defer end()
	if err := o.Tokens.RegisterClient(ctx, client); err != nil {
		return err
	}
	return o.sendOAuth(c, fiber.StatusCreated, clientMetadata{ClientID: client.ID, ClientIDIssuedAt: client.CreatedAt.Std().Unix(), ClientName: client.Name,
		RedirectURIs: client.RedirectURIs, GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"}, TokenEndpointAuthMethod: "none"}, nil)
}
