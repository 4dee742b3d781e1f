package main

import (
	"encoding/json"
	"errors"
	"net"
	"net/url"
	"slices"
	"strings"
)

type registryCommand struct{}

func (registryCommand) Help() string {
	return "Prints a server.json for the MCP Registry (https://registry.modelcontextprotocol.io), named after the domain of BASE_URL. " +
		"Publish it with mcp-publisher, which proves by DNS or HTTP that the domain is yours."
}

// registryEntry is the entry of a server in the MCP Registry.
type registryEntry struct {
	Schema      string           `json:"$schema"`
	Name        string           `json:"name"`
	Title       string           `json:"title"`
	Description string           `json:"description"`
	Version     string           `json:"version"`
	WebsiteURL  string           `json:"websiteUrl"`
	Remotes     []registryRemote `json:"remotes"`
}

type registryRemote struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

func (registryCommand) Run(c *console) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	entry, err := newRegistryEntry(set.BaseURL, set.SiteName, strings.TrimPrefix(release(buildInfo()), "devel"))
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(c.out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(entry)
}

// newRegistryEntry returns the entry of the site at a URL: shop.example is example.shop/market.
func newRegistryEntry(baseURL, name, version string) (*registryEntry, error) {
	u, err := url.Parse(baseURL)
	if err != nil || u.Scheme != "https" || net.ParseIP(u.Hostname()) != nil || !strings.Contains(u.Hostname(), ".") {
		return nil, errors.New("the registry needs a public address: set BASE_URL to it, such as https://shop.example")
	}
	domain := strings.Split(strings.ToLower(u.Hostname()), ".")
	slices.Reverse(domain)
	if version == "" {
		version = "1.0.0"
	}
	return &registryEntry{
		Schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		Name:   strings.Join(domain, ".") + "/market", Title: name, Description: "Used cameras and lenses for sale, and what each model really sold for.",
		Version: version, WebsiteURL: baseURL, Remotes: []registryRemote{{"streamable-http", baseURL + "/api/mcp"}},
	}, nil
}
