package demo

import "math"

// cameraPainter draws a camera.
type cameraPainter struct{ *painter }

// ground is where cameras stand.
const ground = 600.0

// systemCamera draws a mirrorless camera or reflex with a hump over the lens and a
// handle on the left.
func (p cameraPainter) systemCamera(retro, reflex bool) {
	f, m := p.finish, p.model
	x0, x1, top := 212.0, 788.0, 262.0
	bottom, hump, half := ground, 168.0, 78.0
	if reflex {
		top, hump, half = 250, 138, 92
		x0, x1 = 208, 792
	}
	switch {
	case p.shape == 2 && p.category == "dslr":
		bottom, top, hump = 630, 206, 106
	case p.category == mirrorless && p.shape == gripped:
		bottom, top, hump = 636, 210, 122
	}
	p.stands(x0+10, x1-10, bottom)
	p.lug(x0+4, top+34)
	p.lug(x1-4, top+34)
	p.topDials(top, retro, reflex)
	slope := m.between(26, 54)
	cx := 512.0
	r := 24.0
	if retro {
		r, slope = 8, m.between(10, 22)
	}
	outline := polygon(
		corner{x0, top + 14, 36}, corner{x0 + 130, top + 2, 16}, corner{cx - half - slope, top, 14}, corner{cx - half, hump, r},
		corner{cx + half, hump, r}, corner{cx + half + slope, top, 14}, corner{x1 - 24, top + 2, 26}, corner{x1, top + 40, 26},
		corner{x1 - 4, bottom, 40}, corner{x0 + 6, bottom, 40})
	p.shell(outline, f.body, hump, bottom)
	if f.top.r > 120 { // a silver top on a black body
		p.metal(polygon(corner{x0, top + 14, 36}, corner{x0 + 130, top + 2, 16}, corner{cx - half - slope, top, 14}, corner{cx - half, hump, r},
			corner{cx + half, hump, r}, corner{cx + half + slope, top, 14}, corner{x1 - 24, top + 2, 26}, corner{x1, top + 72, 4}, corner{x0, top + 72, 4}), f.top, hump, top+72)
	}
	p.hump(cx, top, hump, half, reflex)
	skinTop := top + 78
	p.covering(polygon(corner{x0 + 4, skinTop, 6}, corner{x1 - 3, skinTop, 6}, corner{x1 - 6, bottom - 34, 16}, corner{x0 + 8, bottom - 34, 16}), skinTop, bottom-34)
	if retro {
		p.fill(roundBox(x0+34, skinTop+6, 54, bottom-skinTop-52, 22), linear(x0+34, 0, x0+88, 0, stop{0, white(0.03)}, stop{0.3, white(0.14)}, stop{1, black(0.35)}))
	} else {
		p.grip(x0-6, top+40, 122, bottom-top-66, 40)
	}
	p.fill(circle(392, top+52, 9), radial(390, top+50, 10, 10, stop{0, rgb(226, 150, 90)}, stop{1, rgb(70, 30, 20)}))
	p.faceOfSystemCamera(cx, (top+bottom)/2+14, (bottom-top)*0.435, reflex)
}

// topDials draws the shutter button and the dials over the top plate.
func (p cameraPainter) topDials(top float64, retro, reflex bool) {
	k := p.finish.top.light(0.95)
	if retro {
		p.dialSide(274, top+10, 34, 22, k, 0)
		p.dialSide(344, top+8, 70, 38, k, 36)
		p.dialSide(652, top+8, 84, 36, k, 44)
		p.dialSide(730, top+14, 62, 34, k, 34)
		return
	}
	p.dialSide(274, top+8, 58, 20, grey(60), 0)
	p.dialSide(274, top-8, 36, 9, chrome, 0)
	p.dialSide(352, top+6, 66, 17, grey(42), 40)
	if reflex {
		p.dialSide(690, top+8, 92, 30, grey(46), 52)
	} else {
		p.dialSide(676, top+8, 86, 36, grey(48), 46)
	}
	p.dialSide(748, top+12, 44, 14, grey(44), 28)
}

// hump draws the finder over the lens: a shoe on top, and light on its front.
func (p cameraPainter) hump(cx, top, hump, half float64, reflex bool) {
	p.shoe(cx, hump+2, half*1.1)
	p.fill(polygon(corner{cx - half + 10, hump + 8, 16}, corner{cx + half - 10, hump + 8, 16}, corner{cx + half + 6, top + 26, 16}, corner{cx - half - 6, top + 26, 16}),
		linear(0, hump, 0, top+26, stop{0, white(0.16)}, stop{0.4, white(0.04)}, stop{1, black(0.16)}))
	if reflex { // the line of the flash
		p.stroke(path{}.move(cx-half+2, top-42).quad(cx, top-58, cx+half-2, top-42), 2.2, flat(black(0.6)))
		p.stroke(path{}.move(cx-half+2, top-40).quad(cx, top-56, cx+half-2, top-40), 1, flat(white(0.22)))
	}
}

// faceOfSystemCamera draws the lens, or the open mount, and what is around it.
func (p cameraPainter) faceOfSystemCamera(cx, cy, r float64, mirror bool) {
	p.button(cx+r*1.16, cy+r*0.42, 15, grey(52))
	p.fill(roundBox(cx+r*1.02, cy-r*0.3, 20, 44, 9), linear(cx+r, 0, cx+r+26, 0, stop{0, grey(70)}, stop{1, grey(28)}))
	item := p.item()
	body := item.chance(0.5) && !p.isFilm()
	if body {
		p.opening(cx, cy, r*0.94, mirror)
		return
	}
	k := grey(42)
	if p.isFilm() && item.chance(0.2) {
		k = chrome.light(0.9)
	}
	p.lensOn(cx, cy, r*item.between(0.9, 1.14), pick(item, []float64{35, 50, 24, 85}), pick(item, []float64{1.8, 2.8, 4, 1.4}), k)
}

