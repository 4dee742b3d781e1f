package demo

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/secondlight/secondlight/models"
)

// scene is what an item was photographed on, and in which light.
type scene struct {
	surface surface
	tone    ink // of the wall or the paper
	top     ink // of the table
	light   ink // white is neutral
	window  bool
}

type surface int

const (
	paper  surface = iota // one sheet for wall and table
	wood                  // planks
	stone                 // with specks
	cloth                 // woven
	studio                // dark, with a spot of light behind the item
)

var (
	daylight = rgb(252, 254, 255)
	morning  = rgb(255, 250, 239)
	evening  = rgb(255, 245, 228)
	shade    = rgb(244, 249, 255)

	oak    = rgb(206, 172, 128)
	walnut = rgb(122, 88, 64)
	birch  = rgb(226, 208, 178)
	slate  = rgb(118, 124, 130)
	marble = rgb(226, 226, 224)
)

// scenes are in an order in which those next to each other differ most.
var scenes = []scene{
	{surface: paper, tone: rgb(246, 244, 240), light: daylight},
	{surface: wood, tone: rgb(232, 228, 220), top: oak, light: morning},
	{surface: studio, tone: rgb(86, 92, 100), light: daylight},
	{surface: paper, tone: rgb(240, 226, 204), light: morning, window: true},
	{surface: stone, tone: rgb(206, 214, 220), top: slate, light: shade},
	{surface: cloth, tone: rgb(84, 106, 98), light: daylight},
	{surface: paper, tone: rgb(190, 204, 218), light: daylight},
	{surface: wood, tone: rgb(196, 206, 204), top: walnut, light: evening},
	{surface: stone, tone: rgb(238, 236, 232), top: marble, light: daylight, window: true},
	{surface: cloth, tone: rgb(190, 172, 154), light: evening},
	{surface: paper, tone: rgb(218, 190, 176), light: daylight},
	{surface: studio, tone: rgb(98, 84, 78), light: evening},
	{surface: wood, tone: rgb(186, 194, 184), top: birch, light: daylight, window: true},
	{surface: paper, tone: rgb(150, 156, 164), light: shade},
	{surface: cloth, tone: rgb(122, 130, 150), light: shade},
	{surface: paper, tone: rgb(196, 204, 190), light: evening},
}

// leads are the places in views of the view that an item shows first: half of them the front.
var leads = []int{0, 0, 0, 0, 1, 1, 3, 2}

// sceneOf returns the place in scenes of the scene of an item with a seed, in all its views.
func sceneOf(copy uint16) int { return int(copy) / len(leads) % len(scenes) }

// glance is what one sees of a picture at a glance.
type glance struct {
	of    string // a model, or a family of categories
	view  string
	scene int
}

// separate changes the scenes of listings, which are sorted by publication, where two that are for
// sale would look alike: two of one model, and those near each other among all or in a category.
func separate(listings []models.Listing) {
	shown, last := map[glance]bool{}, map[models.Category][]glance{}
	for i := range listings {
		l := &listings[i]
		if l.Status != models.StatusActive || len(l.Photos) == 0 {
			continue
		}
		first, _ := parseKey(l.Photos[0].Key)
		family := l.Category.Family()
		copy, ofModel, ofFamily := first.copy, glance{l.Gear, first.view, 0}, glance{family, first.view, 0}
		for range scenes {
			ofModel.scene, ofFamily.scene = sceneOf(copy), sceneOf(copy)
			if !shown[ofModel] && !slices.Contains(last[""], ofFamily) && !slices.Contains(last[l.Category], ofFamily) {
				break
			}
			copy += uint16(len(leads)) // the same view in the next scene
		}
		shown[ofModel] = true
		for _, list := range []models.Category{"", l.Category} {
			last[list] = append(last[list][max(0, len(last[list])-3):], ofFamily)
		}
		for j := range l.Photos {
			d, _ := parseKey(l.Photos[j].Key)
			d.copy = copy
			l.Photos[j].Key = d.key()
		}
	}
}

// item returns dice for what an item has in all its views.
func (d design) item() dice {
	return dice{rand.New(rand.NewPCG(uint64(d.copy), uint64(d.model)+1<<16))}
}

// flatLay reports whether the camera looks down on the table.
func (p *painter) flatLay() bool {
	return p.view == "top" || p.view == "glass" || p.view == "mount" || p.view == "detail" || p.lies()
}

