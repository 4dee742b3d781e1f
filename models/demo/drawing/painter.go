package drawing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/secondlight/secondlight/models"
)

// painter draws one item.
type painter struct {
	*canvas
	Design
	model  dice   // for features of the model
	copy   dice   // for features of the individual item
	finish finish // of the body
	edges  []path // edges that show wear
}

func newPainter(d Design, width int) *painter {
	p := &painter{
		canvas: newCanvas(width), Design: d,
		model: dice{rand.New(rand.NewPCG(uint64(d.Model), 1))},
		copy:  dice{rand.New(rand.NewPCG(uint64(d.Copy), uint64(d.Model)))},
	}
	p.finish = p.chooseFinish()
	return p
}

var brass = rgb(186, 148, 86)

// finish holds the colours of the materials.
type finish struct {
	body, top, skin, bare ink // bare is the metal under worn paint
}

func (p *painter) chooseFinish() finish {
	if f, ok := finishes[p.Colour]; ok {
		if p.isFilm() && f.top.r < 100 {
			f.bare = brass
		}
		return f
	}
	if p.Colour == pastelFinish {
		k := pick(p.copy, pastels)
		return finish{body: k, top: k.light(1.05), skin: k.light(0.92), bare: grey(160)}
	}
	return p.randomFinish()
}

// finishes are the materials of bodies by their colour.
var finishes = map[Colour]finish{
	blackFinish:    {body: grey(54), top: grey(60), skin: grey(42), bare: grey(170)},
	silverFinish:   {body: rgb(184, 184, 181), top: rgb(198, 198, 195), skin: grey(36), bare: grey(235)},
	titaniumFinish: {body: rgb(190, 178, 158), top: rgb(198, 186, 166), skin: rgb(58, 54, 50), bare: grey(225)},
	graphiteFinish: {body: rgb(92, 93, 97), top: rgb(104, 105, 109), skin: grey(46), bare: grey(190)},
	whiteFinish:    {body: rgb(226, 224, 218), top: rgb(234, 232, 227), skin: rgb(214, 212, 206), bare: grey(150)},
	redFinish:      {body: rgb(150, 34, 40), top: rgb(158, 40, 46), skin: rgb(120, 26, 32), bare: grey(200)},
}

// pastels are the colours of instant and toy cameras.
var pastels = []ink{rgb(176, 214, 226), rgb(236, 190, 196), rgb(206, 222, 178), rgb(226, 216, 186), rgb(196, 188, 222), rgb(92, 148, 170)}

// isFilm reports whether the drawn camera is for film.
func (p *painter) isFilm() bool {
	switch p.Category {
	case filmSLR, largeFormat, instant:
		return true
	case rangefinder:
		return p.Shape != DigitalFinder
	case mediumFormat:
		return p.Shape != EyeLevel && p.Shape != Sculptured && p.Shape != FlatDigital
	case compact:
		return slices.Contains([]Shape{FilmZoom, Clamshell, SeleniumRing, MetalCompact, TinyMetal, PlasticToy, Subminiature}, p.Shape)
	default:
		return false
	}
}

// randomFinish returns the finish of a key without a colour.
func (p *painter) randomFinish() finish {
	dark := grey(p.model.between(48, 62))
	all := finish{body: dark, top: dark.light(1.12), skin: grey(42), bare: grey(170)}
	two := finish{body: chrome.light(p.model.between(0.94, 1.04)), top: chrome.light(1.05), skin: grey(36), bare: grey(235)}
	colours := []ink{rgb(142, 94, 58), rgb(104, 36, 34), rgb(40, 54, 86), rgb(48, 70, 56)}
	share := map[models.Category]float64{
		"mirrorless": 0.08, "dslr": 0, "rangefinder": 0.55, "film_slr": 0.75, "medium_format": 0.6,
		"compact": 0.35, "instant": 0.4, "action_cam": 0, "large_format": 0.5,
	}[p.Category]
	switch {
	case p.Category == "mirrorless" && p.Shape == 1, p.Category == "compact" && p.Shape == 2:
		share = 0.5
	case p.Category == "film_slr" && p.Shape == 1:
		share = 0.35
	case p.Category == "film_slr" && p.Shape == 2, p.Category == "medium_format" && p.Shape == 2:
		share = 0
	}
	f := all
	if p.copy.chance(share) {
		f = two
	}
	if p.Category == "rangefinder" || p.Category == "film_slr" || p.Category == "medium_format" {
		if f.bare = brass; f.top.r > 150 {
			f.bare = grey(235)
		}
		if p.copy.chance(0.1) && p.Shape != 2 {
			f.skin = pick(p.copy, colours)
		}
	}
	return f
}

