package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/importer"
	"github.com/secondlight/secondlight/models/picture"
)

// TestSpellingsNameOneGear writes names of gear wherever the site reads them: in a title, in searches,
// as a parameter over HTTP and of a tool, in a file of sales, and in a picture. Each reads that gear or
// none, and most of them read it.
func TestSpellingsNameOneGear(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	session := s.connect(t, web.MCPPath, eras[0])
	spellings := []struct{ written, gear string }{
		{"Canon EOS R6 Mark II", "canon/eos-r6-mark-ii"}, {"canon r6 mk2", "canon/eos-r6-mark-ii"}, {"キヤノン EOS R6 Mark II", "canon/eos-r6-mark-ii"}, {"Canon佳能5D Mark III", "canon/eos-5d-mark-iii"},
		{"canon 5diii", "canon/eos-5d-mark-iii"}, {"Rebel T5i", "canon/eos-700d"}, {"α7 III", "sony/alpha-7-iii"}, {"ソニー α7R IV", "sony/alpha-7r-iv"}, {"Sony ILCE-7M3", "sony/alpha-7-iii"},
		{"fuji xt3", "fujifilm/x-t3"}, {"Fujifilm X-T30II", "fujifilm/x-t30-ii"}, {"Nikon FM-2", "nikon/fm2"}, {"Nikon F", "nikon/f"}, {"GoPro Hero3+ Black", "gopro/hero3-plus-black"},
		{"Leica M6 TTL", "leica/m6-ttl"}, {"Hasselblad 500 C/M", "hasselblad/500c-m"}, {"Зенит Е", ""}, {"Asahi Pentax Spotmatic", "pentax/spotmatic"}, {"Lumix GH5", "panasonic/lumix-dc-gh5"},
		{"Nikon 70-200 2.8 VR2", "nikon/af-s-nikkor-70-200mm-f2-8g-ed-vr-ii"}, {"Nikon 24-120 f4 VR", "nikon/af-s-nikkor-24-120mm-f4g-ed-vr"}, {"Sony FE 24-70 2.8 GM2", "sony/fe-24-70mm-f2-8-gm-ii"},
		{"Fujinon XF 35 1.4", "fujifilm/xf-35mm-f1-4-r"}, {"XF35mmF1.4 R", "fujifilm/xf-35mm-f1-4-r"}, {"Canon EF 50/1.8 STM", "canon/ef-50mm-f1-8-stm"}, {"EF135mm f/2L USM", "canon/ef-135mm-f2l-usm"},
		{"Sigma 35 1.4 DG DN Art", "sigma/35mm-f1-4-dg-dn-art"}, {"Zeiss Batis 2/25", "zeiss/batis-25mm-f2"}, {"Гелиос-44-2 58mm f/2", "zenit/helios-44-2-58mm-f2"}, {"ジュピター8 50/2", "zenit/jupiter-8-50mm-f2"},
		{"Laowa 100mm f2.8 2x Ultra Macro APO", "laowa/100mm-f2-8-2x-ultra-macro-apo"}, {"Zhongyi Speedmaster 50mm f/0.95", "mitakon/speedmaster-50mm-f0-95"}, {"Nikon Nikkor-Q 135mm f/3.5", "nikon/nikkor-q-135mm-f3-5-s"}, {"EF-EOS R", "viltrox/ef-eos-r"},
		{"Canon 50mm", ""}, {"Nikon 70-300", ""}, {"105.0 mm f/2.8", ""}, {"Canon EF 24-200mm f/2.8L", ""}, {"Nikon Z 10", ""}, {"Canon 5D Mark III mainboard", ""}, {"Lego Leica M6", ""},
	}
	entrances := map[string]func(written string) string{
		"title": func(written string) string {
			if chosen := chosenGear.FindStringSubmatch(ann.read(t, "/sell?title="+url.QueryEscape(written))); chosen != nil {
				return chosen[1]
			}
			return ""
		},
		"search": func(written string) string {
			named, _ := s.askJSON(t, "/api/listings/search?keyword="+url.QueryEscape(written))["gear"].([]any)
			if len(named) != 1 {
				return ""
			}
			return named[0].(map[string]any)["gear"].(string)
		},
		"parameter": func(written string) string {
			return gearOfQuery(s.askJSON(t, "/api/listings/search?model="+url.QueryEscape(written)))
		},
		"tool": func(written string) string {
			result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "search_listings", Arguments: map[string]any{"model": written, "detail": "full"}})
			must(err)
			answer, _ := result.StructuredContent.(map[string]any)
			return gearOfQuery(answer)
		},
		"picture": func(written string) string {
			if lens := (&picture.Exposure{LensModel: written}).Lens(s.catalog); lens != nil {
				return lens.Slug()
			}
			return ""
		},
		"sales": func(written string) string { return s.importedSale(t, written) },
	}
	for entrance, read := range entrances {
		known, named := 0, 0
		for _, spelling := range spellings {
			got := read(spelling.written)
			if got != "" && spelling.gear != "" && got != spelling.gear {
				t.Errorf("%s %q is read as %s, not %s", entrance, spelling.written, got, spelling.gear)
			}
			if spelling.gear != "" {
				named++
				if got != "" {
					known++
				} else {
					t.Logf("%s %q is not read", entrance, spelling.written)
				}
			} else if got != "" {
				t.Errorf("%s %q is read as %s", entrance, spelling.written, got)
			}
		}
		t.Logf("%s: %d of %d are read", entrance, known, named)
		if entrance != "picture" && entrance != "search" && known < named*9/10 {
			t.Errorf("%s: only %d of %d are read", entrance, known, named)
		}
	}
}

// askJSON returns a response as JSON.
func (s *testServer) askJSON(t *testing.T, path string) (answer map[string]any) {
	_, body := s.do(t, "GET", path)
	must(json.Unmarshal([]byte(body), &answer))
	return answer
}

// importedSale imports a sale with a title and returns the gear for which it is recorded, or "".
func (s *testServer) importedSale(t *testing.T, title string) string {
	ctx := context.Background()
	before, err := s.store.Prices.SalesByGear(ctx)
	must(err)
	im := &importer.Importer{Store: s.store, Catalog: s.catalog, Resolver: s.catalog.Resolver(), Currency: s.site.Currency()}
	_, err = im.Sales(ctx, strings.NewReader(fmt.Sprintf("external_id,title,condition,price,sold_at,region\n%q,%q,good,500,2026-10-01,DE\n", title, title)), io.Discard)
	must(err)
	after, err := s.store.Prices.SalesByGear(ctx)
	must(err)
	for gear, n := range after {
		if n != before[gear] {
			return gear
		}
	}
	return ""
}

// chosenGear matches the gear that the selling form has chosen.
var chosenGear = regexp.MustCompile(`<option value="([^"]+/[^"]+)" selected>`)

// gearOfQuery returns the gear of the query in the answer of a search.
func gearOfQuery(answer map[string]any) string {
	query, _ := answer["query"].(map[string]any)
	for _, name := range []string{"gear", "model"} {
		if gear, ok := query[name].(string); ok {
			return gear
		}
	}
	return ""
}