// lies reports whether a lens lies on its side in the picture of it as a whole.
func (d design) lies() bool {
	return d.category.Family() == models.FamilyLens && d.view == "front" && d.item().chance(0.35)
}

// backdrop draws the table and the wall behind it, which meet at a height.
func (p *painter) backdrop(horizon float64) {
	s := scenes[sceneOf(p.design.copy)]
	tone := s.tone.light(p.copy.between(0.96, 1.02))
	lamp := point{p.copy.between(300, 700), p.copy.between(120, 330)}
	table := p.table(s, horizon)
	fall := 0.2
	if s.surface == studio {
		fall = 0.42
	}
	p.fill(box(-1, -1, canvasWidth+2, canvasHeight+2), func(x, y float64) ink {
		dx, dy := (x-lamp.x)/820, (y-lamp.y)/640
		k := tone.light(0.97)
		if table != nil && (p.flatLay() || y > horizon) {
			k = table(x, y)
		} else if table == nil {
			k = p.sweep(tone, y)
		}
		return k.light(1.03 - fall*min(dx*dx+dy*dy, 1.4))
	})
	if table != nil && !p.flatLay() { // the edge of the table
		p.fill(box(0, horizon-3, canvasWidth, 26), linear(0, horizon-3, 0, horizon+23, stop{0, black(0)}, stop{0.12, black(0.26)}, stop{1, black(0)}))
	}
}

// sweep returns the colour of a sheet that hangs down the wall and lies on the table.
func (p *painter) sweep(tone ink, y float64) ink {
	if p.flatLay() {
		return tone.light(1.02 - 0.07*y/canvasHeight)
	}
	t := y / canvasHeight
	switch {
	case t < 0.55:
		return tone.light(0.91 + 0.1*t)
	case t < 0.72:
		return mix(tone.light(0.965), tone.light(1.02), (t-0.55)/0.17)
	default:
		return tone.light(1.02 - 0.07*(t-0.72)/0.28)
	}
}

// table returns the paint of a table, or nil if the sheet of the wall lies on it.
func (p *painter) table(s scene, horizon float64) paint {
	at := p.copy.between(0, 400)
	depth := func(y float64) float64 { // how far away a row of the picture is, in units of the canvas
		if p.flatLay() {
			return y * 1.6
		}
		return 90_000 / (y - horizon + 130)
	}
	switch s.surface {
	case wood:
		return func(x, y float64) ink { return planks(s.top, x+at, depth(y)+at) }
	case stone:
		return func(x, y float64) ink {
			x, y = x+at, depth(y)+at
			return s.top.light(1 + 0.035*math.Sin(x/61+2*math.Sin(y/83))*math.Sin(y/47+1.6*math.Sin(x/97)) + 0.03*math.Sin((x+y)/190))
		}
	case cloth:
		return func(x, y float64) ink {
			y = depth(y)
			return s.tone.light(1 + 0.05*math.Sin((x+at+40*math.Sin(y/240))/120) + 0.03*math.Sin((y+x*0.3)/16))
		}
	default:
		return nil
	}
}

// planks paints boards that run from left to right, each of a lightness of its own.
func planks(k ink, x, y float64) ink {
	const width = 250.0
	board := math.Floor(y / width)
	in := y/width - board
	lightness := 1 + 0.05*math.Sin(board*7.3)
	grain := math.Sin((in*width + 9*math.Sin(x/210+board*5) + 4*math.Sin(x/83+board)) / 9)
	gap := min(in, 1-in) * width
	if gap < 3 {
		lightness *= 0.72 + 0.09*gap
	}
	return k.light(lightness + 0.035*grain)
}

// ambience draws the light of the scene over the picture: its colour, and the shadow of a window.
func (p *painter) ambience() {
	s := scenes[sceneOf(p.design.copy)]
	if s.window {
		p.look(affine{1, 0, 0, 0, 1, 0})
		p.windowLight()
	}
	exposure := p.item().between(0.95, 1.04)
	p.filter(s.light.light(exposure))
}