// flatTop draws a mirrorless camera in the form of a rangefinder.
func (p cameraPainter) flatTop() {
	f := p.finish
	x0, x1, top := 220.0, 780.0, 268.0
	p.stands(x0+10, x1-10, ground)
	p.lug(x0+4, top+34)
	p.lug(x1-4, top+34)
	p.dialSide(282, top+4, 38, 16, chrome, 0)
	p.dialSide(350, top+4, 74, 30, f.top.light(0.9), 38)
	p.dialSide(430, top+4, 60, 24, f.top.light(0.9), 30)
	p.shoe(540, top+2, 76)
	outline := polygon(corner{x0, top, 30}, corner{x1, top, 30}, corner{x1, ground, 38}, corner{x0, ground, 38})
	p.shell(outline, f.body, top, ground)
	p.metal(polygon(corner{x0, top, 30}, corner{x1, top, 30}, corner{x1, top + 76, 3}, corner{x0, top + 76, 3}), f.top, top, top+76)
	p.covering(polygon(corner{x0 + 3, top + 80, 4}, corner{x1 - 3, top + 80, 4}, corner{x1 - 3, ground - 30, 10}, corner{x0 + 3, ground - 30, 10}), top+80, ground-30)
	p.grip(x0-2, top+92, 84, ground-top-136, 26)
	if p.model.chance(0.6) {
		p.window(690, top+20, 58, 38, rgb(120, 140, 170))
	} else {
		p.fill(roundBox(684, top+24, 66, 28, 6), linear(0, top+24, 0, top+52, stop{0, rgb(236, 236, 230)}, stop{1, rgb(190, 192, 188)}))
		p.stroke(roundBox(684, top+24, 66, 28, 6), 2, flat(black(0.4)))
	}
	p.fill(circle(392, top+40, 8), radial(390, top+38, 9, 9, stop{0, rgb(226, 150, 90)}, stop{1, rgb(70, 30, 20)}))
	p.faceOfSystemCamera(508, 444, 142, false)
}

// rangefinder draws a body with windows over a small lens.
func (p cameraPainter) rangefinder() {
	f := p.finish
	x0, x1, top, step := 196.0, 804.0, 262.0, 330.0
	p.stands(x0+16, x1-16, ground)
	p.lug(x0+6, step+6)
	p.lug(x1-6, step+6)
	p.dialSide(262, top+2, 40, 30, chrome, 24)
	p.dialSide(330, top+2, 30, 16, chrome, 0)
	p.dialSide(400, top+2, 66, 22, f.top, 36)
	p.shoe(506, top+1, 70)
	p.dialSide(726, top+14, 74, 34, chrome, 36)
	outline := polygon(corner{x0, top + 44, 46}, corner{x0 + 10, top + 44, 10}, corner{x1 - 10, top + 44, 10}, corner{x1, top + 44, 46}, corner{x1, ground, 56}, corner{x0, ground, 56})
	p.shell(outline, f.body, top, ground)
	p.edges = nil // the top plate lies over it
	plate := polygon(corner{x0 + 2, step + 10, 6}, corner{x0 + 2, top + 26, 40}, corner{x0 + 100, top + 14, 12}, corner{x0 + 120, top, 12}, corner{x1 - 140, top, 12}, corner{x1 - 118, top + 14, 12},
		corner{x1 - 2, top + 26, 40}, corner{x1 - 2, step + 10, 6})
	p.metal(plate, f.top, top, step+10)
	p.covering(polygon(corner{x0 + 2, step + 12, 3}, corner{x1 - 2, step + 12, 3}, corner{x1 - 2, ground - 42, 3}, corner{x0 + 2, ground - 42, 3}), step+12, ground-42)
	p.metal(polygon(corner{x0 + 2, ground - 40, 3}, corner{x1 - 2, ground - 40, 3}, corner{x1 - 2, ground, 54}, corner{x0 + 2, ground, 54}), f.top, ground-40, ground)
	p.window(656, top+18, 62, 40, rgb(130, 150, 178))
	p.window(566, top+22, 56, 34, rgb(214, 214, 200))
	p.window(404, top+26, 24, 24, rgb(170, 150, 120))
	p.button(716, 418, 14, f.top)
	p.fill(roundBox(708, 424, 16, 62, 7), linear(708, 0, 724, 0, stop{0, grey(220)}, stop{0.5, grey(130)}, stop{1, grey(90)}))
	k := f.top
	if p.copy.chance(0.4) {
		k = grey(44)
	}
	p.smallLens(500, 452, 126, k)
}

// smallLens draws a lens with a narrow barrel, as on a rangefinder.
func (p cameraPainter) smallLens(cx, cy, r float64, k ink) {
	p.shadow(cx-r+14, cy-r+20, 2*r, 2*r, r, 30, black(0.5))
	p.fill(circle(cx, cy, r), turned(cx, cy, 1, chrome))
	p.stroke(circle(cx, cy, r), 1.6, linear(0, cy-r, 0, cy+r, stop{0, white(0.7)}, stop{1, black(0.5)}))
	p.shadow(cx-r*0.9+8, cy-r*0.9+12, 1.8*r, 1.8*r, r*0.9, 14, black(0.45))
	p.fill(circle(cx, cy, r*0.92), knurled(cx, cy, 1, k, 60))
	p.fill(circle(cx, cy, r*0.82), turned(cx, cy, 1, k.light(0.95)))
	for i := range 24 {
		a := float64(i)*math.Pi/12 + 0.1
		p.stroke(path{}.move(cx+r*0.77*math.Cos(a), cy+r*0.77*math.Sin(a)).line(cx+r*0.81*math.Cos(a), cy+r*0.81*math.Sin(a)), 1.5, flat(markOn(k)))
	}
	p.around("2  2.8  4  5.6  8  11  16", cx, cy, r*0.685, 1, -math.Pi/2, r*0.085, markOn(k))
	p.frontOf(cx, cy, r*0.66, 1, 50, 50, pick(p.model, []float64{2, 1.4, 2.8}))
}

// markOn returns the colour of engraving on a metal.
func markOn(k ink) ink {
	if k.r > 120 {
		return black(0.75)
	}
	return white(0.8)
}

