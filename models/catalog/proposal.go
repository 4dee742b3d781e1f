package catalog

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// GearProposal is a correction that somebody proposes to the owner.
type GearProposal struct {
	ID       string
	Gear     string // slug
	Document string // its values, and which of them are proposed, as JSON of a GearCorrection
	Source   string // where the value can be checked, as written; "" if not said
	MemberID string // "" unless a member proposed it
	Site     string // address of the site whose owner made the correction, "" for this one
	At       models.Time
}

// Limits of proposals.
const (
	MaxProposals      = 20 // of a member in 24 hours
	MaxProposalSource = 500
	MaxSharedFile     = 2 << 20 // bytes of a file of corrections
)

// ProposedFields are the fields of which a reader can propose a value.
var ProposedFields = []string{"model", "category", "mount", "format", "focal_min", "focal_max", "aperture", "year", "launch_price", "aliases"}

// Correction returns the proposed values.
func (p *GearProposal) Correction() (c GearCorrection, err error) {
	err = json.Unmarshal([]byte(p.Document), &c)
	c.Gear = p.Gear
	return c, err
}

// propose sets the document.
func (p *GearProposal) propose(c *GearCorrection) {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // strings and numbers
	}
	p.Document = string(text)
}

// Propose returns the proposal that a field of gear has another value, as a reader writes it: of
// aliases, one more. The error is Invalid if the value is, or is that of the catalogue.
func (c *Catalog) Propose(g *Gear, field, value string, currency models.Currency) (*GearProposal, error) {
	now := ValuesOf(g)
	v := ValuesOf(g)
	to := reflect.ValueOf(&v).Elem().Field(fieldIndex(field))
	value = strings.TrimSpace(value)
	wrong := func(text problem.Text) error {
		return models.InvalidFields([]problem.FieldError{{Field: "value", Code: "invalid_value", Message: text}})
	}
	switch to.Kind() {
	case reflect.Slice:
		v.Aliases = append(v.Aliases, value)
	case reflect.String:
		to.SetString(value)
	default:
		n, err := strconv.ParseFloat(strings.Replace(value, ",", ".", 1), 64)
		if err != nil {
			return nil, wrong(problem.Textf("%q isn't a number.", Clip(value, 40)))
		}
		to.Set(reflect.ValueOf(n).Convert(to.Type()))
		if field == "focal_min" && now.FocalMin == now.FocalMax {
			v.FocalMax = v.FocalMin
		}
	}
	correction, err := c.NewCorrection(g.Slug(), v, currency)
	if err != nil {
		var e *problem.Error
		if errors.As(err, &e) {
			for i := range e.Fields {
				e.Fields[i].Field = "value"
			}
		}
		return nil, err
	}
	correction.Fields = correction.Values.differing(&now)
	if len(correction.Fields) == 0 {
		return nil, wrong(problem.Textf("The catalogue already says this."))
	}
	p := &GearProposal{Gear: g.Slug()}
	p.propose(&GearCorrection{Fields: correction.Fields, Values: correction.Values.over(GearValues{}, correction.Fields)})
	return p, nil
}

// fieldIndex returns the index of a field of GearValues by its name.
func fieldIndex(field string) (index int) {
	eachField(func(name string, i int) {
		if name == field {
			index = i
		}
	})
	return index
}

// ProposeModel returns the proposal of gear that the catalogue lacks, by its brand and model as a
// member writes them, or gear that it has by that name.
func (c *Catalog) ProposeModel(name string, category models.Category) (known *Gear, p *GearProposal, err error) {
	if g := c.Resolver().whole(models.Words(name)); g != nil {
		return g, nil, nil
	}
	words := strings.Fields(name)
	brand := ""
	for end := min(3, len(words)-1); end > 0 && brand == ""; end-- {
		if b := c.Brand(models.Slug(strings.Join(words[:end], " "))); b != nil {
			brand, words = b.Name, words[end:]
		}
	}
	if brand == "" && len(words) > 1 {
		brand, words = words[0], words[1:]
		if slug, err := c.BrandNames().Resolve(brand); err == nil {
			brand = c.Brand(slug).Name
		}
	}
	model := strings.Join(words, " ")
	if g := c.Gear(models.Slug(brand) + "/" + models.Slug(model)); g != nil {
		return g, nil, nil
	}
	correction, err := c.NewCorrection("", GearValues{Brand: brand, Model: model, Category: cmp.Or(category, "other")}, models.Currency{})
	if err != nil {
		return nil, nil, models.InvalidFields([]problem.FieldError{{Field: "new_model", Code: "invalid_value", Message: problem.Textf("Write the brand and the model, such as Canon EOS R6.")}})
	}
	p = &GearProposal{Gear: correction.Gear}
	p.propose(correction)
	return nil, p, nil
}

