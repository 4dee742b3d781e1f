package admin

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/image/draw"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/settings"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture"
	views "github.com/secondlight/secondlight/views/admin"
)

// MountBrand serves /brand/{name}.png, the logo and the favicon, and /brand/{name}.css,
// the colours and fonts that the owner has chosen.
func (s Deps) MountBrand(routes web.Routes) {
	routes.Get("/brand/:file", func(c *fiber.Ctx) error {
		file := strings.Clone(c.Params("file"))
		if name, ok := strings.CutSuffix(file, ".css"); ok {
			if style := s.Site.StyleAt("/brand/" + file); style != nil {
				return web.SendAsset(c, "text/css; charset=utf-8", `"`+name+`"`, web.CacheImmutable, style)
			}
			return fiber.ErrNotFound
		}
		return web.SendPicture(c, ".png", "image/png", s.Records.SitePicture)
	})
}

// Sizes of the pictures of the site, in pixels. A picture is scaled down to fit.
const (
	logoWidth, logoHeight = 480, 120
	faviconSize           = 192
	maxSitePicture        = 5 << 20 // bytes of an uploaded file
	maxSitePixels         = 16_000_000
)

// sitePictureLimits are the limits of an uploaded logo or favicon.
var sitePictureLimits = picture.Limits{File: maxSitePicture, Pixels: maxSitePixels, Memory: 4 * maxSitePixels * 4, Time: time.Second}

// newSitePicture decodes a JPEG, PNG, WebP, HEIC or AVIF and returns it as a PNG of at most a size, with its
// name: a hash, and its width and height.
func newSitePicture(file web.Upload, width, height int) (name string, body []byte, err error) {
	img, err := decodeSitePicture(file, width, height)
	if err != nil {
		return "", nil, err
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		return "", nil, err
	}
	sum := sha256.Sum256(out.Bytes())
	return fmt.Sprintf("%s-%dx%d", hex.EncodeToString(sum[:8]), img.Rect.Dx(), img.Rect.Dy()), out.Bytes(), nil
}

// decodeSitePicture decodes a JPEG, PNG, WebP, HEIC or AVIF and scales it down to at most a size.
func decodeSitePicture(file web.Upload, width, height int) (*image.RGBA, error) {
	if err := sitePictureLimits.Check("", file.Bytes); err != nil {
		return nil, err
	}
	src, err := picture.DecodeAll(file.Bytes)
	if err != nil {
		return nil, picture.Refuse(picture.ExportAgain, "The image can't be decoded.")
	}
	size := src.Bounds().Size()
	img := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(img, img.Rect, src, src.Bounds().Min, draw.Src)
	if scale := min(float64(width)/float64(size.X), float64(height)/float64(size.Y)); scale < 1 {
		small := image.NewRGBA(image.Rect(0, 0, max(1, int(scale*float64(size.X))), max(1, int(scale*float64(size.Y)))))
		draw.CatmullRom.Scale(small, small.Rect, img, img.Rect, draw.Src, nil)
		return small, nil
	}
	return img, nil
}

// siteOps holds the operations on the settings of the site.
type siteOps struct{ Deps }

const AdminSitePage = "/admin/site"

func (s siteOps) getSite() web.Operation {
	return web.Op[struct{}, *views.AdminSite]{
		Name: "get_site", Path: "/api/admin/site", Page: AdminSitePage,
		Access: web.Operators, Scope: string(models.SiteWrite), Tag: "Administration", Title: "Site",
		Summary:     "Returns the settings of the site: name, look, links, home page, notes and purpose.",
		Description: "Returns the value of every setting, which is the default where the owner has set nothing, and the version that edit_site needs.",
		Sample:      s.sampleSite,
		Do: func(context.Context, *struct{}) (*views.AdminSite, error) {
			return views.NewAdminSite(s.Site), nil
		},
	}.Operation()
}