// stands draws the shadow of something that stands on the ground.
func (p *painter) stands(x0, x1, ground float64) {
	cx, w := (x0+x1)/2, (x1-x0)/2
	p.glow(cx+40, ground+10, w*1.55, 78, black(0.34))
	p.glow(cx+12, ground+4, w*1.18, 30, black(0.5))
	p.shadow(x0+14, ground-9, 2*w-28, 10, 5, 9, black(0.75))
}

// flat returns points along the lines of p.
func (p path) flat() []point {
	var points []point
	for _, s := range p {
		switch s.op {
		case 'M', 'L':
			points = append(points, s.p[0])
		case 'Q', 'C':
			from := points[len(points)-1]
			for i := 1; i <= 6; i++ {
				points = append(points, s.along(from, float64(i)/6))
			}
		}
	}
	return points
}

// shell paints the outside of a body.
func (p *painter) shell(shape path, k ink, top, bottom float64) {
	p.fill(shape, linear(0, top, 0, bottom,
		stop{0, k.light(1.35)}, stop{0.08, k.light(1.12)}, stop{0.45, k}, stop{0.9, k.light(0.72)}, stop{1, k.light(0.5)}))
	p.bevel(shape, 3, 0.8)
	p.edges = append(p.edges, shape)
}

// metal paints a top plate: brushed, with a band of light.
func (p *painter) metal(shape path, k ink, top, bottom float64) {
	p.fill(shape, linear(0, top, 0, bottom,
		stop{0, mix(k, white(1), 0.35)}, stop{0.1, k.light(1.08)}, stop{0.5, k.light(0.96)}, stop{0.8, k.light(0.84)}, stop{1, k.light(0.66)}))
	p.bevel(shape, 2.6, 0.9)
	p.edges = append(p.edges, shape)
}

// covering paints leatherette, set a little into the body.
func (p *painter) covering(shape path, top, bottom float64) {
	p.fill(shape, leather(p.finish.skin, top, bottom))
	p.fill(shape, linear(160, 0, 840, 0, stop{0, black(0.22)}, stop{0.2, white(0.05)}, stop{0.4, white(0.07)}, stop{0.75, black(0.02)}, stop{1, black(0.28)}))
	p.stroke(shape, 2, linear(0, top, 0, bottom, stop{0, black(0.7)}, stop{0.2, black(0.4)}, stop{1, white(0.14)}))
}

// grip paints a rounded handle that stands out from the body.
func (p *painter) grip(x, y, w, h, r float64) {
	shape := roundBox(x, y, w, h, r)
	p.shadow(x+10, y+8, w, h, r, 16, black(0.5))
	p.fill(shape, leather(p.finish.skin, y, y+h))
	p.fill(shape, linear(x, 0, x+w, 0, stop{0, black(0.5)}, stop{0.16, black(0)}, stop{0.3, white(0.2)}, stop{0.45, white(0.05)}, stop{0.75, black(0.12)}, stop{1, black(0.6)}))
	p.bevel(shape, 2, 0.35)
}

// dialSide draws a dial seen from the side, standing on a top plate.
func (p *painter) dialSide(cx, bottom, w, h float64, k ink, ridges float64) {
	p.shadow(cx-w/2, bottom-4, w, 6, 3, 5, black(0.6))
	shape := polygon(corner{cx - w/2, bottom - h, 4}, corner{cx + w/2, bottom - h, 4}, corner{cx + w/2, bottom, 2}, corner{cx - w/2, bottom, 2})
	p.fill(shape, barrel(cx, w/2, k, 0.6, ridges))
	p.fill(ellipse(cx, bottom-h, w/2-2, 3.2), linear(cx-w/2, 0, cx+w/2, 0, stop{0, k.light(1.9)}, stop{0.5, k.light(1.4)}, stop{1, k.light(1)}))
	p.bevel(shape, 1.4, 0.5)
}

// button draws a round button seen from the front.
func (p *painter) button(cx, cy, r float64, k ink) {
	p.fill(circle(cx, cy, r+2.5), flat(black(0.55)))
	p.fill(circle(cx, cy, r), radial(cx-r*0.4, cy-r*0.5, r*1.7, r*1.7, stop{0, k.light(1.7)}, stop{0.5, k}, stop{1, k.light(0.6)}))
	p.stroke(circle(cx, cy, r), 1, linear(0, cy-r, 0, cy+r, stop{0, white(0.45)}, stop{1, black(0.3)}))
}

