package demo

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// lensPainter draws a lens.
type lensPainter struct{ *painter }

// tilt is how far a circle is flattened on a lens that stands upright and is
// seen from slightly above.
const tilt = 0.2

// section is one ring of a lens barrel.
type section struct {
	h, r   float64 // height and radius
	kind   string  // smooth, ribs, rubber, scale, line, metal
	colour ink
}

// lensFigure is the build of a lens: how long, how wide, what it is made of.
type lensFigure struct {
	width, height float64 // of the barrel, units
	body          ink
	accent        ink
	modern, white bool
	supertele     bool // with a hood and a foot
}

func (p lensPainter) figure() lensFigure {
	model := dice{rand.New(rand.NewPCG(uint64(p.design.model), 2))}
	long := p.to
	if p.to > p.from {
		long = p.from*0.25 + p.to*0.75
	}
	pupil := min(long/p.aperture, 110)
	// Real lenses are some 45 to 110 mm wide and 25 to 400 mm long.
	wide := min(max(52+pupil*0.5, 54), 112)
	deep := min(28+0.7*min(long, 85)+max(0, long-85), 300)
	if p.from < 30 {
		deep += (30 - p.from) * 1.8
		wide = max(wide, 66)
	}
	if p.category == "lens_macro" {
		deep *= 1.15
	}
	supertele := p.colour != "" && long >= 190 && long/p.aperture >= 62
	if supertele {
		deep, wide = 330, 74+0.55*pupil
	}
	scale := min((430+0.3*deep)/deep, (320+1.2*wide)/wide)
	f := lensFigure{width: wide * scale, height: deep * scale, body: grey(model.between(40, 50)), modern: model.chance(0.62), supertele: supertele}
	f.accent = pick(p.model, []ink{rgb(176, 40, 36), rgb(196, 162, 96), rgb(58, 96, 168), chrome, grey(60), grey(60)})
	switch {
	case p.colour != "":
		f.modern = p.colour == blackFinish || p.colour == whiteFinish
		if p.colour == whiteFinish {
			f.body, f.white, f.accent = rgb(222, 219, 209), true, rgb(176, 40, 36)
		}
		if p.colour == silverFinish {
			f.body = chrome.light(0.98)
		}
	case long >= 190 && p.aperture <= 4.5 && model.chance(0.45):
		f.body, f.white, f.modern = rgb(214, 210, 198), true, true
	case !f.modern && model.chance(0.3):
		f.body = chrome.light(0.98)
	}
	return f
}

// sections returns the rings from the mount up.
func (p lensPainter) sections(f lensFigure) []section {
	r, h := f.width/2, f.height
	dark := grey(38)
	zoom := p.to > p.from
	mount := section{max(8, h*0.03), r * 0.74, "metal", chrome}
	base := section{h * 0.16, r * 0.86, "smooth", f.body}
	front := section{h * 0.10, r, "smooth", f.body}
	if p.hooded() {
		front = section{h * 0.24, r * 1.06, "smooth", grey(46)}
	}
	accent := section{max(3.5, h*0.011), r * 0.995, "line", f.accent}
	switch {
	case f.supertele:
		return []section{mount, {h * 0.12, r * 0.62, "smooth", f.body}, {h * 0.05, r * 0.7, "metal", f.body.light(0.92)}, {h * 0.13, r * 0.64, "smooth", f.body}, {h * 0.11, r * 0.69, "rubber", dark},
			{h * 0.1, r * 0.74, "smooth", f.body}, {h * 0.16, r * 0.84, "smooth", f.body}, {h * 0.012, r * 0.845, "line", f.accent}, {h * 0.06, r * 0.93, "smooth", f.body}, {h * 0.23, r, "smooth", grey(48)}}
	case zoom && f.modern:
		return []section{mount, base, {h * 0.10, r * 0.9, "scale", f.body}, {h * 0.26, r * 0.96, "rubber", dark}, {h * 0.05, r * 0.93, "smooth", f.body},
			{h * 0.16, r * 0.98, "rubber", dark}, {h * 0.05, r * 0.96, "smooth", f.body}, accent, front}
	case zoom:
		return []section{mount, base, {h * 0.08, r * 0.88, "scale", f.body}, {h * 0.46, r * 0.97, "ribs", dark}, {h * 0.06, r * 0.94, "scale", f.body}, accent, front}
	case f.modern:
		return []section{mount, base, {h * 0.12, r * 0.92, "scale", f.body}, {h * 0.36, r, "rubber", dark}, {h * 0.06, r * 0.97, "smooth", f.body}, accent, front}
	default:
		return []section{mount, {h * 0.10, r * 0.8, "smooth", f.body}, {h * 0.14, r * 0.92, "ribs", f.body}, {h * 0.12, r * 0.86, "scale", dark},
			{h * 0.24, r, "ribs", f.body}, {h * 0.08, r * 0.93, "scale", f.body}, {h * 0.05, r * 0.9, "metal", chrome}, {h * 0.12, r * 0.86, "ribs", f.body}}
	}
}

