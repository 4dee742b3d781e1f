package oauth

import (
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
)

// Paths of the authorization server.
const (
	AuthorizePath = "/oauth/authorize"
	TokenPath     = "/oauth/token"
	revokePath    = "/oauth/revoke"
	registerPath  = "/oauth/register"
)

// MountOAuth serves the authorization server and its metadata.
func (s Deps) MountOAuth(server Server) {
	o := oauthServer{s, server, newClientDocuments(s.Guard, s.Clock)}
	for _, path := range oauthResources {
		server.MountObject(web.ResourceMetadataPath+path, web.JSON.ContentType(), func() web.Object { return o.resourceMetadata(path) })
	}
	server.MountObject("/.well-known/oauth-authorization-server", web.JSON.ContentType(), o.serverMetadata)
	server.Get(AuthorizePath, o.authorize)
	server.Post(AuthorizePath, o.decide)
	server.Post(TokenPath, o.token)
	server.Post(revokePath, o.revoke)
	server.Post(registerPath, o.register)
}

// resourceMetadata describes a resource (RFC 9728).
func (o oauthServer) resourceMetadata(path string) web.Object {
	return web.NewObject(
		"resource", o.Site.BaseURL+path,
		"resource_name", o.Site.Name(),
		"authorization_servers", []string{o.Site.BaseURL},
		"scopes_supported", models.DefaultScopes,
		"bearer_methods_supported", []string{"header"},
		"resource_documentation", o.Site.BaseURL+"/auth.md",
	)
}

// serverMetadata describes the authorization server (RFC 8414).
func (o oauthServer) serverMetadata() web.Object {
	return web.NewObject(
		"issuer", o.Site.BaseURL,
		"authorization_endpoint", o.Site.BaseURL+AuthorizePath,
		"token_endpoint", o.Site.BaseURL+TokenPath,
		"revocation_endpoint", o.Site.BaseURL+revokePath,
		"registration_endpoint", o.Site.BaseURL+registerPath,
		"scopes_supported", models.GrantableScopes,
		"response_types_supported", []string{"code"},
		"response_modes_supported", []string{"query"},
		"grant_types_supported", []string{"authorization_code", "refresh_token"},
		"token_endpoint_auth_methods_supported", []string{"none"},
		"revocation_endpoint_auth_methods_supported", []string{"none"},
		"code_challenge_methods_supported", []string{"S256"},
		"authorization_response_iss_parameter_supported", true,
		"client_id_metadata_document_supported", true,
		"protected_resources", []string{o.Site.BaseURL, o.Site.BaseURL + web.MCPPath, o.Site.BaseURL + web.MCPMemberPath},
		"service_documentation", o.Site.BaseURL+"/auth.md",
	)
}