// editSiteInput holds the settings to change; nil fields keep their value.
type editSiteInput struct {
	Version      int64                 `json:"version" jsonschema:"version of the settings being changed" min:"0" example:"0"`
	Name         *string               `json:"name,omitempty" jsonschema:"name of the site" maxlength:"60" example:"Foto Ecke"`
	Tagline      *string               `json:"tagline,omitempty" jsonschema:"what the site is, in a line; shown on the home page" maxlength:"120" example:"Leica and Rollei, serviced in Berlin"`
	Owner        *string               `json:"owner,omitempty" jsonschema:"the photographer or shop behind the site" maxlength:"60" example:"Ada Ortega"`
	Address      *string               `json:"address,omitempty" jsonschema:"postal address for the imprint" maxlength:"300" example:"1 Mill Road, 10115 Berlin, Germany"`
	Email        *string               `json:"email,omitempty" jsonschema:"public email address" maxlength:"254" example:"hello@shop.example"`
	Purpose      *models.SitePurpose   `json:"purpose,omitempty" jsonschema:"site type; pages of the disabled half return 404" example:"portfolio_and_shop"`
	Currency     *string               `json:"currency,omitempty" jsonschema:"currency of prices, ISO 4217; fixed once there are listings or sales" maxlength:"3" example:"EUR"`
	Country      *models.Region        `json:"country,omitempty" jsonschema:"country of the owner, ISO 3166" example:"DE"`
	Languages    *[]string             `json:"languages,omitempty" jsonschema:"languages of pages, the default first: en, de" maxlength:"10" example:"de"`
	Accent       *string               `json:"accent,omitempty" jsonschema:"accent colour on light pages, as # and six digits; its contrast must be at least 4.5:1; empty: the default" maxlength:"7" example:"#1f5fae"`
	AccentDark   *string               `json:"accent_dark,omitempty" jsonschema:"accent colour on dark pages; empty: the default" maxlength:"7" example:"#7fb2ff"`
	Fonts        *models.Fonts         `json:"fonts,omitempty" jsonschema:"typefaces of pages" example:"editorial"`
	Theme        *string               `json:"theme,omitempty" jsonschema:"name of the theme: paper, gallery_white, darkroom or one of the owner's" maxlength:"40" example:"darkroom"`
	HeaderLinks  *[]string             `json:"header_links,omitempty" jsonschema:"links of the header, each as label | address; none: the sections of the site" sep:"lines" maxlength:"340" example:"Prints | /journal"`
	FooterLinks  *[]string             `json:"footer_links,omitempty" jsonschema:"additional links of the footer, each as label | address" sep:"lines" maxlength:"340" example:"Instagram | https://instagram.example/ada"`
	Home         *[]models.HomeSection `json:"home_sections,omitempty" jsonschema:"sections of the home page that are shown, in order; none: all" example:"hero"`
	HomeLayout   *models.HomeLayout    `json:"home_layout,omitempty" jsonschema:"how the home page of a portfolio begins: stream of the newest photographs in rows, full for one over the window, tiles of projects, strip of photographs side by side" example:"stream"`
	HomeText     *string               `json:"home_text,omitempty" jsonschema:"text of the home page, Markdown" maxlength:"1000" example:"I photograph the coast in winter."`
	HomeQuote    *string               `json:"home_quote,omitempty" jsonschema:"quotation on the home page, plain text" maxlength:"1000" example:"Quiet pictures of loud places. – Foto Magazin"`
	FeesNote     *string               `json:"fees_note,omitempty" jsonschema:"note at the top of the page about fees, plain text" maxlength:"1000" example:"Prices include VAT."`
	ShippingNote *string               `json:"shipping_note,omitempty" jsonschema:"note at the top of the page about shipping, plain text" maxlength:"1000" example:"We ship on Tuesdays and Fridays."`
}

func (s siteOps) editSite() web.Operation {
	return web.Op[editSiteInput, *views.AdminSite]{
		Name: "edit_site", Method: "PATCH", Path: "/api/admin/site", Page: AdminSitePage,
		Access: web.Operators, Scope: string(models.SiteWrite), Tag: "Administration", Title: "Edit the site",
		Done:    "Your changes are live.",
		Summary: "Changes settings of the site.",
		Description: "Changes the given settings and leaves the others. An empty value restores the default. They apply immediately on every server and are recorded in the audit log. " +
			"If the settings have changed since the version, nothing is written.",
		Errors: []string{"invalid_parameter", "site_changed", "currency_in_use"},
		Sample: s.sampleSite,
		Do:     s.doEditSite,
	}.Operation()
}

func (s siteOps) doEditSite(ctx context.Context, in *editSiteInput) (*views.AdminSite, error) {
	set, _, err := s.Records.SiteSettings(ctx)
	if err != nil {
		return nil, err
	}
	in.apply(set)
	return s.replaceSite(ctx, in.Version, set)
}

// replaceSite checks and stores the settings, which were read at a version, and uses them
// on this server.
func (s siteOps) replaceSite(ctx context.Context, version int64, set *models.SiteSettings) (*views.AdminSite, error) {
	if err := set.Check(settings.LanguageCodes(languages.All), s.Site.Settings().Themes); err != nil {
		return nil, err
	}
	if _, err := s.Records.EditSite(ctx, caller.ID(ctx), version, set); err != nil {
		return nil, err
	}
	s.Settings.Reload()
	return views.NewAdminSite(s.Site), nil
}