// window draws a piece of glass in a frame.
func (p *painter) window(x, y, w, h float64, tint ink) {
	p.fill(roundBox(x-5, y-5, w+10, h+10, 7), linear(0, y-5, 0, y+h+5, stop{0, grey(18)}, stop{1, grey(64)}))
	pane := roundBox(x, y, w, h, 4)
	p.fill(pane, linear(x, y, x+w, y+h, stop{0, tint.light(0.55)}, stop{0.5, tint.light(0.25)}, stop{1, tint.light(0.8)}))
	p.fill(polygon(corner{x + 2, y + 2, 2}, corner{x + w*0.55, y + 2, 2}, corner{x + w*0.3, y + h - 2, 2}, corner{x + 2, y + h - 2, 2}), linear(x, y, x+w*0.5, y+h, stop{0, white(0.42)}, stop{1, white(0.04)}))
}

// lug draws a strap lug.
func (p *painter) lug(x, y float64) {
	p.fill(roundBox(x-9, y-12, 18, 24, 7), linear(x-9, 0, x+9, 0, stop{0, grey(210)}, stop{0.5, grey(120)}, stop{1, grey(70)}))
	p.stroke(ellipse(x, y+14, 11, 13), 3.4, linear(x-11, 0, x+11, 0, stop{0, grey(220)}, stop{0.5, grey(130)}, stop{1, grey(190)}))
}

// shoe draws an accessory shoe seen from the side.
func (p *painter) shoe(cx, bottom, w float64) {
	p.fill(polygon(corner{cx - w/2, bottom - 11, 2}, corner{cx + w/2, bottom - 11, 2}, corner{cx + w/2 - 3, bottom, 1}, corner{cx - w/2 + 3, bottom, 1}),
		linear(cx-w/2, 0, cx+w/2, 0, stop{0, grey(90)}, stop{0.3, grey(190)}, stop{0.6, grey(120)}, stop{1, grey(70)}))
	p.fill(box(cx-w/2+7, bottom-6, w-14, 3), flat(black(0.7)))
}

// glass paints the front element of a lens: depth, the light of two windows in
// it, and the colours of its coating.
func (p *painter) glass(cx, cy, rx, ry, pupil float64) {
	tints := [][2]ink{{rgb(126, 72, 160), rgb(62, 140, 118)}, {rgb(196, 128, 60), rgb(92, 86, 168)}, {rgb(70, 110, 190), rgb(160, 76, 120)}, {rgb(60, 150, 110), rgb(190, 120, 60)}}
	tint := pick(p.model, tints)
	p.fill(ellipse(cx, cy, rx, ry), radial(cx, cy, rx, ry, stop{0, rgb(10, 11, 15)}, stop{0.5, rgb(18, 20, 28)}, stop{0.8, rgb(34, 38, 50)}, stop{0.95, rgb(58, 62, 74)}, stop{1, rgb(22, 24, 28)}))
	for i, f := range []float64{0.86, 0.7, 0.55} { // the edges of the groups inside
		off := float64(i+1) * 0.018
		p.stroke(ellipse(cx+rx*off, cy+ry*off, rx*f, ry*f), rx*0.012, flat(white(0.09)))
	}
	p.fill(ellipse(cx, cy, rx*pupil, ry*pupil), radial(cx, cy, rx*pupil, ry*pupil, stop{0, black(0.95)}, stop{0.85, black(0.85)}, stop{1, black(0)}))
	soft := func(dx, dy, r, squash float64, k ink) {
		x, y := cx+dx*rx, cy+dy*ry
		p.fill(ellipse(x, y, rx*r, ry*r*squash), radial(x, y, rx*r, ry*r*squash, stop{0, k}, stop{0.6, k.fade(0.65)}, stop{1, k.fade(0)}))
	}
	soft(-0.18, -0.24, 0.7, 0.8, tint[0].fade(0.55))
	soft(0.3, 0.34, 0.55, 0.8, tint[1].fade(0.6))
	soft(0.12, 0.1, 0.24, 1, tint[0].fade(0.5))
	p.fill(crescent(cx, cy, rx*0.9, ry*0.9, -2.75, -1.25, 0.24), linear(cx-rx, cy-ry, cx+rx*0.2, cy, stop{0, white(0.85)}, stop{0.6, white(0.4)}, stop{1, white(0.08)}))
	p.fill(crescent(cx, cy, rx*0.8, ry*0.8, 0.35, 1.15, 0.13), linear(cx+rx, cy+ry, cx, cy, stop{0, white(0.4)}, stop{1, white(0.05)}))
	soft(-0.42, -0.46, 0.14, 0.8, white(0.55))
	soft(0.36, 0.44, 0.07, 0.8, white(0.6))
	p.stroke(ellipse(cx, cy, rx, ry), rx*0.018, linear(0, cy-ry, 0, cy+ry, stop{0, black(0.8)}, stop{1, white(0.3)}))
}

