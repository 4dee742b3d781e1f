// Command conformance serves the fixtures of the MCP conformance suite, such as tools
// that stream, request input and fail, with the site's own transport. It prints its
// address and serves until killed.
//
//lint:file-ignore SA1019 the suite covers what the protocol is giving up: roots, sampling, logging
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

func main() {
	if err := serve(context.Background()); err != nil {
		log.Fatal(err)
	}
}

// serve serves a site without listings, and the fixtures.
func serve(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "secondlight-conformance-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	store, err := store.Open(ctx, "sqlite:"+filepath.Join(folder, "empty.db"), time.Now)
	if err != nil {
		return err
	}
	defer store.Close()
	if err := store.Migrate(ctx); err != nil {
		return err
	}
	catalog, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	base := "http://" + listener.Addr().String()
	server := handlers.New(handlers.Config{
		Store: store, Catalog: catalog, Index: search.New(catalog.Lookup()), DataDir: folder, RateLimit: 1_000_000,
		Site: ui.Site{BaseURL: base, Defaults: ui.SiteSettings{SiteSettings: models.SiteSettings{Name: "Secondlight", Owner: "Secondlight"}, Currency: models.Currency{Code: "EUR", Digits: 2}}},
	})
	const path = "/api/conformance"
	server.MountMCP(path, fixtures)
	fmt.Println(base + path)
	return server.Listen(listener)
}

// fixtures returns a server with the tools, prompts and resources of the suite.
func fixtures() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "fixtures", Version: "1.0.0"}, &mcp.ServerOptions{
		CompletionHandler: func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
		},
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	addTools(server)
	addAskingTools(server)
	addResources(server)
	addPrompts(server)
	return server
}