// filmSLR draws a mechanical reflex: prism, top plate, leather.
func (p cameraPainter) filmSLR() {
	f, m := p.finish, p.model
	x0, x1, top, skin := 190.0, 810.0, 268.0, 336.0
	p.stands(x0+14, x1-14, ground)
	p.lug(x0+4, skin-8)
	p.lug(x1-4, skin-8)
	p.dialSide(262, top+2, 34, 20, chrome, 0)
	p.dialSide(262, top-16, 20, 8, chrome.light(1.1), 0)
	p.dialSide(334, top+2, 72, 34, f.top, 34)
	p.dialSide(716, top+4, 84, 30, f.top, 40)
	p.dialSide(716, top-24, 34, 14, chrome, 0)
	outline := polygon(corner{x0, top + 6, 28}, corner{x1, top + 6, 28}, corner{x1, ground, 34}, corner{x0, ground, 34})
	p.shell(outline, f.body, top, ground)
	p.edges = nil // the top plate lies over it
	peak, wide := m.between(158, 178), m.between(60, 74)
	plate := polygon(corner{x0, skin, 3}, corner{x0, top + 6, 28}, corner{x0 + 30, top, 20}, corner{500 - wide - 66, top, 10}, corner{500 - wide - 28, top - 44, 10}, corner{500 - wide + 12, peak, 14},
		corner{500 + wide - 12, peak, 14}, corner{500 + wide + 28, top - 44, 10}, corner{500 + wide + 66, top, 10}, corner{x1 - 30, top, 20}, corner{x1, top + 6, 28}, corner{x1, skin, 3})
	p.shoe(500, peak+2, 66)
	p.metal(plate, f.top, peak, skin)
	p.fill(polygon(corner{500 - wide + 14, peak + 8, 8}, corner{500 + wide - 14, peak + 8, 8}, corner{500 + wide + 14, top - 40, 8}, corner{500 - wide - 14, top - 40, 8}),
		linear(0, peak, 0, top-40, stop{0, white(0.3)}, stop{1, white(0.02)}))
	p.fill(polygon(corner{500 - wide - 14, top - 38, 4}, corner{500 + wide + 14, top - 38, 4}, corner{500 + wide + 34, skin - 12, 6}, corner{500 - wide - 34, skin - 12, 6}),
		linear(0, top-38, 0, skin-12, stop{0, black(0.14)}, stop{1, black(0.02)}))
	p.covering(polygon(corner{x0 + 2, skin + 2, 3}, corner{x1 - 2, skin + 2, 3}, corner{x1 - 2, ground - 40, 3}, corner{x0 + 2, ground - 40, 3}), skin+2, ground-40)
	p.metal(polygon(corner{x0 + 1, ground - 38, 2}, corner{x1 - 1, ground - 38, 2}, corner{x1 - 1, ground, 32}, corner{x0 + 1, ground, 32}), f.top, ground-38, ground)
	p.button(320, 410, 15, f.top)
	p.fill(roundBox(312, 414, 17, 66, 8), linear(312, 0, 330, 0, stop{0, grey(224)}, stop{0.5, grey(130)}, stop{1, grey(84)}))
	p.button(672, 392, 13, f.top)
	p.fill(polygon(corner{404, 300, 14}, corner{596, 300, 14}, corner{640, 560, 30}, corner{360, 560, 30}), linear(0, 300, 0, 560, stop{0, f.top.light(1.02)}, stop{1, f.top.light(0.72)}))
	p.lensOn(500, 446, 146, pick(m, []float64{50, 50, 35, 55, 28}), pick(m, []float64{1.8, 1.4, 2, 2.8}), grey(40))
}

// cube draws a medium-format camera with a finder to look down into.
func (p cameraPainter) cube() {
	f := p.finish
	x0, x1, top, bottom := 300.0, 692.0, 236.0, 624.0
	p.stands(x0+6, x1-6, bottom)
	hood := polygon(corner{x0 + 26, top + 4, 2}, corner{x0 + 44, 118, 8}, corner{x1 - 44, 118, 8}, corner{x1 - 26, top + 4, 2})
	p.fill(hood, linear(x0, 0, x1, 0, stop{0, grey(30)}, stop{0.25, grey(70)}, stop{0.6, grey(46)}, stop{1, grey(26)}))
	p.bevel(hood, 2.4, 0.7)
	p.fill(polygon(corner{x0 + 58, 134, 6}, corner{x1 - 58, 134, 6}, corner{x1 - 50, top - 12, 4}, corner{x0 + 50, top - 12, 4}), linear(0, 134, 0, top, stop{0, grey(22)}, stop{1, grey(54)}))
	p.edges = append(p.edges, hood)
	shape := roundBox(x0, top, x1-x0, bottom-top, 20)
	p.metal(shape, f.top, top, bottom)
	p.covering(roundBox(x0+16, top+22, x1-x0-32, bottom-top-40, 14), top, bottom)
	p.fill(roundBox(x1, 380, 26, 76, 9), barrelAcross(380, 456, f.top))
	p.bevel(roundBox(x1, 380, 26, 76, 9), 2, 0.7)
	p.stroke(path{}.move(x1+16, 418).line(x1+38, 470), 12, linear(x1, 0, x1+44, 0, stop{0, grey(200)}, stop{1, grey(90)}))
	p.button(x1+38, 472, 13, grey(60))
	p.button(x1-30, bottom-34, 14, chrome)
	p.lug(x0, top+44)
	p.lug(x1, top+44)
	cx, cy, r := (x0+x1)/2, 436.0, 158.0
	p.shadow(cx-r+14, cy-r+22, 2*r, 2*r, r, 34, black(0.6))
	k := grey(42)
	if p.copy.chance(0.45) {
		k = chrome
	}
	p.fill(circle(cx, cy, r), turned(cx, cy, 1, grey(48)))
	p.fill(circle(cx, cy, r*0.95), knurled(cx, cy, 1, k, 84))
	p.fill(circle(cx, cy, r*0.85), turned(cx, cy, 1, k.light(0.92)))
	p.around("B  1  2  4  8  15  30  60  125  250  500", cx, cy, r*0.785, 1, -math.Pi/2, r*0.075, markOn(k))
	p.around("2.8  4  5.6  8  11  16  22", cx, cy, r*0.735, 1, math.Pi/2, r*0.07, rgb(226, 120, 60))
	p.frontOf(cx, cy, r*0.71, 1, 80, 80, 2.8)
}