// hooded reports whether the item is shown with its hood.
func (p lensPainter) hooded() bool {
	return p.category != "lens_fisheye" && p.item().chance(0.3)
}

// foot returns the height at which a lens stands that is in the middle of the picture.
func (f lensFigure) foot() float64 { return 385 + f.height*0.5 + f.width*0.02 }

// whole draws a lens that stands on its mount, or lies.
func (p lensPainter) whole() {
	f := p.figure()
	cx, ground := 500.0, f.foot()
	sections := p.sections(f)
	if p.lies() {
		w, h := f.width*0.84, f.height
		p.shadow(cx-w/2+14, ground-h+10, w, h, 30, 44, black(0.5))
	} else {
		p.stands(cx-f.width*0.42, cx+f.width*0.42, ground)
		p.glow(cx, ground, f.width*0.52, f.width*0.13, black(0.7))
	}
	if f.supertele {
		p.foot(cx, ground-f.height*0.17, f.width*0.5, f.body)
	}
	y := ground
	p.finish.bare = grey(150)
	for i, s := range sections {
		below := s.r
		if i > 0 {
			below = sections[i-1].r
		}
		p.ringOf(cx, y, s, below)
		y -= s.h
	}
	last := sections[len(sections)-1]
	p.crown(cx, y, last.r, f)
}

// foot draws the tripod foot of a long lens of a radius, at its right.
func (p lensPainter) foot(cx, y, r float64, k ink) {
	arm := polygon(corner{cx + r*0.5, y - 14, 4}, corner{cx + r*1.12, y - 14, 6}, corner{cx + r*1.12, y + 14, 6}, corner{cx + r*0.5, y + 14, 4})
	p.fill(arm, barrelAcross(y-14, y+14, k))
	plate := roundBox(cx+r*1.06, y-92, 24, 150, 9)
	p.shadow(cx+r*1.06+6, y-86, 24, 150, 9, 12, black(0.45))
	p.fill(plate, linear(cx+r*1.06, 0, cx+r*1.06+24, 0, stop{0, k.light(0.7)}, stop{0.4, k.light(1.15)}, stop{1, k.light(0.6)}))
	p.bevel(plate, 2, 0.6)
	p.knob(cx+r*0.86, y, 13, grey(50))
}

// ringOf draws one section, standing on y.
func (p lensPainter) ringOf(cx, y float64, s section, below float64) {
	side := tube(cx, y, y-s.h, s.r)
	if below > s.r+1 { // the shoulder of the ring below
		p.fill(ellipse(cx, y, below, below*tilt), turned(cx, y, tilt, s.colour.light(0.95)))
		p.fill(ellipse(cx, y, s.r*1.05, s.r*1.05*tilt), flat(black(0.4)))
	}
	gloss := 0.75
	ribs := 0.0
	switch s.kind {
	case "rubber":
		gloss, ribs = 0.1, math.Round(s.r*0.55)
	case "ribs":
		gloss, ribs = 0.5, math.Round(s.r*0.26)
	case "metal":
		gloss = 1
	}
	p.fill(side, barrel(cx, s.r, s.colour, gloss, ribs))
	if s.kind == "rubber" { // blocks of ribs between bands
		n := max(2, int(s.h/26))
		for i := range n + 1 {
			at := y - s.h*float64(i)/float64(n)
			p.fill(tube(cx, at+1.6, at-1.6, s.r), barrel(cx, s.r, grey(30), 0.15, 0))
		}
	}
	p.stroke(rim(cx, y-s.h, s.r), 1.6, linear(cx-s.r, 0, cx+s.r, 0, stop{0, white(0.12)}, stop{0.3, white(0.5)}, stop{0.6, white(0.12)}, stop{1, white(0.3)}))
	p.stroke(rim(cx, y-0.5, s.r), 2, flat(black(0.45)))
	if s.kind == "smooth" || s.kind == "ribs" {
		p.edges = append(p.edges, rim(cx, y-s.h+1.5, s.r))
	}
	if s.kind == "scale" {
		p.scale(cx, y, s)
	}
}

