package handlers

import (
	"fmt"
	"strings"
)

// Crawlers of language models, by what they fetch pages for.
var (
	// answering crawlers fetch what a person asks an assistant about.
	answering = []string{"OAI-SearchBot", "ChatGPT-User", "Claude-SearchBot", "Claude-User", "PerplexityBot", "Perplexity-User",
		"DuckAssistBot", "MistralAI-User", "Applebot", "Amazonbot", "Meta-ExternalFetcher"}
	// training crawlers collect what models are made of.
	training = []string{"GPTBot", "ClaudeBot", "anthropic-ai", "Google-Extended", "Applebot-Extended", "CCBot", "Bytespider", "cohere-ai", "Meta-ExternalAgent"}
)

// contentSignals say what the pages may be used for: found, and quoted in an
// answer. Making models of them is not ours to allow: listings and photographs
// belong to the people who made them. See https://contentsignals.org.
const contentSignals = "search=yes, ai-input=yes, ai-train=no"

// mountRobots serves the rules for crawlers: RFC 9309.
func (s *Server) mountRobots() {
	s.mountText("/robots.txt", plainText, s.robotsText, "Cache-Control", cacheShort)
}

func (s *Server) robotsText() string {
	var b strings.Builder
	b.WriteString("# " + s.site.Name + ". Programs are welcome: " + s.site.BaseURL + "/agent.txt says how.\n" +
		"# Search results and the API answer one question at a time; they are not for crawling.\n")
	group := func(agents []string, rules ...string) {
		b.WriteByte('\n')
		for _, agent := range agents {
			fmt.Fprintf(&b, "User-agent: %s\n", agent)
		}
		fmt.Fprintf(&b, "Content-Signal: %s\n", contentSignals)
		for _, rule := range rules {
			b.WriteString(rule + "\n")
		}
	}
	group([]string{"*"}, "Allow: /", "Allow: /api/mcp/server-card", "Disallow: /api/", "Disallow: /listings?")
	group(answering, "Allow: /")
	group(training, "Allow: /", "Disallow: /photos/", "Disallow: /portfolio/", "Disallow: /api/", "Disallow: /listings?")
	// Where agents begin is said in a comment: robots.txt has no word for it that
	// crawlers know.
	fmt.Fprintf(&b, "\nSitemap: %[1]s/sitemap.xml\n# Agentmap: %[1]s/.well-known/ai-catalog.json\n", s.site.BaseURL)
	return b.String()
}