// crescent returns a part of a ring that thins out at its ends.
func crescent(cx, cy, rx, ry, from, to, thick float64) path {
	var outer, inner []point
	for i := 0; i <= 16; i++ {
		t := float64(i) / 16
		a := from + (to-from)*t
		w := 1 - thick*math.Sin(t*math.Pi)
		outer = append(outer, point{cx + rx*math.Cos(a), cy + ry*math.Sin(a)})
		inner = append(inner, point{cx + rx*w*math.Cos(a), cy + ry*w*math.Sin(a)})
	}
	slices.Reverse(inner)
	var p path
	for i, q := range append(outer, inner...) {
		if i == 0 {
			p = p.move(q.x, q.y)
		} else {
			p = p.line(q.x, q.y)
		}
	}
	return p.close()
}

// opening draws the lens mount of a camera without a lens: bayonet, contacts, and
// the mirror or the sensor behind them.
func (p *painter) opening(cx, cy, r float64, mirror bool) {
	p.shadow(cx-r-4, cy-r, 2*r+10, 2*r+14, r, 20, black(0.55))
	p.fill(circle(cx, cy, r*1.09), turned(cx, cy, 1, grey(46)))
	p.fill(circle(cx, cy, r), turned(cx, cy, 1, chrome))
	p.stroke(circle(cx, cy, r), 2, flat(black(0.35)))
	p.stroke(circle(cx, cy, r*0.985), 1.4, flat(white(0.4)))
	for i := range 4 {
		a := math.Pi/4 + float64(i)*math.Pi/2
		x, y := cx+r*0.91*math.Cos(a), cy+r*0.91*math.Sin(a)
		p.fill(circle(x, y, r*0.042), radial(x-1, y-1, r*0.05, r*0.05, stop{0, grey(230)}, stop{1, grey(110)}))
		p.stroke(path{}.move(x-r*0.025, y-r*0.02).line(x+r*0.025, y+r*0.02), 1.6, flat(black(0.55)))
	}
	in := r * 0.8
	p.fill(circle(cx, cy, in), radial(cx, cy, in, in, stop{0, grey(22)}, stop{0.8, grey(16)}, stop{1, grey(5)}))
	for i := range 3 { // the tabs that hold a lens
		a := float64(i)*2*math.Pi/3 + 0.5
		p.fill(arc(cx, cy, in, in*0.91, a, a+0.85), turned(cx, cy, 1, chrome.light(0.9)))
	}
	w, h := r*0.98, r*0.66
	x, y := cx-w/2, cy-h/2
	if mirror {
		pane := polygon(corner{x + 8, y - 8, 5}, corner{x + w - 8, y - 8, 5}, corner{x + w + 4, y + h + 14, 5}, corner{x - 4, y + h + 14, 5})
		p.fill(pane, linear(x, y, x+w*0.6, y+h, stop{0, rgb(206, 212, 218)}, stop{0.35, rgb(120, 128, 138)}, stop{0.6, rgb(66, 72, 82)}, stop{1, rgb(150, 156, 164)}))
		p.stroke(pane, 2, flat(black(0.6)))
	} else {
		p.fill(box(x-10, y-10, w+20, h+20), linear(0, y-10, 0, y+h+10, stop{0, grey(8)}, stop{1, grey(48)}))
		p.fill(roundBox(x, y, w, h, 3), linear(x, y, x+w, y+h, stop{0, rgb(70, 92, 84)}, stop{0.3, rgb(44, 70, 78)}, stop{0.5, rgb(86, 62, 98)}, stop{0.7, rgb(38, 46, 66)}, stop{1, rgb(72, 96, 74)}))
		p.fill(polygon(corner{x, y, 2}, corner{x + w*0.5, y, 2}, corner{x + w*0.22, y + h, 2}, corner{x, y + h, 2}), linear(x, y, x+w*0.4, y+h, stop{0, white(0.28)}, stop{1, white(0.02)}))
	}
	for i := range 9 { // contacts
		a := math.Pi/2 + (float64(i)-4)*0.105
		px, py := cx+in*0.93*math.Cos(a), cy+in*0.93*math.Sin(a)
		p.fill(circle(px, py, r*0.024), radial(px-1, py-1, r*0.03, r*0.03, stop{0, rgb(255, 226, 150)}, stop{1, rgb(150, 110, 50)}))
	}
	p.fill(circle(cx-r*0.93*math.Cos(0.9), cy-r*0.93*math.Sin(0.9), r*0.04), flat(pick(p.model, []ink{rgb(200, 48, 40), rgb(240, 240, 240), rgb(214, 92, 40)})))
}