// scale engraves figures around a ring: focal lengths of a zoom, else distances.
func (p lensPainter) scale(cx, y float64, s section) {
	figures := []string{"0.7", "1", "1.5", "3", "∞"}
	if p.to > p.from {
		figures = nil
		for _, mm := range []float64{8, 10, 12, 16, 18, 24, 28, 35, 50, 70, 85, 105, 135, 200, 300, 400, 600} {
			if mm >= p.from*0.99 && mm <= p.to*1.01 {
				figures = append(figures, focal(mm))
			}
		}
	}
	k := white(0.85)
	if s.colour.r > 120 {
		k = black(0.8)
	}
	high := min(s.h*0.42, 21)
	for i, figure := range figures {
		a := (float64(i)-float64(len(figures)-1)/2)*0.42 - 0.08
		if math.Abs(a) > 1.25 {
			continue
		}
		squeeze, x := math.Cos(a), cx+s.r*math.Sin(a)
		drop := s.r * tilt * math.Cos(a)
		var all path
		width := 0.0
		for _, r := range figure {
			glyphPath, advance := glyph(r)
			all = append(all, glyphPath.moved(affine{high, 0, width, 0, high, 0})...)
			width += advance * high
		}
		p.fill(all.moved(affine{squeeze, 0, x - width*squeeze/2, 0, 1, y - s.h*0.46 + drop*0.99 + high*0.35}), flat(k.fade(0.4+0.6*squeeze)))
		p.fill(box(x-1, y-s.h*0.2+drop-2, 2, s.h*0.14), flat(k.fade(0.8*squeeze)))
	}
}

// crown draws the front of a standing lens, seen from slightly above.
func (p lensPainter) crown(cx, y, r float64, f lensFigure) {
	p.fill(ellipse(cx, y, r, r*tilt), turned(cx, y, tilt, f.body.light(1.1)))
	p.stroke(ellipse(cx, y, r*0.99, r*0.99*tilt), 2, linear(cx-r, 0, cx+r, 0, stop{0, white(0.5)}, stop{0.4, white(0.8)}, stop{1, white(0.25)}))
	p.edges = append(p.edges, ellipse(cx, y, r, r*tilt))
	if p.category == "lens_fisheye" {
		p.bulge(cx, y, r)
		return
	}
	inner := r * 0.93
	p.fill(ellipse(cx, y+1, inner, inner*tilt), linear(0, y-inner*tilt, 0, y+inner*tilt, stop{0, grey(12)}, stop{1, grey(58)}))
	for i := range 7 { // the thread for filters
		q := inner * (1 - float64(i)*0.012)
		p.stroke(ellipse(cx, y+1+float64(i)*0.9, q, q*tilt), 0.9, flat(white(0.1)))
	}
	deep := y + r*0.035
	p.fill(ellipse(cx, deep, inner*0.9, inner*0.9*tilt), turned(cx, deep, tilt, grey(30)))
	p.around(engraved(p.from, p.to, p.aperture), cx, deep, inner*0.775, tilt, math.Pi/2*3, inner*0.085, white(0.75))
	size := inner * min(max(0.44+0.36/math.Sqrt(max(p.aperture, 1)), 0.5), 0.72)
	p.fill(ellipse(cx, deep, size*1.05, size*1.05*tilt), flat(grey(10)))
	p.glass(cx, deep+2, size, size*tilt, 0.4)
}

