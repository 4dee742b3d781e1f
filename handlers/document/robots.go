package document

import (
	"fmt"
	"strings"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/serve"
)

// Crawlers of AI companies, by purpose.
var (
	// answering lists crawlers that fetch pages to answer a person's question.
	answering = []string{"OAI-SearchBot", "ChatGPT-User", "Claude-SearchBot", "Claude-User", "PerplexityBot", "Perplexity-User",
		"DuckAssistBot", "MistralAI-User", "Applebot", "Amazonbot", "Meta-ExternalFetcher"}
	// training lists crawlers that collect training data.
	training = []string{"GPTBot", "ClaudeBot", "anthropic-ai", "Google-Extended", "Applebot-Extended", "CCBot", "Bytespider", "cohere-ai", "Meta-ExternalAgent"}
)

// ContentSignals declares what the pages may be used for: search results and
// answers, but not training, since listings and photos belong to their authors. See
// https://contentsignals.org.
const ContentSignals = "search=yes, ai-input=yes, ai-train=no"

// mountRobots serves robots.txt, the rules for crawlers: RFC 9309.
func (s Documents) mountRobots(server *serve.Server) {
	server.MountText("/robots.txt", web.PlainText, s.robotsText, "Cache-Control", web.CacheShort)
}

// robotsText returns robots.txt.
func (s Documents) robotsText() string {
	var b strings.Builder
	b.WriteString("# " + s.Site.Name() + ". Bots and agents are welcome: see " + s.Site.BaseURL + "/agent.txt.\n" +
		"# Please don't crawl search results or the API.\n")
	group := func(agents []string, rules ...string) {
		b.WriteByte('\n')
		for _, agent := range agents {
			fmt.Fprintf(&b, "User-agent: %s\n", agent)
		}
		fmt.Fprintf(&b, "Content-Signal: %s\n", ContentSignals)
		for _, rule := range rules {
			b.WriteString(rule + "\n")
		}
	}
	group([]string{"*"}, "Allow: /", "Allow: /api/mcp/server-card", "Disallow: /api/", "Disallow: /listings?")
	group(answering, "Allow: /")
	group(training, "Allow: /", "Disallow: /photos/", "Disallow: /portfolio/", "Disallow: /api/", "Disallow: /listings?")
	// The entry point for agents is in a comment, since robots.txt has no directive
	// for it.
	fmt.Fprintf(&b, "\nSitemap: %[1]s/sitemap.xml\n# Agentmap: %[1]s/.well-known/ai-catalog.json\n", s.Site.BaseURL)
	return b.String()
}