// twinLens draws a tall box with one lens over the other.
func (p cameraPainter) twinLens() {
	x0, x1, top, bottom := 368.0, 632.0, 190.0, 650.0
	p.stands(x0+4, x1-4, bottom)
	hood := polygon(corner{x0 + 10, top + 4, 2}, corner{x0 + 22, 84, 8}, corner{x1 - 22, 84, 8}, corner{x1 - 10, top + 4, 2})
	p.fill(hood, linear(x0, 0, x1, 0, stop{0, grey(28)}, stop{0.3, grey(76)}, stop{0.6, grey(46)}, stop{1, grey(26)}))
	p.bevel(hood, 2.4, 0.8)
	p.stroke(circle(500, 138, 22), 2, flat(white(0.22)))
	p.edges = append(p.edges, hood)
	for _, y := range []float64{270, 470} { // knobs on the right
		k := polygon(corner{x1 - 2, y - 34, 3}, corner{x1 + 34, y - 34, 6}, corner{x1 + 34, y + 34, 6}, corner{x1 - 2, y + 34, 3})
		p.fill(k, barrelAcross(y-34, y+34, chrome))
		for i := range 9 {
			p.fill(box(x1+6, y-30+float64(i)*7, 28, 2.4), flat(black(0.3)))
		}
		p.bevel(k, 2, 0.6)
	}
	shape := roundBox(x0, top, x1-x0, bottom-top, 16)
	p.shell(shape, grey(44), top, bottom)
	p.covering(roundBox(x0+8, top+60, x1-x0-16, bottom-top-70, 10), top, bottom)
	plate := polygon(corner{x0 + 34, 222, 50}, corner{x1 - 34, 222, 50}, corner{x1 - 26, 600, 60}, corner{x0 + 26, 600, 60})
	p.shadow(x0+40, 240, x1-x0-72, 366, 50, 16, black(0.5))
	k := grey(50)
	if p.copy.chance(0.5) {
		k = chrome
	}
	p.metal(plate, k, 222, 600)
	p.frontWithRing(500, 312, 78, chrome, 75, 2.8)
	p.frontWithRing(500, 486, 88, chrome, 75, 3.5)
	p.button(x1-52, 562, 12, chrome)
	p.dialSmall(x0+56, 404, 24)
	p.dialSmall(x1-56, 404, 24)
}

// frontWithRing draws a lens in a polished ring.
func (p cameraPainter) frontWithRing(cx, cy, r float64, k ink, focal, aperture float64) {
	p.shadow(cx-r+6, cy-r+10, 2*r, 2*r, r, 14, black(0.5))
	p.fill(circle(cx, cy, r), turned(cx, cy, 1, k))
	p.stroke(circle(cx, cy, r*0.98), 1.6, linear(0, cy-r, 0, cy+r, stop{0, white(0.8)}, stop{1, black(0.4)}))
	p.frontOf(cx, cy, r*0.9, 1, focal, focal, aperture)
}

func (p cameraPainter) dialSmall(cx, cy, r float64) {
	p.fill(circle(cx, cy, r+2), flat(black(0.4)))
	p.fill(circle(cx, cy, r), knurled(cx, cy, 1, chrome.light(0.8), 36))
	p.fill(circle(cx, cy, r*0.8), turned(cx, cy, 1, grey(60)))
	p.stroke(path{}.move(cx, cy).line(cx, cy-r*0.7), 2, flat(white(0.7)))
}

// fieldCamera draws a folding camera of wood and brass with a bellows.
func (p cameraPainter) fieldCamera() {
	woods := []ink{rgb(132, 78, 44), rgb(156, 102, 60), rgb(104, 58, 36)}
	wood := pick(p.model, woods)
	fitting := pick(p.model, []ink{brass, chrome})
	cx := 500.0
	p.stands(300, 700, 662)
	p.wood(roundBox(296, 96, 408, 480, 10), wood.light(0.88), true)
	p.fill(roundBox(322, 122, 356, 356, 6), flat(grey(20)))
	folds := 11
	red := p.model.chance(0.3)
	for i := range folds { // the bellows, from the back to the front
		t := float64(i) / float64(folds-1)
		half, y := 176-t*62, 300+t*36
		k := grey(34)
		if red {
			k = rgb(112, 34, 30)
		}
		light := 1.5 - 0.7*float64(i%2)
		fold := roundBox(cx-half, y-half, 2*half, 2*half, 12)
		p.fill(fold, linear(cx-half, y-half, cx+half, y+half, stop{0, k.light(light * 1.5)}, stop{0.4, k.light(light)}, stop{1, k.light(light * 0.45)}))
		p.stroke(fold, 2, flat(black(0.45)))
	}
	p.wood(polygon(corner{300, 560, 8}, corner{700, 560, 8}, corner{730, 640, 8}, corner{270, 640, 8}), wood.light(1.06), false)
	p.wood(polygon(corner{270, 640, 4}, corner{730, 640, 4}, corner{728, 668, 8}, corner{272, 668, 8}), wood.light(0.7), false)
	for _, x := range []float64{372, 612} { // uprights of the front standard
		p.shadow(x+4, 240, 20, 340, 6, 10, black(0.4))
		p.fill(roundBox(x, 226, 16, 350, 5), linear(x, 0, x+16, 0, stop{0, fitting.light(0.7)}, stop{0.35, mix(fitting, white(1), 0.4)}, stop{1, fitting.light(0.55)}))
	}
	p.shadow(394, 236, 226, 216, 10, 26, black(0.6))
	p.wood(roundBox(388, 222, 224, 224, 8), wood, true)
	p.fill(roundBox(404, 238, 192, 192, 5), linear(404, 238, 596, 430, stop{0, wood.light(1.25)}, stop{1, wood.light(0.8)}))
	p.stroke(roundBox(404, 238, 192, 192, 5), 1.6, flat(black(0.4)))
	for _, x := range []float64{352, 648} {
		p.knob(x, 334, 20, fitting)
		p.knob(x, 600, 24, fitting)
	}
	r := 82.0
	p.shadow(cx-r+8, 334-r+14, 2*r, 2*r, r, 18, black(0.6))
	p.fill(circle(cx, 334, r), knurled(cx, 334, 1, grey(50), 50))
	p.fill(circle(cx, 334, r*0.88), turned(cx, 334, 1, chrome))
	p.around("T B 1 2 4 8 15 30 60 125", cx, 334, r*0.76, 1, -math.Pi/2, 10, black(0.8))
	p.frontOf(cx, 334, r*0.7, 1, 150, 150, 5.6)
}

// wood paints boards with grain.
func (p cameraPainter) wood(shape path, k ink, upright bool) {
	p.fill(shape, func(x, y float64) ink {
		along, across := x, y
		if upright {
			along, across = y*0.9, x*1.1
		}
		g := math.Sin(across*0.16+2.2*math.Sin(along*0.011+across*0.012)) + 0.5*math.Sin(across*0.71+1.4*math.Sin(along*0.02))
		return k.light((1.24 - y/1700) * (0.94 + 0.09*g))
	})
	p.bevel(shape, 3, 0.8)
	p.finish.bare = rgb(206, 166, 118)
	p.edges = append(p.edges, shape)
}

