// Command oauth is a client that knows nothing of a site but the address of its MCP
// endpoint, and signs in with OAuth. It reads tool calls from standard input, one JSON
// object {"name": …, "arguments": …} a line, and prints {"open": …} when a browser has
// to open an address, and {"result": …} or {"error": …} for each call.
//
//	go run ./e2e/oauth http://127.0.0.1:8080/api/mcp/member
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: oauth http://127.0.0.1:8080/api/mcp/member")
	}
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, endpoint string) error {
	handler, err := newHandler()
	if err != nil {
		return err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "go-client", Version: "1.0.0"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: endpoint, OAuthHandler: handler}, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var call mcp.CallToolParams
		if err := json.Unmarshal(lines.Bytes(), &call); err != nil {
			return err
		}
		if result, err := session.CallTool(ctx, &call); err != nil {
			print(map[string]any{"error": err.Error()})
		} else {
			print(map[string]any{"result": result})
		}
	}
	return nil
}

func print(value any) {
	if err := json.NewEncoder(os.Stdout).Encode(value); err != nil {
		log.Fatal(err)
	}
}

// newHandler returns a handler that registers the client and has a browser play the
// rest, which returns to a port of this program.
func newHandler() (auth.OAuthHandler, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	results := make(chan *auth.AuthorizationResult)
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if q.Get("code") == "" {
			http.NotFound(w, r)
			return
		}
		w.Write([]byte("You can close this window."))
		results <- &auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}
	}))
	back := "http://" + ln.Addr().String() + "/callback"
	return auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		RedirectURL: back,
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: "Go client", RedirectURIs: []string{back}, GrantTypes: []string{"authorization_code", "refresh_token"}}},
		AuthorizationCodeFetcher: func(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			print(map[string]string{"open": args.URL})
			select {
			case result := <-results:
				return result, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		},
	})
}
