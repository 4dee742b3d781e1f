package content

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	render "github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// figures is a Markdown extension that renders a paragraph with a single titled image
// as a figure whose caption is the title:
//
//	![Boats on a river](/portfolio/… "Felice Beato, about 1865")
type figures struct{}

// Extend implements goldmark.Extender.
func (figures) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(parser.WithASTTransformers(util.Prioritized(figures{}, 500)))
	m.Renderer().AddOptions(render.WithNodeRenderers(util.Prioritized(figures{}, 500)))
}

// figure is the node of a figure. Its child is the image.
type figure struct {
	ast.BaseBlock
	caption []byte
}

var kindFigure = ast.NewNodeKind("Figure")

func (*figure) Kind() ast.NodeKind              { return kindFigure }
func (f *figure) Dump(source []byte, level int) { ast.DumpHelper(f, source, level, nil, nil) }

// captioned returns the image of a paragraph that consists of one titled image.
func captioned(p ast.Node) (img *ast.Image, ok bool) {
	if p.Kind() != ast.KindParagraph || p.ChildCount() != 1 {
		return nil, false
	}
	img, ok = p.FirstChild().(*ast.Image)
	return img, ok && len(img.Title) > 0
}

// Transform implements parser.ASTTransformer.
func (figures) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	for block := doc.FirstChild(); block != nil; block = block.NextSibling() {
		img, ok := captioned(block)
		if !ok {
			continue
		}
		f := &figure{caption: img.Title}
		img.Title = nil
		setSize(img)
		doc.ReplaceChild(doc, block, f)
		f.AppendChild(f, img)
		block = f
	}
}

// RegisterFuncs implements renderer.NodeRenderer.
func (figures) RegisterFuncs(r render.NodeRendererFuncRegisterer) {
	r.Register(kindFigure, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, err := w.WriteString("<figure>")
			return ast.WalkContinue, err
		}
		_, err := w.WriteString("<figcaption>" + string(util.EscapeHTML(n.(*figure).caption)) + "</figcaption></figure>\n")
		return ast.WalkContinue, err
	})
}