// compact draws a compact camera; its variant is p.shape.
func (p cameraPainter) compact() {
	f := p.finish
	switch p.shape {
	case 1:
		p.primeCompact()
		return
	case 2:
		p.filmCompact()
		return
	}
	k := f.body
	if k.r < 120 && p.copy.chance(0.4) {
		k = pick(p.copy, []ink{rgb(150, 34, 40), rgb(52, 70, 110), rgb(196, 186, 170), rgb(96, 98, 102)})
	}
	x0, x1, top, bottom := 262.0, 738.0, 304.0, 596.0
	p.stands(x0+10, x1-10, bottom)
	p.dialSide(330, top+4, 60, 15, chrome, 0)
	p.dialSide(426, top+4, 62, 18, grey(70), 34)
	outline := polygon(corner{x0, top, 34}, corner{x1, top, 34}, corner{x1, bottom, 36}, corner{x0, bottom, 36})
	p.metal(outline, k, top, bottom)
	p.fill(roundBox(x0+18, top+60, 26, bottom-top-100, 12), linear(x0+18, 0, x0+44, 0, stop{0, white(0.35)}, stop{0.5, white(0.05)}, stop{1, black(0.3)}))
	p.flash(620, top+24, 78, 34)
	p.fill(circle(420, top+44, 8), radial(418, top+42, 9, 9, stop{0, rgb(230, 160, 90)}, stop{1, rgb(80, 36, 20)}))
	p.zoomTubes(540, 462, 118)
	p.lug(x1-2, top+60)
}

// zoomTubes draws a lens that comes out of the body in steps.
func (p cameraPainter) zoomTubes(cx, cy, r float64) {
	p.shadow(cx-r+16, cy-r+22, 2*r, 2*r, r, 30, black(0.5))
	for i, f := range []float64{1, 0.84, 0.7} {
		k := chrome.light(0.96 - 0.06*float64(i))
		if p.model.chance(0.5) {
			k = grey(52)
		}
		if i > 0 {
			p.shadow(cx-r*f+4, cy-r*f+7, 2*r*f, 2*r*f, r*f, 9, black(0.5))
		}
		p.fill(circle(cx, cy, r*f), turned(cx, cy, 1, k))
		p.stroke(circle(cx, cy, r*f*0.985), 1.5, linear(0, cy-r, 0, cy+r, stop{0, white(0.75)}, stop{1, black(0.45)}))
	}
	p.frontOf(cx, cy, r*0.62, 1, 24, 70, 2.8)
}

// flash draws a window with a tube behind ribbed plastic.
func (p cameraPainter) flash(x, y, w, h float64) {
	p.fill(roundBox(x-4, y-4, w+8, h+8, 8), linear(0, y-4, 0, y+h+4, stop{0, grey(40)}, stop{1, grey(110)}))
	p.fill(roundBox(x, y, w, h, 5), linear(0, y, 0, y+h, stop{0, rgb(250, 250, 246)}, stop{0.5, rgb(206, 208, 204)}, stop{1, rgb(232, 232, 226)}))
	for i := range int(w / 6) {
		p.fill(box(x+3+float64(i)*6, y+3, 1.4, h-6), flat(black(0.12)))
	}
}

func (p cameraPainter) primeCompact() {
	f := p.finish
	x0, x1, top, bottom := 244.0, 756.0, 300.0, 596.0
	p.stands(x0+10, x1-10, bottom)
	p.dialSide(318, top+4, 44, 15, chrome, 0)
	p.dialSide(396, top+4, 66, 24, f.top, 36)
	if p.model.chance(0.5) {
		p.shoe(540, top+2, 70)
	}
	outline := polygon(corner{x0, top, 26}, corner{x1, top, 26}, corner{x1, bottom, 34}, corner{x0, bottom, 34})
	p.shell(outline, f.body, top, bottom)
	if f.top.r > 120 || p.model.chance(0.5) {
		p.metal(polygon(corner{x0, top, 26}, corner{x1, top, 26}, corner{x1, top + 70, 2}, corner{x0, top + 70, 2}), f.top, top, top+70)
		p.covering(roundBox(x0+3, top+74, x1-x0-6, bottom-top-106, 6), top+74, bottom-32)
		p.window(664, top+18, 54, 34, rgb(120, 140, 170))
	}
	p.grip(x0, top+84, 72, bottom-top-130, 24)
	p.shadow(520-120, 452-116, 250, 256, 125, 26, black(0.5))
	p.fill(circle(512, 452, 122), turned(512, 452, 1, f.top.light(0.9)))
	p.lensOn(512, 452, 108, pick(p.model, []float64{18, 23, 28, 35}), pick(p.model, []float64{2, 2.8}), f.top)
}

func (p cameraPainter) filmCompact() {
	f := p.finish
	x0, x1, top, bottom := 262.0, 738.0, 310.0, 596.0
	p.stands(x0+10, x1-10, bottom)
	p.dialSide(342, top+3, 40, 12, chrome, 0)
	r := p.model.between(40, 90)
	outline := polygon(corner{x0, top, r}, corner{x1, top, r}, corner{x1, bottom, r}, corner{x0, bottom, r})
	k := f.body
	if k.r > 120 {
		k = rgb(196, 190, 176)
	}
	p.metal(outline, k, top, bottom)
	band := roundBox(x0+40, top+30, x1-x0-80, 64, 12)
	p.fill(band, linear(0, top+30, 0, top+94, stop{0, grey(16)}, stop{0.4, grey(46)}, stop{1, grey(12)}))
	p.bevel(band, 2, 0.4)
	p.flash(x1-132, top+42, 76, 40)
	p.window(470, top+44, 52, 36, rgb(120, 140, 160))
	p.window(548, top+52, 18, 20, rgb(90, 60, 50))
	p.shadow(500-90, 472-86, 190, 196, 95, 18, black(0.45))
	p.fill(circle(500, 476, 96), turned(500, 476, 1, k.light(0.9)))
	p.frontWithRing(500, 476, 80, grey(44), 35, 2.8)
	p.lug(x1-4, top+80)
}

