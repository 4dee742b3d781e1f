package gear

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/cachetag"
	"github.com/secondlight/secondlight/handlers/web"
	views "github.com/secondlight/secondlight/views/gear"
)

type badgeInput struct {
	Brand string `json:"brand" in:"path" jsonschema:"brand by slug or any common name" example:"canon"`
	Model string `json:"model" in:"path" jsonschema:"model by slug or any common name" example:"eos-r6"`
}

// badgeAge is for how many seconds browsers may show a badge again.
const badgeAge = 3600

func (s gearOps) getBadge() web.Operation {
	return web.Op[badgeInput, *views.Badge]{
		Name: "get_badge", Page: "/gear/{brand}/{model}/badge", Tag: "Gear", Shared: true, MaxAge: badgeAge, Framed: true,
		DependsOn: func(p *views.Badge) []string { return []string{cachetag.Gear(p.Gear)} },
		Formats:   []web.Format{web.SVG},
		Title:     "Price badge", Summary: "A picture of what a camera or lens sells for, for pages of other sites.",
		Description: "Returns a picture (SVG) with the range in which 8 of 10 sell, and HTML that shows it. Other sites may frame the picture.",
		Errors:      []string{"gear_not_found"},
		Do:          s.badge,
	}.Operation()
}

func (s Deps) badge(_ context.Context, in *badgeInput) (*views.Badge, error) {
	if !s.Site.Purpose().HasShop() {
		return nil, web.NewError("page_not_found")
	}
	gear, err := s.Catalog.FindGear(in.Brand, in.Model, s.Gear.Popularity)
	if err != nil {
		return nil, s.Gear.NotFound(in.Brand + "/" + in.Model)
	}
	return views.NewBadge(s.Site, gear, s.Estimates.Of(gear.Slug(), "")), nil
}

// cardPolicy is the Content-Security-Policy of cards. Other sites may show them in a frame, whose
// link opens a new tab.
const cardPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox allow-popups allow-popups-to-escape-sandbox; frame-ancestors *"

// SendCard sends the card of gear, in the language of the parameter lang: that of the page it is
// framed in.
func (s Deps) SendCard(c *fiber.Ctx) error {
	param := web.PathParams(c)
	badge, err := s.badge(c.Context(), &badgeInput{Brand: param("brand"), Model: param("model")})
	if err != nil {
		return err
	}
	var body bytes.Buffer
	count, lowest, _ := s.Index.Asking(badge.Gear)
	if err := badge.Card(count, lowest).Render(s.Site.InLanguage(context.Background(), c.Query("lang")), &body); err != nil {
		return err
	}
	sum := sha256.Sum256(body.Bytes())
	c.Set(fiber.HeaderContentSecurityPolicy, cardPolicy)
	return web.SendAsset(c, web.HTML.ContentType(), `"`+hex.EncodeToString(sum[:8])+`"`, "public, max-age="+strconv.Itoa(badgeAge), body.Bytes())
}

// SendOEmbed answers consumers of oEmbed about the page of gear.
func (s Deps) SendOEmbed(c *fiber.Ctx) error {
	u, err := url.Parse(strings.TrimPrefix(c.Query("url"), s.Site.BaseURL))
	if err != nil {
		return web.NewError("page_not_found")
	}
	brand, model, ok := strings.Cut(strings.TrimPrefix(u.Path, "/gear/"), "/")
	if u.Host != "" || !ok || !strings.HasPrefix(u.Path, "/gear/") || strings.Contains(model, "/") {
		return web.NewError("page_not_found")
	}
	if format := c.Query("format", "json"); format != "json" {
		return web.NewError("method_not_implemented")
	}
	badge, err := s.badge(c.Context(), &badgeInput{Brand: brand, Model: model})
	if err != nil {
		return err
	}
	body, err := json.Marshal(badge.OEmbed())
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, web.JSON.ContentType())
	c.Set(fiber.HeaderCacheControl, "public, max-age=3600")
	return c.Send(body)
}