// Accepted returns the correction that applies a proposal to the present catalogue.
func (c *Catalog) Accepted(p *GearProposal, currency models.Currency) (*GearCorrection, error) {
	proposed, err := p.Correction()
	if err != nil {
		return nil, err
	}
	g := c.Gear(p.Gear)
	if g == nil {
		return c.NewCorrection("", proposed.Values, currency)
	}
	return c.NewCorrection(g.Slug(), proposed.Values.over(ValuesOf(g), proposed.Fields), currency)
}

// Shared is a file of an owner's corrections that another owner can import as proposals.
type Shared struct {
	Site      string `json:"site" jsonschema:"address of the site"`
	File      string `json:"file" jsonschema:"the gear that is added or corrected, as CSV with the columns of content/catalog/additions.csv"`
	Key       string `json:"key" jsonschema:"public key of the site, Ed25519 in base64"`
	Signature string `json:"signature" jsonschema:"signature of the address, a line feed and the file, in base64"`
}

// Share signs corrections of a site with the key of a seed, 32 bytes or more.
func Share(site, file string, seed []byte) Shared {
	key := ed25519.NewKeyFromSeed(seed[:ed25519.SeedSize])
	encode := base64.StdEncoding.EncodeToString
	return Shared{Site: site, File: file, Key: encode(key.Public().(ed25519.PublicKey)), Signature: encode(ed25519.Sign(key, []byte(site+"\n"+file)))}
}

// errShared is the error for a file that is no file of corrections, or that was changed.
var errShared = models.InvalidFields([]problem.FieldError{{Field: "file", Code: "invalid_value", Message: problem.Textf("The file isn't a signed file of corrections, or was changed after it was signed.")}})

// ReadShared returns the proposals of a signed file: what it says otherwise than the catalogue.
func (c *Catalog) ReadShared(text []byte) (proposals []GearProposal, err error) {
	var s Shared
	if json.Unmarshal(text, &s) != nil {
		return nil, errShared
	}
	key, err := base64.StdEncoding.DecodeString(s.Key)
	signature, wrong := base64.StdEncoding.DecodeString(s.Signature)
	if err != nil || wrong != nil || len(key) != ed25519.PublicKeySize || !ed25519.Verify(key, []byte(s.Site+"\n"+s.File), signature) {
		return nil, errShared
	}
	rows, err := csv.NewReader(bytes.NewReader([]byte(s.File))).ReadAll()
	if err != nil || len(rows) == 0 || !slices.Equal(rows[0], gearColumns[:min(len(rows[0]), len(gearColumns))]) || len(rows[0]) < len(gearColumns)-1 {
		return nil, errShared
	}
	for _, row := range rows[1:] {
		g, err := gearOfRow(append(row, "")[:len(gearColumns)])
		if err != nil {
			return nil, errShared
		}
		p := GearProposal{Gear: g.Slug(), Site: s.Site, Source: s.Key}
		theirs, ours := ValuesOf(g), GearValues{Brand: g.Brand}
		if known := c.Gear(g.Slug()); known != nil {
			ours = ValuesOf(known)
			theirs.Picture = ours.Picture
		}
		fields := theirs.differing(&ours)
		if len(fields) > 0 {
			p.propose(&GearCorrection{Fields: fields, Values: theirs})
			proposals = append(proposals, p)
		}
	}
	return proposals, nil
}

// Text returns a proposed value as a person reads it.
func (v *GearValues) Text(field string) string {
	value := reflect.ValueOf(*v).Field(fieldIndex(field))
	switch value.Kind() {
	case reflect.Slice:
		return strings.Join(v.Aliases, ", ")
	case reflect.String:
		return value.String()
	case reflect.Int:
		return formatNumber(float64(value.Int()))
	}
	return formatNumber(value.Float())
}