// instantCamera prints its pictures out of the front.
func (p cameraPainter) instantCamera() {
	bodies := []ink{rgb(232, 228, 218), grey(44), rgb(206, 214, 216), rgb(222, 204, 178)}
	k := pick(p.model, bodies)
	trim := grey(34)
	stripe := pick(p.model, []ink{rgb(206, 72, 48), rgb(54, 120, 150), rgb(226, 172, 60)})
	if p.shape == 1 {
		k, trim = chrome, pick(p.model, []ink{rgb(146, 96, 58), rgb(104, 60, 40), grey(40)})
	}
	x0, x1, bottom := 300.0, 700.0, 640.0
	p.stands(x0-4, x1+4, bottom)
	base := polygon(corner{x0 + 12, 400, 16}, corner{x1 - 12, 400, 16}, corner{x1 + 12, 560, 18}, corner{x1 + 12, bottom, 16}, corner{x0 - 12, bottom, 16}, corner{x0 - 12, 560, 18})
	p.shell(base, k, 400, bottom)
	p.fill(roundBox(x0+20, 580, x1-x0-40, 22, 8), linear(0, 580, 0, 602, stop{0, grey(6)}, stop{1, grey(58)}))
	if p.copy.chance(0.35) { // a picture on its way out
		sheet := polygon(corner{x0 + 48, 590, 2}, corner{x1 - 48, 590, 2}, corner{x1 - 40, 668, 3}, corner{x0 + 40, 668, 3})
		p.shadow(x0+48, 600, x1-x0-90, 72, 4, 14, black(0.4))
		p.fill(sheet, linear(0, 590, 0, 668, stop{0, rgb(206, 204, 198)}, stop{0.3, rgb(250, 249, 245)}, stop{1, rgb(240, 238, 232)}))
		p.fill(polygon(corner{x0 + 64, 590, 1}, corner{x1 - 64, 590, 1}, corner{x1 - 60, 640, 1}, corner{x0 + 60, 640, 1}), linear(0, 590, 0, 640, stop{0, rgb(58, 74, 80)}, stop{1, rgb(110, 130, 128)}))
	}
	face := polygon(corner{x0 + 14, 250, 20}, corner{x1 - 14, 250, 20}, corner{x1 - 8, 540, 14}, corner{x0 + 8, 540, 14})
	p.shell(face, trim, 250, 540)
	if p.shape == 1 {
		p.finish.skin = trim
		p.covering(roundBox(x0+20, 258, x1-x0-40, 274, 14), 258, 532)
	}
	head := polygon(corner{x0 + 6, 122, 18}, corner{x1 - 6, 122, 18}, corner{x1 + 4, 262, 12}, corner{x0 - 4, 262, 12})
	p.shadow(x0, 200, x1-x0, 76, 12, 18, black(0.5))
	p.shell(head, k, 122, 262)
	p.flash(x0+36, 146, x1-x0-72, 70)
	p.frontWithRing(470, 398, 84, grey(40), 116, 8)
	p.window(600, 330, 62, 52, rgb(120, 140, 150))
	p.button(632, 448, 22, rgb(200, 52, 44))
	p.fill(circle(348, 348, 18), radial(346, 346, 20, 20, stop{0, grey(70)}, stop{1, grey(8)}))
	if p.shape == 0 { // one stripe, down from the lens
		p.fill(box(452, 482, 36, 58), flat(stripe))
		p.fill(box(452, 482, 36, 58), linear(0, 482, 0, 540, stop{0, black(0.3)}, stop{1, black(0)}))
		p.fill(box(452, 540, 36, 36), linear(0, 540, 0, 576, stop{0, stripe.light(1.1)}, stop{1, stripe.light(0.8)}))
	}
}

// actionCamera draws a small block with a square port.
func (p cameraPainter) actionCamera() {
	x0, x1, top, bottom := 316.0, 684.0, 330.0, 604.0
	p.stands(x0+6, x1-6, bottom)
	p.dialSide(400, top+4, 84, 10, rgb(190, 50, 44), 0)
	outline := roundBox(x0, top, x1-x0, bottom-top, 34)
	k := pick(p.model, []ink{grey(46), grey(60), rgb(70, 76, 82)})
	p.shell(outline, k, top, bottom)
	p.covering(roundBox(x0+8, top+8, x1-x0-16, bottom-top-16, 28), top, bottom)
	for i := range 7 {
		y := bottom - 28 - float64(i)*11
		p.fill(box(x0+28, y, 148, 3), flat(black(0.35)))
		p.fill(box(x0+28, y+3, 148, 1.4), flat(white(0.1)))
	}
	screen := roundBox(x0+34, top+34, 134, 116, 12)
	p.fill(screen, linear(x0+34, top+34, x0+168, top+150, stop{0, rgb(40, 46, 54)}, stop{0.5, rgb(10, 12, 16)}, stop{1, rgb(34, 40, 46)}))
	p.stroke(screen, 2, linear(0, top+34, 0, top+150, stop{0, black(0.6)}, stop{1, white(0.2)}))
	p.fill(polygon(corner{x0 + 38, top + 38, 8}, corner{x0 + 110, top + 38, 2}, corner{x0 + 70, top + 146, 2}, corner{x0 + 38, top + 146, 8}), linear(x0+38, 0, x0+110, 0, stop{0, white(0.2)}, stop{1, white(0.02)}))
	cx, cy, r := x1-98.0, top+104.0, 84.0
	p.shadow(cx-r+6, cy-r+10, 2*r, 2*r, 24, 14, black(0.55))
	p.fill(roundBox(cx-r, cy-r, 2*r, 2*r, 24), linear(cx-r, cy-r, cx+r, cy+r, stop{0, grey(86)}, stop{0.5, grey(34)}, stop{1, grey(60)}))
	p.bevel(roundBox(cx-r, cy-r, 2*r, 2*r, 24), 2.4, 0.8)
	p.fill(roundBox(cx-r+9, cy-r+9, 2*r-18, 2*r-18, 18), flat(grey(10)))
	p.glass(cx, cy, r*0.8, r*0.8, 0.36)
}

