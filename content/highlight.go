package content

import (
	"io/fs"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	goldmarkrenderer "github.com/yuin/goldmark/renderer"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"github.com/secondlight/secondlight/content/packed"
)

// lexers are the languages whose code is highlighted: those that texts and documents use.
// Chroma's package lexers has 300, which take 2 MB of the program and a part of every start.
var lexers = func() *chroma.LexerRegistry {
	registry, grammars := chroma.NewLexerRegistry(), packed.Folder("content/lexers")
	files, _ := fs.Glob(grammars, "*.xml")
	for _, file := range files {
		registry.Register(chroma.MustNewXMLLexer(grammars, file))
	}
	return registry
}()

// highlighting is an extension that gives code in a known language classes for colours.
type highlighting struct{}

// Extend implements goldmark.Extender.
func (highlighting) Extend(m goldmark.Markdown) {
	m.Renderer().AddOptions(goldmarkrenderer.WithNodeRenderers(util.Prioritized(highlighting{}, 200)))
}

// RegisterFuncs implements goldmark's NodeRenderer.
func (highlighting) RegisterFuncs(register goldmarkrenderer.NodeRendererFuncRegisterer) {
	register.Register(ast.KindFencedCodeBlock, renderCode)
}

var (
	codeStyle     = chroma.MustNewStyle("classes", chroma.StyleEntries{}) // colours are in the style sheet
	codeFormatter = html.New(html.WithClasses(true))
)

// renderCode writes a block of code.
func renderCode(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	block := node.(*ast.FencedCodeBlock)
	if !entering {
		return ast.WalkContinue, nil
	}
	language, code := block.Language(source), block.Lines().Value(source)
	if lexer := lexers.Get(string(language)); len(language) > 0 && lexer != nil {
		if tokens, err := chroma.Coalesce(lexer).Tokenise(nil, string(code)); err == nil {
			return ast.WalkContinue, codeFormatter.Format(w, codeStyle, tokens)
		}
	}
	class := ""
	if len(language) > 0 {
		class = ` class="language-` + string(util.EscapeHTML(language)) + `"`
	}
	_, _ = w.WriteString("<pre><code" + class + ">")
	goldmarkhtml.DefaultWriter.RawWrite(w, code)
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkContinue, nil
}