// bulge draws the front element of a fisheye, standing out like a dome.
func (p lensPainter) bulge(cx, y, r float64) {
	q := r * 0.84
	p.fill(ellipse(cx, y, q*1.06, q*1.06*tilt), turned(cx, y, tilt, grey(24)))
	dome := path{}.move(cx-q, y).cube(cx-q, y-q*0.62, cx+q, y-q*0.62, cx+q, y).cube(cx+q, y+q*tilt*1.3, cx-q, y+q*tilt*1.3, cx-q, y).close()
	p.fill(dome, radial(cx, y-q*0.05, q, q*0.55, stop{0, rgb(12, 13, 18)}, stop{0.6, rgb(26, 30, 40)}, stop{0.9, rgb(64, 72, 88)}, stop{1, rgb(30, 32, 40)}))
	p.fill(ellipse(cx+q*0.2, y-q*0.08, q*0.5, q*0.22), radial(cx+q*0.2, y-q*0.08, q*0.5, q*0.22, stop{0, rgb(70, 150, 110).fade(0.55)}, stop{1, rgb(70, 150, 110).fade(0)}))
	p.fill(ellipse(cx-q*0.25, y-q*0.2, q*0.45, q*0.2), radial(cx-q*0.25, y-q*0.2, q*0.45, q*0.2, stop{0, rgb(150, 90, 180).fade(0.6)}, stop{1, rgb(150, 90, 180).fade(0)}))
	p.fill(crescent(cx, y, q*0.86, q*0.42, -2.8, -1.5, 0.3), linear(cx-q, y-q*0.5, cx, y, stop{0, white(0.9)}, stop{1, white(0.15)}))
	p.fill(crescent(cx, y-q*0.02, q*0.9, q*0.42, -0.9, -0.35, 0.12), flat(white(0.35)))
	p.stroke(dome, 1.6, linear(0, y-q*0.5, 0, y+q*0.2, stop{0, white(0.5)}, stop{1, black(0.5)}))
	// Two petals of the built-in hood.
	for _, side := range []float64{-1, 1} {
		petal := path{}.move(cx+side*r*0.99, y).cube(cx+side*r*0.99, y-r*0.2, cx+side*r*0.8, y-r*0.26, cx+side*r*0.72, y-r*0.1).
			cube(cx+side*r*0.82, y-r*0.02, cx+side*r*0.9, y+r*0.03, cx+side*r*0.99, y).close()
		p.fill(petal, linear(cx-r, 0, cx+r, 0, stop{0, grey(34)}, stop{0.12, grey(96)}, stop{0.2, grey(44)}, stop{0.85, grey(40)}, stop{1, grey(80)}))
	}
}

// tube returns the visible side of an upright cylinder.
func tube(cx, bottom, top, r float64) path {
	k, ry := r*circleArm, r*tilt
	ky := ry * circleArm
	return path{}.move(cx-r, top).
		cube(cx-r, top+ky, cx-k, top+ry, cx, top+ry).cube(cx+k, top+ry, cx+r, top+ky, cx+r, top).
		line(cx+r, bottom).
		cube(cx+r, bottom+ky, cx+k, bottom+ry, cx, bottom+ry).cube(cx-k, bottom+ry, cx-r, bottom+ky, cx-r, bottom).close()
}

// rim returns the near edge of a ring.
func rim(cx, y, r float64) path {
	k, ry := r*circleArm, r*tilt
	ky := ry * circleArm
	return path{}.move(cx-r, y).cube(cx-r, y+ky, cx-k, y+ry, cx, y+ry).cube(cx+k, y+ry, cx+r, y+ky, cx+r, y)
}