// windowLight darkens what the bars and the frame of a window keep in the shade.
func (p *painter) windowLight() {
	item := p.item()
	left, lean, pane := item.between(120, 420), item.between(0.25, 0.5), item.between(150, 210)
	if item.chance(0.4) {
		left, lean = left+300, -lean
	}
	p.fill(box(-1, -1, canvasWidth+2, canvasHeight+2), func(x, y float64) ink {
		across := (x + y*lean - left) / pane // in panes, of which there are three
		down := (y + 60) / 300
		lit := step01(across*12) * step01((3-across)*12)
		for bar := 1.0; bar < 3; bar++ {
			lit *= step01(math.Abs(across-bar)*14 - 0.2)
		}
		lit *= step01(math.Abs(down-1.4)*18 - 0.2)
		return black(0.17 * (1 - lit))
	})
}

// step01 returns t limited to 0 to 1, with soft ends.
func step01(t float64) float64 {
	t = min(max(t, 0), 1)
	return t * t * (3 - 2*t)
}

// props draws what lies or stands beside the item: the strap of a camera, the box of a new one, the
// caps of a lens.
func (p *painter) props() {
	item := p.item()
	switch {
	case p.wear == 0 && !p.flatLay():
		p.carton(item)
	case p.isLens() && p.view == "front" && !p.lies() && item.chance(0.5):
		p.cap(item)
	case p.view == "front" && p.hasStrap() && item.chance(0.3):
		p.strap(item)
	}
}

// hasStrap reports whether the camera has lugs where those of a usual camera are.
func (p *painter) hasStrap() bool {
	switch p.category {
	case mirrorless:
		return p.shape != pocketable && p.shape != cinemaBox
	case dslr, filmSLR, rangefinder:
		return true
	default:
		return false
	}
}

// carton draws a box behind the item.
func (p *painter) carton(item dice) {
	k := pick(item, []ink{grey(46), rgb(232, 228, 220), rgb(190, 150, 104), rgb(150, 40, 38), rgb(52, 74, 110)})
	w, h := item.between(330, 430), item.between(250, 330)
	x, bottom := item.between(40, 130), p.foot()-26
	if item.chance(0.5) {
		x = canvasWidth - x - w
	}
	p.stands(x+10, x+w-10, bottom)
	front := box(x, bottom-h, w, h)
	p.fill(front, linear(x, bottom-h, x+w, bottom, stop{0, k.light(1.06)}, stop{1, k.light(0.84)}))
	lid := polygon(corner{x + 26, bottom - h - 34, 1}, corner{x + w - 26, bottom - h - 34, 1}, corner{x + w, bottom - h, 1}, corner{x, bottom - h, 1})
	p.fill(lid, flat(k.light(1.2)))
	p.stroke(path{}.move(x, bottom-h).line(x+w, bottom-h), 2, flat(black(0.3)))
	p.fill(box(x, bottom-h*0.34, w, h*0.08), flat(pick(item, []ink{rgb(200, 60, 50), rgb(220, 180, 80), grey(150)})))
}

// cap draws the cap of a lens on the table.
func (p *painter) cap(item dice) {
	r := min(lensPainter{p}.figure().width*0.48, 150)
	side := 1.0
	if item.chance(0.5) {
		side = -1
	}
	x, y := 500+side*(lensPainter{p}.figure().width*0.5+r*item.between(0.9, 1.3)), p.foot()+item.between(4, 22)
	p.glow(x+6, y+8, r*1.25, r*0.4, black(0.5))
	p.fill(tube(x, y, y-16, r), barrel(x, r, grey(44), 0.3, 60))
	p.fill(ellipse(x, y-16, r, r*tilt), turned(x, y-16, tilt, grey(52)))
	p.fill(ellipse(x, y-16, r*0.7, r*0.7*tilt), flat(grey(38)))
}

// strap draws a strap that falls from the lugs to the table.
func (p *painter) strap(item dice) {
	k := pick(item, []ink{grey(38), grey(38), grey(38), rgb(112, 70, 44), rgb(72, 50, 38), rgb(128, 52, 46), rgb(60, 76, 104)})
	for _, side := range []float64{-1, 1} {
		x := 500 + side*294
		out := item.between(50, 120)
		line := path{}.move(x, 306).cube(x+side*out, 340, x+side*out*1.3, 520, x+side*out*0.7, ground+6).
			cube(x+side*out*0.2, ground+30, x-side*20, ground+12, x-side*60, ground-30)
		p.stroke(line.moved(affine{1, 0, 8, 0, 1, 10}), 20, flat(black(0.22)))
		p.stroke(line, 17, linear(x-80, 0, x+80, 0, stop{0, k.light(0.8)}, stop{0.5, k.light(1.25)}, stop{1, k.light(0.85)}))
	}
}