// fromAbove draws the top plate.
func (p cameraPainter) fromAbove() {
	if p.flipsUp() {
		p.fromFront()
		return
	}
	f, m := p.finish, p.model
	x0, x1, y0, y1 := 196.0, 804.0, 240.0, 392.0
	small := p.category == "compact"
	if small {
		x0, x1, y0, y1 = 250, 750, 270, 376
	}
	cx := 508.0
	handle := p.category == "dslr" || p.category == "mirrorless" && (p.shape == 0 || p.shape == gripped || p.shape == angular || p.shape == sculptured) || p.category == "film_slr" && p.shape == 2
	p.shadow(x0+24, y0+34, x1-x0, y1-y0, 40, 50, black(0.4))
	p.shadow(x0+6, y0+10, x1-x0, y1-y0, 40, 16, black(0.45))
	p.lensBelow(cx, y1-14, small)
	var outline path
	if handle {
		p.shadow(x0+8, y1-20, 140, 92, 40, 20, black(0.45))
		outline = polygon(corner{x0, y0 + 20, 40}, corner{cx - 70, y0, 18}, corner{cx + 70, y0, 18}, corner{x1, y0 + 20, 50}, corner{x1, y1 - 16, 40}, corner{cx + 120, y1, 20}, corner{cx - 120, y1, 20},
			corner{x0 + 150, y1 - 6, 30}, corner{x0 + 136, y1 + 62, 34}, corner{x0, y1 + 58, 44})
	} else {
		outline = polygon(corner{x0, y0, 60}, corner{x1, y0, 60}, corner{x1, y1, 60}, corner{x0, y1, 60})
	}
	p.fill(outline, linear(0, y0, 0, y1+50, stop{0, f.top.light(1.25)}, stop{0.3, f.top.light(1.02)}, stop{0.8, f.top.light(0.84)}, stop{1, f.top.light(0.66)}))
	p.bevel(outline, 3.4, 0.9)
	p.edges = append(p.edges, outline)
	if !small && p.category != "rangefinder" && !(p.category == "mirrorless" && p.isFlat()) && !(p.category == mediumFormat && (p.shape == bigRangefinder || p.shape == flatDigital)) {
		prism := polygon(corner{cx - 64, y0 - 22, 16}, corner{cx + 64, y0 - 22, 16}, corner{cx + 78, y1 - 30, 20}, corner{cx + 46, y1 + 12, 18}, corner{cx - 46, y1 + 12, 18}, corner{cx - 78, y1 - 30, 20})
		p.shadow(cx-70, y0-8, 150, y1-y0+26, 20, 12, black(0.4))
		p.fill(prism, linear(cx-78, 0, cx+78, 0, stop{0, f.top.light(0.7)}, stop{0.25, f.top.light(1.3)}, stop{0.7, f.top}, stop{1, f.top.light(0.6)}))
		p.bevel(prism, 2.4, 0.8)
		p.edges = append(p.edges, prism)
	}
	p.fill(roundBox(cx-40, y0+16, 80, 74, 5), linear(cx-40, 0, cx+40, 0, stop{0, grey(110)}, stop{0.3, grey(196)}, stop{0.7, grey(140)}, stop{1, grey(90)}))
	p.fill(box(cx-30, y0+16, 60, 64), linear(0, y0, 0, y0+80, stop{0, grey(60)}, stop{1, grey(96)}))
	for _, dot := range []point{{0, 44}, {-16, 62}, {16, 62}} {
		p.fill(circle(cx+dot.x, y0+dot.y, 5), radial(cx+dot.x-1, y0+dot.y-1, 6, 6, stop{0, rgb(240, 214, 150)}, stop{1, rgb(140, 110, 60)}))
	}
	release := point{x0 + 66, y1 + 12}
	if !handle {
		release = point{x0 + 84, y1 - 66}
	}
	p.fill(circle(release.x, release.y, 30), knurled(release.x, release.y, 1, f.top.light(0.8), 44))
	p.button(release.x, release.y, 19, chrome)
	p.dialTop(x0+174, (y0+y1)/2-4, m.between(38, 46))
	p.dialTop(x1-104, (y0+y1)/2-2, m.between(40, 52))
	if p.isFilm() && (p.category == filmSLR && p.shape != plasticSLR || p.category == rangefinder) { // the lever that winds
		lever := path{}.move(x0+50, y0+24).cube(x0+90, y0-6, x0+170, y0-4, x0+196, y0+18).cube(x0+160, y0+22, x0+110, y0+26, x0+62, y0+46).close()
		p.shadow(x0+60, y0+10, 130, 30, 10, 8, black(0.4))
		p.fill(lever, linear(0, y0-6, 0, y0+46, stop{0, grey(236)}, stop{0.5, grey(160)}, stop{1, grey(110)}))
	}
	p.lug(x0-2, y0+54)
	p.lug(x1+2, y0+54)
}

// dialTop draws a dial with figures, seen from above.
func (p cameraPainter) dialTop(cx, cy, r float64) {
	k := p.finish.top.light(0.86)
	p.shadow(cx-r+4, cy-r+7, 2*r, 2*r, r, 10, black(0.55))
	p.fill(circle(cx, cy, r), knurled(cx, cy, 1, k, 52))
	p.fill(circle(cx, cy, r*0.86), turned(cx, cy, 1, k.light(1.08)))
	p.around("B 1 2 4 8 15 30 60 125 250 500", cx, cy, r*0.64, 1, -math.Pi/2, r*0.2, markOn(k))
	p.stroke(circle(cx, cy, r*0.85), 1.2, linear(0, cy-r, 0, cy+r, stop{0, white(0.5)}, stop{1, black(0.3)}))
}

// lensBelow draws the lens of a camera seen from above: a barrel that points at
// the viewer's feet.
func (p cameraPainter) lensBelow(cx, y float64, small bool) {
	r, h := 118.0, p.model.between(96, 190)
	if small {
		r, h = 88, 56
	}
	p.shadow(cx-r+26, y+20, 2*r, h, 20, 40, black(0.4))
	at := y
	for i, s := range []section{{0.12, 0.86, "metal", chrome}, {0.2, 0.92, "smooth", grey(46)}, {0.4, 1, "ribs", grey(40)}, {0.06, 0.97, "line", grey(60)}, {0.22, 1, "smooth", grey(46)}} {
		ribs, gloss := 0.0, 0.6
		if s.kind == "ribs" {
			ribs, gloss = 30, 0.2
		}
		w, deep := r*s.r, h*s.h
		p.fill(roundBox(cx-w, at, 2*w, deep+1, 3), barrel(cx, w, s.colour, gloss, ribs))
		p.stroke(path{}.move(cx-w, at+deep).line(cx+w, at+deep), 1.6, flat(black(0.5)))
		if i == 1 {
			p.text("3   1.5   1   0.7", cx, at+deep*0.72, deep*0.5, white(0.75))
		}
		at += deep
	}
	p.edges = append(p.edges, box(cx-r, at-3, 2*r, 2))
}