// lensOn draws a lens on a camera, seen from the front.
func (p *painter) lensOn(cx, cy, r, focal, aperture float64, k ink) {
	p.shadow(cx-r*0.96+16, cy-r*0.9+24, 2*r, 2*r, r, 34, black(0.55))
	p.fill(circle(cx, cy, r), knurled(cx, cy, 1, k, math.Round(r*0.62)))
	p.fill(circle(cx, cy, r*0.94), turned(cx, cy, 1, k.light(1.05)))
	p.stroke(circle(cx, cy, r*0.94), 1.6, linear(0, cy-r, 0, cy+r, stop{0, white(0.5)}, stop{1, black(0.6)}))
	if p.model.chance(0.3) {
		p.stroke(circle(cx, cy, r*0.955), 2.4, flat(pick(p.model, []ink{rgb(178, 40, 36), rgb(196, 160, 92), rgb(60, 96, 170)})))
	}
	p.frontOf(cx, cy, r*0.9, 1, focal, focal, aperture)
}

// frontOf draws the front of a lens: name ring, baffles, glass.
func (p *painter) frontOf(cx, cy, r, flattening, from, to, aperture float64) {
	ry := r * flattening
	p.fill(ellipse(cx, cy, r, ry), turned(cx, cy, flattening, grey(34)))
	p.stroke(ellipse(cx, cy, r*0.985, ry*0.985), r*0.012, linear(0, cy-ry, 0, cy+ry, stop{0, white(0.4)}, stop{1, black(0.5)}))
	p.fill(ellipse(cx, cy, r*0.96, ry*0.96), turned(cx, cy, flattening, grey(26)))
	size := min(max(0.46+0.36/math.Sqrt(max(aperture, 1)), 0.5), 0.8) * r
	if p.Category == "lens_fisheye" {
		size = r * 0.92
	}
	sizeY := size * flattening
	if r-size > r*0.12 {
		text := engraved(from, to, aperture)
		p.around(text, cx, cy, (r*0.94+size)/2-r*0.035, flattening, -math.Pi/2, r*0.088, white(0.82))
	}
	for i := range 5 { // baffles step down to the glass
		f := float64(i) / 5
		rr := size + (r*0.93-size)*0.32*(1-f)
		p.fill(ellipse(cx, cy, rr, rr*flattening), turned(cx, cy, flattening, grey(30-16*f)))
		p.stroke(ellipse(cx, cy, rr, rr*flattening), r*0.006, linear(0, cy-rr*flattening, 0, cy+rr*flattening, stop{0, black(0.7)}, stop{1, white(0.25)}))
	}
	p.glass(cx, cy, size, sizeY, min(max(0.75/aperture+0.12, 0.16), 0.62))
}

// engraved returns the engraving on the ring around the glass.
func engraved(from, to, aperture float64) string {
	span := focal(from)
	if to > from {
		span += "-" + focal(to)
	}
	return fmt.Sprintf("%s mm  1:%.3g   Ø%d", span, aperture, filter(from, to, aperture))
}

// filter returns the likely filter thread of a lens in millimetres.
func filter(from, to, aperture float64) int {
	pupil := to / aperture
	if to > from {
		pupil = to / max(aperture, 2.8) * 0.95
	}
	for _, size := range []int{39, 43, 46, 49, 52, 55, 58, 62, 67, 72, 77} {
		if float64(size) > max(pupil*1.25, 36)+from*0.03 {
			return size
		}
	}
	return 82
}

func (p *painter) knob(cx, cy, r float64, k ink) {
	p.shadow(cx-r+3, cy-r+5, 2*r, 2*r, r, 8, black(0.5))
	p.fill(circle(cx, cy, r), knurled(cx, cy, 1, k, 30))
	p.fill(circle(cx, cy, r*0.7), turned(cx, cy, 1, k.light(1.1)))
	p.stroke(path{}.move(cx-r*0.45, cy-r*0.2).line(cx+r*0.45, cy+r*0.2), 2.4, flat(black(0.5)))
}

// flipsUp reports whether a camera is too tall to be shown from above.
func (p *painter) flipsUp() bool {
	switch p.Category {
	case "large_format", "instant", "action_cam":
		return true
	case mediumFormat:
		return !slices.Contains([]Shape{EyeLevel, Sculptured, FlatDigital, BigRangefinder, BigSLR}, p.Shape)
	default:
		return false
	}
}

var chrome = rgb(186, 186, 184)