// apply sets the given fields.
func (in *editSiteInput) apply(set *models.SiteSettings) {
	input.SetIf(&set.Name, in.Name)
	input.SetIf(&set.Tagline, in.Tagline)
	input.SetIf(&set.Owner, in.Owner)
	input.SetIf(&set.Address, in.Address)
	input.SetIf(&set.Email, in.Email)
	input.SetIf(&set.Purpose, in.Purpose)
	input.SetIf(&set.Currency, in.Currency)
	input.SetIf(&set.Country, in.Country)
	input.SetIf(&set.Accent, in.Accent)
	input.SetIf(&set.AccentDark, in.AccentDark)
	input.SetIf(&set.Fonts, in.Fonts)
	input.SetIf(&set.Theme, in.Theme)
	input.SetIf(&set.HomeLayout, in.HomeLayout)
	input.SetIf(&set.HomeText, in.HomeText)
	input.SetIf(&set.HomeQuote, in.HomeQuote)
	input.SetIf(&set.FeesNote, in.FeesNote)
	input.SetIf(&set.ShippingNote, in.ShippingNote)
	if in.Languages != nil {
		set.Languages = slices.DeleteFunc(slices.Clone(*in.Languages), func(tag string) bool { return tag == "" })
	}
	if in.Home != nil {
		set.Home = *in.Home
	}
	if in.HeaderLinks != nil {
		set.HeaderLinks = siteLinks(*in.HeaderLinks)
	}
	if in.FooterLinks != nil {
		set.FooterLinks = siteLinks(*in.FooterLinks)
	}
}

// siteLinks parses links written as "label | address", and "| hidden" after those that are. Check trims them, and refuses those
// without either.
func siteLinks(lines []string) (links []models.SiteLink) {
	for _, line := range lines {
		label, href, _ := strings.Cut(line, "|")
		href, hidden, _ := strings.Cut(href, "|")
		links = append(links, models.SiteLink{Label: label, Href: href, Hidden: strings.TrimSpace(hidden) == "hidden"})
	}
	return links
}

// sitePictureInput is a logo or a favicon.
type sitePictureInput struct {
	Kind string       `json:"kind" jsonschema:"name of the picture" enum:"logo,favicon" example:"logo"`
	File []web.Upload `json:"picture,omitempty" jsonschema:"JPEG, PNG, WebP, HEIC or AVIF, at most 5 MB; none removes the picture"`

	Remove bool `json:"remove,omitempty" jsonschema:"remove the picture even if a file is sent"`
}

func (s siteOps) setSitePicture() web.Operation {
	return web.Op[sitePictureInput, *views.AdminSite]{
		Name: "set_site_picture", Method: "POST", Path: "/api/admin/site/pictures", Page: AdminSitePage + "/pictures", Form: AdminSitePage,
		Access: web.Operators, Scope: string(models.SiteWrite), Tag: "Administration", Title: "Logo and favicon",
		Done:        "Image saved.",
		Summary:     "Sets or removes the logo or the favicon.",
		Description: "Decodes a JPEG, PNG, WebP, HEIC or AVIF and stores it as a PNG of at most " + strconv.Itoa(logoWidth) + " by " + strconv.Itoa(logoHeight) + " pixels, or " + strconv.Itoa(faviconSize) + " for the favicon. SVG isn't accepted. Without a picture the present one is removed.",
		Errors:      []string{"invalid_parameter", "site_changed"},
		Sample:      s.sampleSite,
		Do:          s.doSetSitePicture,
	}.Operation()
}

func (s siteOps) doSetSitePicture(ctx context.Context, in *sitePictureInput) (*views.AdminSite, error) {
	name := ""
	if len(in.File) > 0 && len(in.File[0].Bytes) > 0 && !in.Remove {
		width, height := logoWidth, logoHeight
		if in.Kind == "favicon" {
			width, height = faviconSize, faviconSize
		}
		var body []byte
		var err error
		if name, body, err = newSitePicture(in.File[0], width, height); err != nil {
			if refused := picture.Refusal(err); refused != nil {
				return nil, web.InvalidField("picture", refused.Reason, refused.Hint)
			}
			return nil, err
		}
		if err := s.Records.AddSitePicture(ctx, name, body); err != nil {
			return nil, err
		}
	}
	set, version, err := s.Records.SiteSettings(ctx)
	if err != nil {
		return nil, err
	}
	if in.Kind == "favicon" {
		set.Favicon = name
	} else {
		set.Logo = name
	}
	return s.replaceSite(ctx, version, set)
}

// sampleSite returns an example response.
func (s siteOps) sampleSite() *views.AdminSite { return views.NewAdminSite(s.Site) }