// fromBehind draws the screen and buttons, or the film door.
func (p cameraPainter) fromBehind() {
	if p.flipsUp() && p.category != "action_cam" {
		p.fromFront()
		return
	}
	f := p.finish
	x0, x1, top, bottom := 200.0, 800.0, 262.0, ground
	switch {
	case p.category == "compact":
		x0, x1, top = 250, 750, 302
	case p.category == "action_cam":
		x0, x1, top = 316, 684, 330
	}
	p.stands(x0+10, x1-10, bottom)
	flatTop := p.category == "rangefinder" || p.category == "compact" || p.category == "action_cam" || p.category == "mirrorless" && p.isFlat() || p.category == mediumFormat && (p.shape == bigRangefinder || p.shape == flatDigital)
	p.dialSide(x1-84, top+6, 62, 22, f.top, 36)
	p.dialSide(x0+96, top+6, 76, 28, f.top, 40)
	cx := 492.0
	outline := polygon(corner{x0, top, 34}, corner{x1, top, 34}, corner{x1, bottom, 38}, corner{x0, bottom, 38})
	if !flatTop {
		outline = polygon(corner{x0, top, 34}, corner{cx - 108, top, 12}, corner{cx - 76, 166, 18}, corner{cx + 76, 166, 18}, corner{cx + 108, top, 12}, corner{x1, top, 34}, corner{x1, bottom, 38}, corner{x0, bottom, 38})
	}
	p.shell(outline, f.body, top-80, bottom)
	if f.top.r > 120 {
		p.metal(polygon(corner{x0, top, 34}, corner{x1, top, 34}, corner{x1, top + 64, 2}, corner{x0, top + 64, 2}), f.top, top, top+64)
	}
	if p.isFilm() {
		p.filmDoor(x0, x1, top, bottom)
	} else {
		p.screen(x0, x1, top, bottom)
	}
	switch {
	case !flatTop:
		p.eyepiece(cx, 214, 66, 44)
	case p.category == "rangefinder" || p.category == "mirrorless":
		p.eyepiece(x0+62, top+34, 34, 24)
	}
}

func (p cameraPainter) eyepiece(cx, cy, w, h float64) {
	p.shadow(cx-w, cy-h+8, 2*w, 2*h, 18, 12, black(0.5))
	p.fill(roundBox(cx-w, cy-h, 2*w, 2*h, 18), linear(0, cy-h, 0, cy+h, stop{0, grey(66)}, stop{0.3, grey(34)}, stop{1, grey(18)}))
	p.bevel(roundBox(cx-w, cy-h, 2*w, 2*h, 18), 2.4, 0.6)
	p.window(cx-w*0.56, cy-h*0.5, w*1.12, h, rgb(110, 130, 160))
}

func (p cameraPainter) filmDoor(x0, x1, top, bottom float64) {
	door := roundBox(x0+20, top+72, x1-x0-40, bottom-top-104, 10)
	p.covering(door, top+72, bottom-32)
	p.bevel(door, 2, 0.5)
	if p.colour != "" && !p.showsFilm() {
		return
	}
	p.window((x0+x1)/2-22, top+142, 60, 104, rgb(150, 120, 60))
	p.fill(roundBox((x0+x1)/2-18, top+150, 52, 88, 3), linear(0, top+150, 0, top+238, stop{0, rgb(206, 178, 96)}, stop{1, rgb(166, 130, 58)}))
	p.text("400", (x0+x1)/2+8, top+206, 24, black(0.75))
	p.fill(roundBox(x1-30, top+110, 16, 60, 6), linear(x1-30, 0, x1-14, 0, stop{0, grey(220)}, stop{1, grey(110)}))
}

// showsFilm reports whether the back of a camera has a window for the film's cartridge.
func (p cameraPainter) showsFilm() bool {
	switch p.category {
	case filmSLR:
		return p.shape == plasticSLR
	case compact:
		return p.shape == filmZoom || p.shape == metalCompact || p.shape == clamshell || p.shape == plasticToy
	default:
		return p.category == rangefinder && p.shape == autofocusStyle
	}
}

// screen draws a dark display with light on it, and the buttons beside it.
func (p cameraPainter) screen(x0, x1, top, bottom float64) {
	right := 150.0
	if p.category == "action_cam" {
		right = 26
	}
	sx, sy, sw, sh := x0+36, top+86, x1-x0-36-right, bottom-top-128
	p.fill(roundBox(sx-12, sy-12, sw+24, sh+24, 14), linear(0, sy-12, 0, sy+sh+12, stop{0, grey(20)}, stop{0.1, grey(44)}, stop{1, grey(26)}))
	p.bevel(roundBox(sx-12, sy-12, sw+24, sh+24, 14), 2, 0.6)
	p.fill(roundBox(sx, sy, sw, sh, 5), linear(sx, sy, sx+sw, sy+sh, stop{0, rgb(36, 40, 48)}, stop{0.4, rgb(14, 15, 19)}, stop{0.7, rgb(10, 11, 14)}, stop{1, rgb(30, 33, 40)}))
	p.fill(polygon(corner{sx, sy, 4}, corner{sx + sw*0.62, sy, 1}, corner{sx + sw*0.3, sy + sh, 1}, corner{sx, sy + sh, 4}), linear(sx, sy, sx+sw*0.5, sy+sh*0.6, stop{0, white(0.22)}, stop{1, white(0.02)}))
	if right < 100 {
		return
	}
	bx := x1 - right/2 + 8
	p.fill(roundBox(x1-52, top+16, 40, 50, 16), leather(grey(44), top, top+80))
	p.fill(circle(bx, bottom-120, 44), knurled(bx, bottom-120, 1, grey(44), 60))
	p.fill(circle(bx, bottom-120, 36), radial(bx-10, bottom-134, 60, 60, stop{0, grey(70)}, stop{1, grey(34)}))
	p.button(bx, bottom-120, 17, grey(56))
	for i, y := range []float64{bottom - 204, bottom - 48} {
		p.button(bx-22, y, 11, grey(50))
		if i == 1 || p.model.chance(0.6) {
			p.button(bx+20, y, 11, grey(50))
		}
	}
	p.button(bx-2, top+112, 14, grey(46))
}

// isFlat reports whether a mirrorless camera has no hump.
func (p cameraPainter) isFlat() bool {
	return p.shape == flatTopped || p.shape == pocketable || p.shape == cinemaBox
}