// fromFront draws the glass.
func (p lensPainter) fromFront() {
	f := p.figure()
	r := min(max(f.width*0.95, 215), 285)
	cx, cy := 500.0, 372.0
	p.shadow(cx-r+26, cy-r+40, 2*r, 2*r, r, 60, black(0.4))
	p.shadow(cx-r+6, cy-r+12, 2*r, 2*r, r, 16, black(0.45))
	p.fill(circle(cx, cy, r), knurled(cx, cy, 1, grey(40), math.Round(r*0.4)))
	p.fill(circle(cx, cy, r*0.955), turned(cx, cy, 1, f.body))
	p.stroke(circle(cx, cy, r*0.955), 2, linear(0, cy-r, 0, cy+r, stop{0, white(0.6)}, stop{1, black(0.5)}))
	p.stroke(circle(cx, cy, r*0.935), 3.4, flat(f.accent.fade(0.9)))
	p.finish.bare = grey(160)
	p.edges = append(p.edges, circle(cx, cy, r*0.95))
	p.frontOf(cx, cy, r*0.915, 1, p.from, p.to, p.aperture)
}

// fromBehind draws the mount.
func (p lensPainter) fromBehind() {
	f := p.figure()
	r := min(max(f.width*0.9, 205), 270)
	cx, cy := 500.0, 372.0
	p.shadow(cx-r+26, cy-r+40, 2*r, 2*r, r, 60, black(0.4))
	p.shadow(cx-r+6, cy-r+12, 2*r, 2*r, r, 16, black(0.45))
	p.fill(circle(cx, cy, r), knurled(cx, cy, 1, grey(40), math.Round(r*0.4)))
	p.fill(circle(cx, cy, r*0.95), turned(cx, cy, 1, f.body))
	p.stroke(circle(cx, cy, r*0.95), 2, linear(0, cy-r, 0, cy+r, stop{0, white(0.5)}, stop{1, black(0.5)}))
	m := r * 0.76
	p.fill(circle(cx, cy, m*1.04), flat(black(0.5)))
	p.fill(circle(cx, cy, m), turned(cx, cy, 1, chrome))
	p.finish.bare = grey(90)
	p.edges = append(p.edges, circle(cx, cy, m*0.99), circle(cx, cy, m*0.9))
	p.stroke(circle(cx, cy, m*0.86), 2, flat(black(0.45)))
	p.fill(circle(cx, cy, m*0.85), turned(cx, cy, 1, chrome.light(0.82)))
	for i := range 3 { // bayonet
		a := float64(i)*2*math.Pi/3 + p.model.between(0, 0.4)
		p.fill(arc(cx, cy, m*0.9, m*0.8, a, a+1.05), turned(cx, cy, 1, chrome.light(1.06)))
		p.stroke(arc(cx, cy, m*0.9, m*0.8, a, a+1.05), 1.5, flat(black(0.4)))
	}
	for i := range 5 {
		a := float64(i)*2*math.Pi/5 + 0.3
		x, y := cx+m*0.94*math.Cos(a), cy+m*0.94*math.Sin(a)
		p.fill(circle(x, y, m*0.032), radial(x-1, y-1, m*0.04, m*0.04, stop{0, grey(236)}, stop{1, grey(96)}))
	}
	p.fill(circle(cx, cy, m*0.76), radial(cx, cy, m*0.76, m*0.76, stop{0, grey(8)}, stop{0.9, grey(22)}, stop{1, grey(44)}))
	if f.modern {
		p.fill(arc(cx, cy, m*0.75, m*0.62, math.Pi/2-0.6, math.Pi/2+0.6), flat(grey(30)))
		for i := range 10 {
			a := math.Pi/2 + (float64(i)-4.5)*0.11
			x, y := cx+m*0.69*math.Cos(a), cy+m*0.69*math.Sin(a)
			p.fill(circle(x, y, m*0.026), radial(x-1, y-1, m*0.03, m*0.03, stop{0, rgb(255, 228, 156)}, stop{1, rgb(156, 116, 54)}))
		}
	}
	p.fill(circle(cx, cy, m*0.6), turned(cx, cy, 1, grey(24)))
	p.around(fmt.Sprintf("%s mm", focal(p.from)), cx, cy, m*0.64, 1, -math.Pi/2, m*0.06, white(0.6))
	p.glass(cx, cy, m*0.52, m*0.52, 0.34)
	p.fill(circle(cx-m*0.945*math.Cos(0.8), cy-m*0.945*math.Sin(0.8), m*0.035), flat(rgb(196, 46, 40)))
}
