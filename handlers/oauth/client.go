package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/sync/singleflight"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/cache"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/problem"
)

// fetchCost is the cost of fetching a client's document in requests.
const fetchCost = 20

// client returns the client with an id: the address of its metadata document, or the id
// of a registration. It fetches for a member.
func (o oauthServer) client(c *fiber.Ctx, memberID, id string) (*models.OAuthClient, error) {
	ctx, end := web.RequestContext(c)
	defer end()
	if !strings.Contains(id, ":") {
		client, err := o.Tokens.Client(ctx, id)
		if err == nil && client == nil {
			err = invalidClient(problem.Textf("This app isn't registered here, or its registration has expired."), nil)
		}
		return client, err
	}
	if client, err, ok := o.documents.cached(id); ok {
		return client, err
	}
	if err := o.Charge(c, fetchCost-1); err != nil {
		return nil, err
	}
	return o.documents.client(ctx, memberID, id)
}

// invalidClient returns the error for a client that can't be identified. The cause is
// logged, since it may tell something about the network of this host.
func invalidClient(message problem.Text, cause error) error {
	return &problem.Error{Kind: problem.Invalid, Code: "invalid_client", Message: message, Cause: cause,
		Hint: problem.Textf("Go back to the app and connect it again. If that doesn't help, contact its developer.")}
}

// clientDocuments fetches and caches the metadata documents that clients have their id
// from: https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/.
type clientDocuments struct {
	guard    *delivery.Guard
	clock    models.Clock
	clients  *cache.Cache[string, *models.OAuthClient]
	failures *cache.Cache[string, error]
	flight   singleflight.Group
	turns    chan struct{} // its capacity is the number of concurrent fetches
	fetching sync.Map      // ids of the members for whom a document is being fetched
}

// maxClientFetches is the number of concurrent fetches for all members. One member has one
// of them, so that slow hosts of a few occupy a few.
const maxClientFetches = 64

var errFetching = &problem.Error{Kind: problem.TooMany, Code: "rate_limited", Wait: 5,
	Message: problem.Textf("Another app is being connected to your account right now."), Hint: problem.Textf("Wait a few seconds and try again.")}

// How long documents are cached, and failures, so that nobody can use this server to
// flood another.
const (
	clientLifetime  = time.Hour
	failureLifetime = time.Minute
)

const maxClientCache = 4 << 20 // bytes of each cache

func newClientDocuments(guard *delivery.Guard, clock models.Clock) *clientDocuments {
	return &clientDocuments{guard: guard, clock: clock, clients: cache.New[string, *models.OAuthClient](maxClientCache),
		failures: cache.New[string, error](maxClientCache), turns: make(chan struct{}, maxClientFetches)}
}

// cacheKey returns the key of a client id in the current period.
func (d *clientDocuments) cacheKey(id string, period time.Duration) string {
	return fmt.Sprint(d.clock().Truncate(period).Unix(), " ", id)
}

// cached returns the cached client with an id, or why there is none. ok reports whether
// either is cached.
func (d *clientDocuments) cached(id string) (client *models.OAuthClient, err error, ok bool) {
	if client, ok = d.clients.Get(d.cacheKey(id, clientLifetime)); ok {
		return client, nil, true
	}
	err, ok = d.failures.Get(d.cacheKey(id, failureLifetime))
	return nil, err, ok
}

// client returns the client with an id for a member. It fetches the document once for all
// callers who ask for it at the same time. If it is fetching another one for the member,
// it returns a TooMany error.
func (d *clientDocuments) client(ctx context.Context, memberID, id string) (*models.OAuthClient, error) {
	client, err, _ := d.flight.Do(id, func() (any, error) {
		if client, err, ok := d.cached(id); ok {
			return client, err
		}
		if _, busy := d.fetching.LoadOrStore(memberID, true); busy {
			return (*models.OAuthClient)(nil), errFetching
		}
		defer d.fetching.Delete(memberID)
		select {
		case d.turns <- struct{}{}:
			defer func() { <-d.turns }()
		case <-ctx.Done():
			return (*models.OAuthClient)(nil), ctx.Err()
		}
		client, err := d.fetch(ctx, id)
		switch {
		case err == nil:
			d.clients.Add(d.cacheKey(id, clientLifetime), client, 2*len(id)+maxClientDocument/4)
		case ctx.Err() == nil:
			d.failures.Add(d.cacheKey(id, failureLifetime), err, 4*len(id)+200)
		}
		return client, err
	})
	return client.(*models.OAuthClient), err
}

// fetch fetches and checks a document.
func (d *clientDocuments) fetch(ctx context.Context, id string) (*models.OAuthClient, error) {
	if !validClientID(id) {
		return nil, invalidClient(problem.Programf("The app's client_id must be an https address with a path, without a fragment."), nil)
	}
	body, err := d.guard.Fetch(ctx, id, maxClientDocument)
	if err != nil {
		return nil, invalidClient(problem.Textf("The app's description at %s can't be read.", id).And(problem.Programf("It must be JSON of at most 16 KB, sent within 5 seconds and without a redirect.")), err)
	}
	client, err := parseClientDocument(id, body)
	if err != nil {
		return nil, invalidClient(problem.Textf("The app's description at %s is invalid: %s.", id, strings.TrimSuffix(err.Error(), ".")), nil)
	}
	return client, nil
}

// validClientID reports whether an id is the address of a metadata document.
func validClientID(id string) bool {
	u, err := url.Parse(id)
	return err == nil && strings.HasPrefix(id, "https://") && u.Hostname() != "" && u.User == nil && !strings.ContainsAny(id, "#\\ ") &&
		len(id) <= 500 && u.Path != "" && u.Path != "/" && path.Clean(u.Path) == strings.TrimSuffix(u.Path, "/") && models.ValidRedirectURI(id)
}

// parseClientDocument parses the metadata document of a client. A client that prefers
// to authenticate with a key must also support not to.
func parseClientDocument(id string, body []byte) (*models.OAuthClient, error) {
	var m clientMetadata
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, errors.New("it is not a JSON object of client metadata")
	}
	method := m.TokenEndpointAuthMethod
	switch {
	case m.ClientID != id:
		return nil, errors.New("its client_id must be its address exactly")
	case m.ClientSecret != nil:
		return nil, errors.New("it must have no client_secret")
	case method != "" && method != "none" && !slices.Contains(m.TokenEndpointAuthMethods, "none"):
		return nil, errors.New("it must support the token_endpoint_auth_method none")
	}
	client, invalid := m.client()
	if invalid != nil {
		return nil, errors.New(invalid.Description)
	}
	return client, nil
}
