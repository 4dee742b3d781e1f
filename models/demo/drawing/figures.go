package drawing

import (
	"math"

	"github.com/secondlight/secondlight/models"
)

// figurePainter draws a variant of a camera.
type figurePainter struct{ cameraPainter }

// figures draw the variants of cameras that are not in earlier versions, by category
// and shape.
var figures map[models.Category]map[Shape]func(figurePainter)

func init() {
	figures = map[models.Category]map[Shape]func(figurePainter){
		mirrorless: {
			Angular: figurePainter.angularCamera, Sculptured: figurePainter.sculpturedCamera, CinemaBox: figurePainter.cinemaCamera, Pocketable: figurePainter.pocketSystemCamera,
		},
		dslr:        {ProSLR: figurePainter.proReflex},
		filmSLR:     {ProSLR: figurePainter.proReflex, SmallSLR: figurePainter.smallReflex},
		rangefinder: {ScrewMount: figurePainter.barnack, FixedFinder: figurePainter.fixedRangefinder, DigitalFinder: figurePainter.digitalRangefinder, Panoramic: figurePainter.panoramicCamera, BessaStyle: figurePainter.bessa, AutofocusStyle: figurePainter.autofocusRangefinder},
		mediumFormat: {
			BigRangefinder: figurePainter.bigRangefinder, Folder: figurePainter.foldingCamera, BigSLR: figurePainter.bigReflex, BellowsBox: figurePainter.bellowsCube, PrismBox: figurePainter.prismCube,
			ToyCamera: figurePainter.toy, BoxCamera: figurePainter.box, Sculptured: figurePainter.sculpturedCamera, FlatDigital: figurePainter.flatTop,
		},
		compact: {
			Bridge: figurePainter.bridgeCamera, Slim: figurePainter.slimCompact, Clamshell: figurePainter.clamshellCompact, FullFrame: figurePainter.fullFrameCompact, SeleniumRing: figurePainter.seleniumCompact,
			MetalCompact: figurePainter.metalCompact, TinyMetal: figurePainter.tinyCompact, PlasticToy: figurePainter.plasticCompact, DialCompact: figurePainter.dialCompact, Subminiature: figurePainter.subminiature,
		},
		instant:     {PackFilm: figurePainter.packFilmCamera, RoundInstant: figurePainter.roundInstant},
		largeFormat: {PressCamera: figurePainter.pressCamera, Monorail: figurePainter.monorail},
		actionCam:   {PocketGimbal: figurePainter.pocketGimbal, StickCamera: figurePainter.stick},
	}
}

// slab draws a body with a straight top: a top plate of a height, and the covering
// below.
func (p figurePainter) slab(x0, x1, top, bottom, r, plate float64) {
	p.stands(x0+10, x1-10, bottom)
	outline := polygon(corner{x0, top, r}, corner{x1, top, r}, corner{x1, bottom, r}, corner{x0, bottom, r})
	p.shell(outline, p.finish.body, top, bottom)
	if plate > 0 {
		p.metal(polygon(corner{x0, top, r}, corner{x1, top, r}, corner{x1, top + plate, 2}, corner{x0, top + plate, 2}), p.finish.top, top, top+plate)
		p.covering(polygon(corner{x0 + 2, top + plate + 3, 3}, corner{x1 - 2, top + plate + 3, 3}, corner{x1 - 2, bottom - 34, 4}, corner{x0 + 2, bottom - 34, 4}), top+plate, bottom-34)
	}
}

// baseMetal draws the strip of metal along the foot of a body.
func (p figurePainter) baseMetal(x0, x1, bottom, high, r float64) {
	p.metal(polygon(corner{x0, bottom - high, 2}, corner{x1, bottom - high, 2}, corner{x1, bottom, r}, corner{x0, bottom, r}), p.finish.top, bottom-high, bottom)
}

// collar draws the ring on which a lens sits.
func (p figurePainter) collar(cx, cy, r float64, k ink) {
	p.shadow(cx-r+12, cy-r+18, 2*r, 2*r, r, 26, black(0.5))
	p.fill(circle(cx, cy, r), turned(cx, cy, 1, k))
	p.stroke(circle(cx, cy, r*0.985), 1.6, linear(0, cy-r, 0, cy+r, stop{0, white(0.7)}, stop{1, black(0.5)}))
}

// bellows draws folds from a wide back to a narrow front.
func (p figurePainter) bellows(cx, y0, half0, y1, half1, tall float64, folds int) {
	for i := range folds {
		t := float64(i) / float64(folds-1)
		half, y, high := half0+(half1-half0)*t, y0+(y1-y0)*t, tall*(1-0.35*t)
		light := 1.5 - 0.7*float64(i%2)
		fold := roundBox(cx-half, y-high, 2*half, 2*high, 8)
		p.fill(fold, linear(cx-half, y-high, cx+half, y+high, stop{0, grey(34 * light * 1.5)}, stop{0.4, grey(34 * light)}, stop{1, grey(15 * light)}))
		p.stroke(fold, 1.6, flat(black(0.5)))
	}
}

// angularCamera draws a mirrorless camera with a small square finder and a deep handle.
func (p figurePainter) angularCamera() {
	x0, x1, top, hump, half, cx := 216.0, 784.0, 270.0, 196.0, 82.0, 524.0
	p.stands(x0+10, x1-10, ground)
	p.lug(x0+4, top+34)
	p.lug(x1-4, top+34)
	p.dialSide(274, top+6, 56, 20, grey(60), 0)
	p.dialSide(274, top-10, 34, 9, chrome, 0)
	p.dialSide(352, top+4, 50, 14, grey(42), 40)
	p.dialSide(672, top+4, 84, 34, grey(48), 46)
	p.dialSide(744, top+6, 62, 24, grey(44), 36)
	outline := polygon(corner{x0, top + 10, 30}, corner{x0 + 120, top, 10}, corner{cx - half - 10, top, 4}, corner{cx - half + 6, hump, 10}, corner{cx + half - 6, hump, 10}, corner{cx + half + 10, top, 4},
		corner{x1 - 14, top, 14}, corner{x1, top + 26, 14}, corner{x1 - 2, ground, 34}, corner{x0 + 6, ground, 34})
	p.shell(outline, p.finish.body, hump, ground)
	p.hump(cx, top, hump, half, false)
	p.covering(polygon(corner{x0 + 4, top + 66, 6}, corner{x1 - 3, top + 66, 6}, corner{x1 - 5, ground - 32, 14}, corner{x0 + 8, ground - 32, 14}), top+66, ground-32)
	p.grip(x0-8, top+34, 116, ground-top-58, 34)
	p.fill(circle(384, top+46, 9), radial(382, top+44, 10, 10, stop{0, rgb(226, 150, 90)}, stop{1, rgb(70, 30, 20)}))
	p.faceOfSystemCamera(cx, (top+ground)/2+10, (ground-top)*0.455, false)
}

// sculpturedCamera draws a smooth metal body without dials.
func (p figurePainter) sculpturedCamera() {
	x0, x1, top, hump, cx := 206.0, 794.0, 258.0, 190.0, 520.0
	p.stands(x0+10, x1-10, ground)
	p.dialSide(282, top+4, 60, 12, p.finish.top.light(0.9), 0)
	p.button(282, top-2, 10, rgb(206, 110, 50))
	p.dialSide(356, top+4, 54, 10, grey(50), 30)
	outline := polygon(corner{x0, top + 6, 44}, corner{x0 + 150, top, 30}, corner{cx - 108, top, 30}, corner{cx - 70, hump, 40}, corner{cx + 70, hump, 40}, corner{cx + 108, top, 30}, corner{x1, top, 44}, corner{x1, ground, 44}, corner{x0, ground, 44})
	p.metal(outline, p.finish.body, hump, ground)
	p.shoe(cx, hump+2, 76)
	p.covering(roundBox(cx+164, top+70, x1-cx-176, ground-top-116, 22), top+70, ground-46)
	p.grip(x0-10, top+46, 132, ground-top-66, 46)
	p.faceOfSystemCamera(cx, 436, 146, false)
}

// cinemaCamera draws a box with a square front.
func (p figurePainter) cinemaCamera() {
	x0, x1, top := 268.0, 736.0, 290.0
	p.dialSide(334, top+4, 50, 14, p.finish.top, 0)
	p.button(334, top-6, 11, rgb(190, 48, 44))
	p.dialSide(430, top+4, 66, 16, p.finish.top, 34)
	p.shoe(560, top+2, 74)
	p.slab(x0, x1, top, ground, 18, 0)
	p.grip(x0-4, top+26, 78, ground-top-52, 22)
	for i := range 6 {
		p.fill(roundBox(x1-40, top+60+float64(i)*34, 22, 10, 5), linear(x1-40, 0, x1-18, 0, stop{0, black(0.6)}, stop{1, black(0.25)}))
	}
	p.faceOfSystemCamera(510, 448, 138, false)
}

// pocketSystemCamera draws a small flat camera for interchangeable lenses.
func (p figurePainter) pocketSystemCamera() {
	x0, x1, top := 268.0, 732.0, 318.0
	p.dialSide(336, top+4, 48, 12, chrome, 0)
	p.dialSide(424, top+4, 58, 16, p.finish.top.light(0.92), 30)
	p.flash(620, top-14, 60, 18)
	p.slab(x0, x1, top, ground, 32, 0)
	p.fill(roundBox(x0+14, top+40, 34, ground-top-80, 15), linear(x0+14, 0, x0+48, 0, stop{0, white(0.3)}, stop{0.5, white(0.05)}, stop{1, black(0.35)}))
	p.faceOfSystemCamera(512, 456, 124, false)
}

// proReflex draws a tall professional reflex of metal.
func (p figurePainter) proReflex() {
	x0, x1, top, skin := 190.0, 810.0, 262.0, 330.0
	f := p.finish
	p.stands(x0+14, x1-14, ground)
	p.lug(x0+4, skin-8)
	p.lug(x1-4, skin-8)
	p.dialSide(258, top+2, 46, 30, f.top.light(0.9), 30)
	p.dialSide(340, top+2, 84, 40, f.top, 40)
	p.dialSide(716, top+4, 96, 40, f.top, 46)
	p.shell(polygon(corner{x0, top + 6, 22}, corner{x1, top + 6, 22}, corner{x1, ground, 30}, corner{x0, ground, 30}), f.body, top, ground)
	plate := polygon(corner{x0, skin, 3}, corner{x0, top + 6, 22}, corner{x0 + 30, top, 14}, corner{394, top, 6}, corner{418, 176, 6}, corner{440, 132, 10}, corner{560, 132, 10}, corner{582, 176, 6}, corner{606, top, 6},
		corner{x1 - 30, top, 14}, corner{x1, top + 6, 22}, corner{x1, skin, 3})
	p.metal(plate, f.top, 132, skin)
	p.fill(polygon(corner{446, 140, 6}, corner{554, 140, 6}, corner{572, 196, 6}, corner{428, 196, 6}), linear(0, 140, 0, 196, stop{0, white(0.28)}, stop{1, white(0.02)}))
	p.fill(polygon(corner{430, 204, 4}, corner{570, 204, 4}, corner{586, skin - 12, 5}, corner{414, skin - 12, 5}), linear(0, 204, 0, skin, stop{0, black(0.16)}, stop{1, black(0.02)}))
	p.covering(polygon(corner{x0 + 2, skin + 2, 3}, corner{x1 - 2, skin + 2, 3}, corner{x1 - 2, ground - 40, 3}, corner{x0 + 2, ground - 40, 3}), skin+2, ground-40)
	p.baseMetal(x0+1, x1-1, ground, 38, 28)
	p.grip(x0+8, skin+12, 66, ground-skin-66, 20)
	p.button(662, 396, 13, f.top)
	p.fill(roundBox(312, 414, 17, 66, 8), linear(312, 0, 330, 0, stop{0, grey(224)}, stop{0.5, grey(130)}, stop{1, grey(84)}))
	p.fill(polygon(corner{398, 300, 10}, corner{602, 300, 10}, corner{630, 560, 24}, corner{370, 560, 24}), linear(0, 300, 0, 560, stop{0, f.top.light(1.02)}, stop{1, f.top.light(0.72)}))
	p.lensOn(500, 446, 150, pick(p.model, []float64{50, 50, 35, 85}), pick(p.model, []float64{1.4, 1.8, 2}), grey(40))
}

// smallReflex draws a compact mechanical reflex with a low, rounded prism.
func (p figurePainter) smallReflex() {
	x0, x1, top, skin := 222.0, 778.0, 300.0, 362.0
	f := p.finish
	p.stands(x0+14, x1-14, ground)
	p.lug(x0+2, skin-2)
	p.lug(x1-2, skin-2)
	p.dialSide(290, top+2, 32, 18, chrome, 0)
	p.dialSide(362, top+2, 66, 26, f.top, 34)
	p.dialSide(702, top+4, 74, 28, f.top, 40)
	p.shell(polygon(corner{x0, top + 4, 34}, corner{x1, top + 4, 34}, corner{x1, ground, 36}, corner{x0, ground, 36}), f.body, top, ground)
	plate := polygon(corner{x0, skin, 3}, corner{x0, top + 4, 34}, corner{x0 + 40, top, 20}, corner{404, top, 12}, corner{424, 262, 18}, corner{446, 210, 30}, corner{554, 210, 30}, corner{576, 262, 18}, corner{596, top, 12}, corner{x1 - 40, top, 20}, corner{x1, top + 4, 34}, corner{x1, skin, 3})
	p.metal(plate, f.top, 210, skin)
	p.fill(polygon(corner{452, 220, 18}, corner{548, 220, 18}, corner{566, 288, 14}, corner{434, 288, 14}), linear(0, 220, 0, 288, stop{0, white(0.34)}, stop{1, white(0.02)}))
	p.covering(polygon(corner{x0 + 2, skin + 2, 3}, corner{x1 - 2, skin + 2, 3}, corner{x1 - 2, ground - 36, 3}, corner{x0 + 2, ground - 36, 3}), skin+2, ground-36)
	p.baseMetal(x0+1, x1-1, ground, 34, 32)
	p.button(336, 430, 13, f.top)
	p.fill(roundBox(328, 436, 15, 58, 7), linear(328, 0, 344, 0, stop{0, grey(224)}, stop{0.5, grey(130)}, stop{1, grey(84)}))
	p.lensOn(500, 466, 140, 50, pick(p.model, []float64{1.8, 1.4}), grey(40))
}

// barnack draws a screw-mount rangefinder with round ends.
func (p figurePainter) barnack() {
	x0, x1, top, step := 220.0, 780.0, 318.0, 372.0
	f := p.finish
	p.stands(x0+30, x1-30, ground)
	p.dialSide(292, top+2, 70, 34, f.top, 40)
	p.dialSide(392, top-14, 62, 28, f.top, 40)
	p.dialSide(452, top-14, 26, 16, chrome, 0)
	p.shoe(536, top-12, 74)
	p.dialSide(716, top+2, 76, 38, f.top, 44)
	p.shell(polygon(corner{x0, top + 6, 70}, corner{x1, top + 6, 70}, corner{x1, ground, 76}, corner{x0, ground, 76}), f.body, top, ground)
	p.edges = nil
	plate := polygon(corner{x0 + 6, step, 4}, corner{x0 + 6, top + 2, 44}, corner{356, top, 6}, corner{364, top - 16, 8}, corner{640, top - 16, 8}, corner{648, top, 6}, corner{x1 - 6, top + 2, 44}, corner{x1 - 6, step, 4})
	p.metal(plate, f.top, top-16, step)
	p.covering(polygon(corner{x0 + 2, step + 2, 6}, corner{x1 - 2, step + 2, 6}, corner{x1 - 2, ground - 40, 6}, corner{x0 + 2, ground - 40, 6}), step+2, ground-40)
	p.metal(polygon(corner{x0 + 4, ground - 38, 3}, corner{x1 - 4, ground - 38, 3}, corner{x1 - 6, ground, 64}, corner{x0 + 6, ground, 64}), f.top, ground-38, ground)
	for _, x := range []float64{440, 592} {
		p.fill(circle(x, top+14, 17), flat(grey(40)))
		p.fill(circle(x, top+14, 13), linear(x-13, 0, x+13, 0, stop{0, rgb(150, 166, 190)}, stop{1, rgb(50, 60, 76)}))
	}
	p.window(500, top+2, 40, 26, rgb(150, 166, 186))
	p.dialSmall(338, 440, 26)
	p.smallLens(508, 474, 108, chrome)
}

// fixedRangefinder draws a rangefinder of the seventies with a lens of its own.
func (p figurePainter) fixedRangefinder() {
	x0, x1, top, plate := 218.0, 782.0, 292.0, 92.0
	f := p.finish
	p.dialSide(296, top+3, 34, 16, chrome, 0)
	p.dialSide(362, top+3, 54, 12, f.top, 30)
	p.shoe(510, top+2, 70)
	p.dialSide(716, top+3, 58, 20, f.top, 36)
	p.slab(x0, x1, top, ground, 26, plate)
	p.baseMetal(x0+1, x1-1, ground, 34, 24)
	band := roundBox(432, top+18, 316, 52, 8)
	p.fill(band, linear(0, top+18, 0, top+70, stop{0, grey(22)}, stop{0.5, grey(52)}, stop{1, grey(18)}))
	p.bevel(band, 2, 0.5)
	p.window(660, top+26, 68, 36, rgb(130, 150, 178))
	p.window(570, top+30, 52, 28, rgb(206, 206, 190))
	p.window(462, top+32, 24, 24, rgb(170, 150, 120))
	p.lug(x0+2, top+70)
	p.lug(x1-2, top+70)
	p.collar(500, 484, 128, chrome)
	p.fill(circle(500, 484, 120), knurled(500, 484, 1, grey(44), 70))
	p.fill(circle(500, 484, 106), turned(500, 484, 1, chrome.light(0.95)))
	p.around("2  2.8  4  5.6  8  11  16  A", 500, 484, 92, 1, -math.Pi/2, 11, black(0.75))
	p.frontOf(500, 484, 84, 1, 45, 45, 1.8)
}

// digitalRangefinder draws a rangefinder without levers and knobs.
func (p figurePainter) digitalRangefinder() {
	x0, x1, top, step := 200.0, 800.0, 278.0, 340.0
	f := p.finish
	p.stands(x0+16, x1-16, ground)
	p.dialSide(270, top+2, 46, 14, f.top, 0)
	p.button(270, top-4, 9, chrome)
	p.dialSide(360, top+2, 74, 22, f.top, 40)
	p.shoe(506, top+1, 70)
	p.shell(polygon(corner{x0, top + 10, 60}, corner{x1, top + 10, 60}, corner{x1, ground, 60}, corner{x0, ground, 60}), f.body, top, ground)
	p.edges = nil
	p.metal(polygon(corner{x0 + 2, step + 8, 6}, corner{x0 + 2, top + 4, 46}, corner{x0 + 110, top, 14}, corner{x1 - 110, top, 14}, corner{x1 - 2, top + 4, 46}, corner{x1 - 2, step + 8, 6}), f.top, top, step+8)
	p.covering(polygon(corner{x0 + 2, step + 10, 3}, corner{x1 - 2, step + 10, 3}, corner{x1 - 2, ground - 40, 3}, corner{x0 + 2, ground - 40, 3}), step+10, ground-40)
	p.metal(polygon(corner{x0 + 2, ground - 38, 3}, corner{x1 - 2, ground - 38, 3}, corner{x1 - 2, ground, 56}, corner{x0 + 2, ground, 56}), f.top, ground-38, ground)
	p.window(666, top+14, 62, 38, rgb(130, 150, 178))
	p.window(444, top+20, 22, 22, rgb(170, 150, 120))
	if p.Colour != graphiteFinish {
		p.button(596, top+32, 16, rgb(196, 38, 38))
	}
	p.button(690, 418, 12, f.top)
	p.smallLens(500, 458, 122, grey(44))
}

// panoramicCamera draws a wide rangefinder.
func (p figurePainter) panoramicCamera() {
	x0, x1, top := 150.0, 850.0, 300.0
	p.dialSide(234, top+3, 40, 14, chrome, 0)
	p.dialSide(320, top+3, 66, 20, p.finish.top, 36)
	p.shoe(520, top+2, 70)
	p.dialSide(790, top+3, 56, 16, p.finish.top, 34)
	p.slab(x0, x1, top, ground, 40, 78)
	p.window(716, top+20, 72, 38, rgb(130, 150, 178))
	p.window(470, top+24, 26, 28, rgb(170, 150, 120))
	p.grip(x0+6, top+94, 70, ground-top-150, 24)
	p.smallLens(500, 470, 112, grey(46))
}

// bessa draws a modern rangefinder for film, of black or silver metal.
func (p figurePainter) bessa() {
	x0, x1, top := 206.0, 794.0, 284.0
	p.dialSide(278, top+3, 34, 18, chrome, 0)
	p.dialSide(356, top+3, 76, 28, p.finish.top, 38)
	p.shoe(506, top+2, 72)
	p.dialSide(722, top+4, 70, 30, chrome, 36)
	p.slab(x0, x1, top, ground, 22, 84)
	p.baseMetal(x0+1, x1-1, ground, 34, 20)
	p.window(672, top+22, 64, 40, rgb(130, 150, 178))
	p.window(574, top+26, 58, 32, rgb(214, 214, 200))
	p.window(426, top+30, 24, 24, rgb(170, 150, 120))
	p.lug(x0+2, top+76)
	p.lug(x1-2, top+76)
	p.smallLens(500, 466, 118, pick(p.copy, []ink{grey(44), grey(44), chrome}))
}

// autofocusRangefinder draws a titanium body with two sensor windows.
func (p figurePainter) autofocusRangefinder() {
	x0, x1, top := 222.0, 778.0, 300.0
	p.dialSide(286, top+3, 46, 14, p.finish.top, 0)
	p.dialSide(370, top+3, 72, 22, p.finish.top, 40)
	p.shoe(520, top+2, 66)
	p.dialSide(714, top+3, 66, 18, p.finish.top, 36)
	p.slab(x0, x1, top, ground, 44, 0)
	p.covering(roundBox(x0+16, top+104, 88, ground-top-146, 20), top+104, ground-42)
	p.covering(roundBox(x1-104, top+104, 88, ground-top-146, 20), top+104, ground-42)
	p.window(656, top+26, 66, 38, rgb(120, 140, 170))
	p.window(566, top+32, 40, 24, rgb(60, 66, 80))
	p.window(430, top+32, 40, 24, rgb(60, 66, 80))
	p.smallLens(500, 470, 112, rgb(190, 180, 164))
}

// bigRangefinder draws a medium-format rangefinder with a big lens.
func (p figurePainter) bigRangefinder() {
	x0, x1, top := 178.0, 822.0, 226.0
	p.dialSide(256, top+3, 40, 20, chrome, 0)
	p.dialSide(334, top+3, 70, 26, p.finish.top, 38)
	p.shoe(500, top+2, 76)
	p.dialSide(748, top+3, 50, 14, p.finish.top, 30)
	p.slab(x0, x1, top, ground, 30, 96)
	p.window(686, top+24, 84, 48, rgb(130, 150, 178))
	p.window(574, top+30, 62, 36, rgb(214, 214, 200))
	p.window(414, top+34, 28, 28, rgb(170, 150, 120))
	p.grip(x0-2, top+110, 96, ground-top-150, 34)
	p.lug(x0+2, top+88)
	p.lug(x1-2, top+88)
	p.collar(506, 446, 158, grey(50))
	p.lensOn(506, 446, 148, pick(p.model, []float64{80, 90, 65}), pick(p.model, []float64{4, 3.5}), grey(42))
}

// foldingCamera draws a camera whose bellows come out of a door that folds down.
func (p figurePainter) foldingCamera() {
	x0, x1, top, bottom := 214.0, 786.0, 212.0, 560.0
	f := p.finish
	p.stands(x0+30, x1-30, 640)
	p.dialSide(300, top+3, 54, 26, chrome, 34)
	p.shoe(500, top+2, 66)
	p.dialSide(704, top+3, 60, 20, chrome, 36)
	p.shell(roundBox(x0, top, x1-x0, bottom-top, 70), grey(50), top, bottom)
	p.metal(polygon(corner{x0 + 40, top, 30}, corner{x1 - 40, top, 30}, corner{x1 - 6, top + 62, 10}, corner{x0 + 6, top + 62, 10}), f.top, top, top+62)
	p.window(470, top+14, 60, 34, rgb(140, 156, 180))
	p.covering(roundBox(x0+8, top+66, x1-x0-16, bottom-top-84, 40), top+66, bottom-18)
	p.fill(roundBox(348, top+76, 304, bottom-top-90, 8), flat(grey(16)))
	p.bellows(500, 400, 146, 432, 92, 130, 9)
	door := polygon(corner{346, bottom - 14, 4}, corner{654, bottom - 14, 4}, corner{690, 634, 14}, corner{310, 634, 14})
	p.fill(door, linear(0, bottom-14, 0, 634, stop{0, grey(30)}, stop{0.5, grey(66)}, stop{1, grey(40)}))
	p.bevel(door, 2.4, 0.7)
	p.edges = append(p.edges, door)
	for _, x := range []float64{376, 608} {
		p.fill(roundBox(x, 330, 14, 240, 5), linear(x, 0, x+14, 0, stop{0, grey(120)}, stop{0.4, grey(226)}, stop{1, grey(96)}))
	}
	p.collar(500, 446, 92, grey(46))
	p.fill(circle(500, 446, 86), turned(500, 446, 1, chrome))
	p.around("T B 1 2 5 10 25 50 100 250", 500, 446, 74, 1, -math.Pi/2, 10, black(0.8))
	p.frontOf(500, 446, 62, 1, 75, 75, 3.5)
}

// bigReflex draws a medium-format reflex in the form of a 35mm one.
func (p figurePainter) bigReflex() {
	x0, x1, top, skin := 162.0, 838.0, 270.0, 342.0
	f := p.finish
	p.stands(x0+14, x1-14, 640)
	p.dialSide(244, top+2, 44, 24, chrome, 0)
	p.dialSide(322, top+2, 80, 40, f.top, 40)
	p.dialSide(748, top+4, 92, 34, f.top, 44)
	p.shell(polygon(corner{x0, top, 22}, corner{x1, top, 22}, corner{x1, 640, 28}, corner{x0, 640, 28}), f.body, top, 640)
	plate := polygon(corner{x0, skin, 3}, corner{x0, top, 22}, corner{372, top, 8}, corner{396, 190, 8}, corner{430, 128, 14}, corner{570, 128, 14}, corner{604, 190, 8}, corner{628, top, 8}, corner{x1, top, 22}, corner{x1, skin, 3})
	p.metal(plate, f.top, 128, skin)
	p.fill(polygon(corner{438, 138, 8}, corner{562, 138, 8}, corner{588, 204, 6}, corner{412, 204, 6}), linear(0, 138, 0, 204, stop{0, white(0.26)}, stop{1, white(0.02)}))
	p.covering(polygon(corner{x0 + 2, skin + 2, 3}, corner{x1 - 2, skin + 2, 3}, corner{x1 - 2, 600, 3}, corner{x0 + 2, 600, 3}), skin+2, 600)
	p.baseMetal(x0+1, x1-1, 640, 38, 26)
	if p.Colour == blackFinish && p.model.chance(0.5) { // the handle of wood
		p.wood(roundBox(x1-6, 330, 56, 240, 24), rgb(126, 76, 44), true)
		p.finish.bare = grey(150)
	}
	p.collar(500, 470, 170, chrome)
	p.lensOn(500, 470, 160, pick(p.model, []float64{105, 90, 80}), pick(p.model, []float64{2.4, 2.8}), grey(42))
}

// bellowsCube draws a studio reflex that focuses with bellows.
func (p figurePainter) bellowsCube() {
	x0, x1, top, bottom := 296.0, 704.0, 216.0, 640.0
	p.stands(x0+6, x1-6, bottom)
	hood := polygon(corner{x0 + 26, top + 4, 2}, corner{x0 + 48, 96, 8}, corner{x1 - 48, 96, 8}, corner{x1 - 26, top + 4, 2})
	p.fill(hood, linear(x0, 0, x1, 0, stop{0, grey(30)}, stop{0.25, grey(70)}, stop{0.6, grey(46)}, stop{1, grey(26)}))
	p.bevel(hood, 2.4, 0.7)
	p.shell(roundBox(x0, top, x1-x0, bottom-top, 18), grey(46), top, bottom)
	p.covering(roundBox(x0+14, top+22, x1-x0-28, 190, 12), top, bottom)
	p.bellows(500, 432, 178, 436, 160, 168, 5)
	p.shell(roundBox(334, 276, 332, 326, 16), grey(50), 276, 602)
	for _, x := range []float64{x0 - 22, x1 + 22} {
		p.knob(x, 590, 30, grey(60))
	}
	p.button(x1-36, top+40, 14, chrome)
	p.collar(500, 438, 148, grey(48))
	p.lensOn(500, 438, 136, pick(p.model, []float64{127, 90, 110}), pick(p.model, []float64{3.8, 2.8}), grey(44))
}

// prismCube draws a medium-format box with a prism finder and a handle.
func (p figurePainter) prismCube() {
	x0, x1, top, bottom := 306.0, 700.0, 270.0, 632.0
	f := p.finish
	p.stands(x0+6, x1+60, bottom)
	prism := polygon(corner{x0 + 40, top + 4, 4}, corner{x0 + 70, 176, 16}, corner{x0 + 120, 128, 16}, corner{x1 - 120, 128, 16}, corner{x1 - 70, 176, 16}, corner{x1 - 40, top + 4, 4})
	p.shell(prism, grey(50), 128, top)
	p.fill(polygon(corner{x0 + 128, 138, 10}, corner{x1 - 128, 138, 10}, corner{x1 - 92, 214, 10}, corner{x0 + 92, 214, 10}), linear(0, 138, 0, 214, stop{0, white(0.22)}, stop{1, white(0.02)}))
	p.shell(roundBox(x0, top, x1-x0, bottom-top, 22), f.body, top, bottom)
	p.covering(roundBox(x0+14, top+20, x1-x0-28, bottom-top-40, 14), top, bottom)
	p.grip(x1-6, top+54, 76, bottom-top-84, 30)
	p.dialSide(x1+32, top+56, 40, 16, chrome, 0)
	p.knob(x0-16, 470, 28, grey(60))
	p.collar(496, 456, 150, grey(50))
	p.lensOn(496, 456, 140, pick(p.model, []float64{80, 75}), 2.8, grey(42))
}

// toy draws a plastic camera for roll film.
func (p figurePainter) toy() {
	x0, x1, top, bottom := 250.0, 750.0, 290.0, 600.0
	k := grey(42)
	if p.Colour == pastelFinish {
		k = p.finish.body
	}
	p.dialSide(338, top+4, 70, 30, grey(48), 26)
	p.shoe(590, top+2, 70)
	finder := roundBox(426, 226, 148, 84, 12)
	p.shell(finder, grey(44), 226, 310)
	p.window(464, 244, 72, 40, rgb(120, 140, 160))
	p.stands(x0+10, x1-10, bottom)
	p.shell(roundBox(x0, top, x1-x0, bottom-top, 40), grey(40), top, bottom)
	p.metal(polygon(corner{x0 + 2, top, 38}, corner{x1 - 2, top, 38}, corner{x1 - 2, top + 80, 4}, corner{x0 + 2, top + 80, 4}), k, top, top+80)
	for i := range 9 {
		y := bottom - 50 - float64(i)*14
		p.fill(roundBox(x0+18, y, 54, 6, 3), linear(0, y, 0, y+6, stop{0, white(0.14)}, stop{1, black(0.4)}))
	}
	p.collar(500, 462, 116, k.light(0.9))
	p.fill(circle(500, 462, 104), knurled(500, 462, 1, grey(46), 40))
	p.frontOf(500, 462, 84, 1, 60, 60, 8)
}

// box draws a box camera with two small finders.
func (p figurePainter) box() {
	x0, x1, top, bottom := 338.0, 662.0, 190.0, 640.0
	p.stands(x0+6, x1-6, bottom)
	strap := path{}.move(x0+60, top+2).cube(x0+90, 136, x1-90, 136, x1-60, top+2)
	p.stroke(strap, 16, linear(0, 130, 0, top, stop{0, rgb(96, 60, 40)}, stop{1, rgb(50, 32, 24)}))
	p.shell(roundBox(x0, top, x1-x0, bottom-top, 14), grey(46), top, bottom)
	p.covering(roundBox(x0+10, top+10, x1-x0-20, bottom-top-20, 8), top, bottom)
	plate := roundBox(x0+34, top+40, x1-x0-68, bottom-top-140, 10)
	p.metal(plate, rgb(170, 168, 160), top+40, bottom-100)
	for _, x := range []float64{x0 + 62, x1 - 110} {
		p.window(x, top+58, 48, 40, rgb(150, 170, 190))
	}
	p.collar(500, 420, 88, grey(40))
	p.frontOf(500, 420, 76, 1, 90, 90, 11)
	p.knob(x1+12, 300, 20, chrome)
	p.fill(roundBox(x1-8, 470, 24, 12, 6), linear(x1-8, 0, x1+16, 0, stop{0, grey(220)}, stop{1, grey(110)}))
}

// bridgeCamera draws a small camera with a big zoom and a finder.
func (p figurePainter) bridgeCamera() {
	p.Shape, p.finish = Plain, finishes[blackFinish]
	x0, x1, top, hump, cx := 262.0, 738.0, 300.0, 218.0, 526.0
	p.stands(x0+10, x1-10, ground)
	p.dialSide(318, top+4, 50, 16, grey(60), 0)
	p.dialSide(666, top+6, 74, 30, grey(48), 44)
	outline := polygon(corner{x0, top + 10, 34}, corner{cx - 96, top, 14}, corner{cx - 62, hump, 26}, corner{cx + 62, hump, 26}, corner{cx + 96, top, 14}, corner{x1, top + 6, 34}, corner{x1, ground, 36}, corner{x0, ground, 36})
	p.shell(outline, p.finish.body, hump, ground)
	p.hump(cx, top, hump, 66, false)
	p.grip(x0-10, top+30, 112, ground-top-50, 38)
	p.collar(cx, 450, 150, grey(46))
	p.fill(circle(cx, 450, 142), knurled(cx, 450, 1, grey(42), 90))
	p.frontOf(cx, 450, 128, 1, 24, 600, 2.8)
}

// slimCompact draws a flat pocket camera with a retracted lens.
func (p figurePainter) slimCompact() {
	x0, x1, top := 262.0, 738.0, 332.0
	p.dialSide(330, top+4, 50, 11, chrome, 0)
	p.dialSide(424, top+4, 62, 15, p.finish.top, 36)
	p.slab(x0, x1, top, 596, 24, 0)
	p.grip(x0-2, top+22, 66, 596-top-44, 22)
	p.fill(circle(436, top+36, 7), radial(434, top+34, 8, 8, stop{0, rgb(230, 160, 90)}, stop{1, rgb(80, 36, 20)}))
	p.collar(534, 466, 106, p.finish.top.light(0.8))
	p.fill(circle(534, 466, 98), knurled(534, 466, 1, grey(40), 80))
	p.fill(circle(534, 466, 84), turned(534, 466, 1, grey(36)))
	p.frontOf(534, 466, 76, 1, 18, 18, 2.8)
}

// clamshellCompact draws a pocket camera whose lens hides behind a sliding cover.
func (p figurePainter) clamshellCompact() {
	x0, x1, top, bottom := 270.0, 730.0, 350.0, 596.0
	k := p.finish.body
	p.stands(x0+20, x1-20, bottom)
	p.button(640, top+6, 22, rgb(214, 92, 52))
	body := roundBox(x0, top, x1-x0, bottom-top, 96)
	p.shell(body, k, top, bottom)
	cover := polygon(corner{x0 + 10, top + 12, 84}, corner{452, top + 12, 40}, corner{424, bottom - 12, 60}, corner{x0 + 10, bottom - 12, 84})
	p.metal(cover, k.light(1.1), top, bottom)
	p.fill(polygon(corner{452, top + 16, 14}, corner{650, top + 16, 30}, corner{640, top + 66, 18}, corner{448, top + 66, 10}), linear(0, top+16, 0, top+66, stop{0, grey(14)}, stop{0.5, grey(44)}, stop{1, grey(14)}))
	p.flash(574, top+26, 62, 30)
	p.window(490, top+26, 46, 30, rgb(120, 140, 160))
	p.collar(520, 496, 74, grey(40))
	p.frontWithRing(520, 496, 62, grey(44), 35, 2.8)
}

// fullFrameCompact draws a compact with a big fixed lens.
func (p figurePainter) fullFrameCompact() {
	x0, x1, top := 226.0, 774.0, 296.0
	p.dialSide(296, top+4, 44, 14, chrome, 0)
	p.dialSide(380, top+4, 76, 22, p.finish.top, 40)
	p.shoe(520, top+2, 70)
	p.slab(x0, x1, top, ground, 46, 66)
	p.baseMetal(x0+1, x1-1, ground, 32, 44)
	p.lug(x0+2, top+60)
	p.lug(x1-2, top+60)
	p.button(690, top+34, 13, rgb(190, 44, 40))
	p.collar(508, 454, 140, grey(48))
	p.fill(circle(508, 454, 132), knurled(508, 454, 1, grey(42), 96))
	p.fill(circle(508, 454, 118), turned(508, 454, 1, grey(46)))
	p.around("2.8 4 5.6 8 11 16 A", 508, 454, 106, 1, -math.Pi/2, 12, white(0.8))
	p.frontOf(508, 454, 98, 1, 28, 28, 1.7)
}

// seleniumCompact draws a camera of the sixties with a meter cell around its lens.
func (p figurePainter) seleniumCompact() {
	x0, x1, top := 258.0, 742.0, 330.0
	p.dialSide(322, top+3, 30, 12, chrome, 0)
	p.shoe(500, top+2, 62)
	p.dialSide(684, top+3, 50, 14, chrome, 32)
	p.slab(x0, x1, top, 596, 34, 72)
	p.baseMetal(x0+1, x1-1, 596, 30, 32)
	p.window(520, top+18, 60, 36, rgb(130, 150, 176))
	p.collar(500, 496, 96, chrome)
	p.fill(circle(500, 496, 88), func(x, y float64) ink { // the bubbles of the cell
		return grey(150 + 60*math.Sin(x*0.55)*math.Sin(y*0.55))
	})
	p.fill(circle(500, 496, 64), turned(500, 496, 1, grey(60)))
	p.frontOf(500, 496, 56, 1, 40, 40, 2.8)
}

// metalCompact draws a luxury compact for film.
func (p figurePainter) metalCompact() {
	x0, x1, top := 264.0, 736.0, 340.0
	k := p.finish.body
	p.dialSide(334, top+4, 48, 12, p.finish.top, 0)
	p.dialSide(424, top+4, 58, 14, p.finish.top, 36)
	p.dialSide(664, top+4, 54, 16, p.finish.top, 36)
	p.slab(x0, x1, top, 596, 34, 0)
	p.fill(roundBox(x0+22, top+78, 20, 130, 10), linear(x0+22, 0, x0+42, 0, stop{0, black(0.3)}, stop{0.5, white(0.2)}, stop{1, black(0.1)}))
	p.flash(628, top+24, 72, 36)
	p.window(452, top+26, 54, 32, rgb(120, 140, 165))
	p.window(530, top+30, 20, 24, rgb(60, 50, 50))
	p.collar(510, 490, 88, k.light(0.86))
	p.frontWithRing(510, 490, 76, k.light(0.72), 38, 2.8)
}

// tinyCompact draws a very small camera with a lens on a collapsible tube.
func (p figurePainter) tinyCompact() {
	x0, x1, top := 316.0, 684.0, 352.0
	p.dialSide(638, top+3, 40, 10, chrome, 0)
	p.slab(x0, x1, top, 596, 22, 0)
	p.covering(roundBox(x0+3, top+58, x1-x0-6, 596-top-92, 4), top+58, 562)
	p.window(478, top+12, 60, 32, rgb(130, 150, 176))
	p.window(586, top+16, 40, 22, rgb(190, 186, 160))
	p.dialSmall(374, 456, 30)
	p.dialSmall(626, 456, 30)
	p.collar(500, 486, 82, chrome)
	p.fill(circle(500, 486, 72), turned(500, 486, 1, grey(50)))
	p.frontOf(500, 486, 62, 1, 40, 40, 3.5)
}

// plasticCompact draws a simple camera for film.
func (p figurePainter) plasticCompact() {
	x0, x1, top := 280.0, 720.0, 346.0
	p.button(640, top+4, 18, grey(60))
	p.slab(x0, x1, top, 596, 30, 0)
	p.fill(roundBox(x0+26, top+26, x1-x0-52, 90, 18), linear(0, top+26, 0, top+116, stop{0, grey(30)}, stop{1, grey(58)}))
	p.flash(x1-140, top+46, 92, 48)
	p.window(474, top+52, 58, 36, rgb(120, 140, 160))
	p.collar(500, 512, 62, grey(44))
	p.frontOf(500, 512, 54, 1, 31, 31, 9)
}

// dialCompact draws an enthusiast's compact with dials and a zoom.
func (p figurePainter) dialCompact() {
	x0, x1, top := 254.0, 746.0, 318.0
	p.dialSide(322, top+4, 52, 13, chrome, 0)
	p.dialSide(418, top+4, 74, 28, p.finish.top, 40)
	p.shoe(540, top+2, 66)
	p.dialSide(664, top+4, 66, 24, p.finish.top, 38)
	p.slab(x0, x1, top, 596, 24, 0)
	p.grip(x0-4, top+30, 74, 596-top-60, 24)
	p.fill(circle(442, top+38, 8), radial(440, top+36, 9, 9, stop{0, rgb(226, 150, 90)}, stop{1, rgb(70, 30, 20)}))
	p.collar(530, 464, 122, grey(46))
	p.fill(circle(530, 464, 114), knurled(530, 464, 1, grey(42), 86))
	p.zoomTubes(530, 464, 98)
}

// subminiature draws a camera like a bar of chocolate.
func (p figurePainter) subminiature() {
	x0, x1, top, bottom := 230.0, 770.0, 430.0, 560.0
	p.slab(x0, x1, top, bottom, 22, 0)
	p.window(300, top+38, 50, 36, rgb(130, 150, 176))
	p.collar(420, top+62, 34, grey(60))
	p.glass(420, top+62, 26, 26, 0.4)
	p.dialSmall(540, top+64, 40)
	p.dialSmall(660, top+64, 40)
}

// packFilmCamera draws a folding instant camera with bellows.
func (p figurePainter) packFilmCamera() {
	x0, x1, top, bottom := 226.0, 774.0, 250.0, 612.0
	p.stands(x0+10, x1-10, bottom)
	p.shell(roundBox(x0, top, x1-x0, bottom-top, 26), grey(46), top, bottom)
	p.covering(roundBox(x0+14, top+14, x1-x0-28, bottom-top-28, 16), top, bottom)
	finder := roundBox(560, top-62, 150, 70, 12)
	p.metal(finder, chrome, top-62, top+8)
	p.window(590, top-46, 60, 36, rgb(130, 150, 176))
	p.bellows(480, 430, 176, 436, 110, 150, 9)
	p.metal(roundBox(366, 334, 228, 204, 18), p.finish.top, 334, 538)
	p.collar(480, 436, 84, grey(44))
	p.frontOf(480, 436, 74, 1, 114, 114, 8.8)
	p.button(x1-50, top+60, 18, rgb(196, 60, 50))
}

// roundInstant draws a rounded instant camera for small pictures.
func (p figurePainter) roundInstant() {
	x0, x1, top, bottom := 300.0, 700.0, 170.0, 628.0
	k := p.finish.body
	p.stands(x0+30, x1-30, bottom)
	p.shell(roundBox(x0, top, x1-x0, bottom-top, 110), k, top, bottom)
	p.fill(roundBox(x0+40, top+8, x1-x0-80, 14, 7), linear(0, top+8, 0, top+22, stop{0, grey(10)}, stop{1, grey(60)}))
	p.flash(x0+62, top+62, 104, 56)
	p.window(x1-140, top+68, 66, 48, rgb(120, 140, 155))
	p.collar(500, 430, 132, k.light(0.86))
	p.collar(500, 430, 112, white(1).light(0.94))
	p.frontWithRing(500, 430, 84, grey(44), 60, 12.7)
	p.button(x0+58, 320, 20, k.light(0.75))
}

// pressCamera draws a folding camera for sheet film with a bed.
func (p figurePainter) pressCamera() {
	x0, x1, top, bottom := 270.0, 730.0, 110.0, 560.0
	p.stands(x0, x1, 650)
	p.shell(roundBox(x0, top, x1-x0, bottom-top, 18), grey(48), top, bottom)
	p.covering(roundBox(x0+12, top+12, x1-x0-24, bottom-top-24, 10), top, bottom)
	p.fill(roundBox(x0+44, top+54, x1-x0-88, bottom-top-70, 6), flat(grey(16)))
	p.bellows(500, 340, 172, 352, 108, 172, 10)
	bed := polygon(corner{x0 + 30, bottom - 10, 4}, corner{x1 - 30, bottom - 10, 4}, corner{x1 + 4, 646, 10}, corner{x0 - 4, 646, 10})
	p.fill(bed, linear(0, bottom-10, 0, 646, stop{0, grey(34)}, stop{0.5, grey(70)}, stop{1, grey(40)}))
	p.bevel(bed, 2.4, 0.7)
	for _, x := range []float64{430, 556} {
		p.fill(polygon(corner{x, bottom - 8, 2}, corner{x + 14, bottom - 8, 2}, corner{x + 22, 642, 2}, corner{x - 8, 642, 2}), linear(x-8, 0, x+22, 0, stop{0, grey(220)}, stop{1, grey(110)}))
	}
	p.metal(roundBox(386, 240, 228, 236, 12), chrome.light(0.9), 240, 476)
	p.covering(roundBox(400, 254, 200, 208, 6), 254, 462)
	p.collar(500, 356, 84, grey(46))
	p.fill(circle(500, 356, 76), turned(500, 356, 1, chrome))
	p.frontOf(500, 356, 60, 1, 127, 127, 4.7)
	p.window(x0+16, top-26, 70, 40, rgb(130, 150, 176))
}

// monorail draws a studio camera of two frames on a rail.
func (p figurePainter) monorail() {
	p.stands(400, 600, 668)
	p.fill(roundBox(478, 560, 44, 110, 8), linear(478, 0, 522, 0, stop{0, grey(90)}, stop{0.4, grey(220)}, stop{1, grey(80)}))
	p.shell(roundBox(292, 112, 416, 410, 14), grey(52), 112, 522)
	p.fill(roundBox(322, 142, 356, 350, 6), flat(grey(16)))
	p.bellows(500, 318, 172, 330, 128, 172, 11)
	for _, x := range []float64{318, 668} {
		p.fill(roundBox(x, 230, 16, 340, 5), linear(x, 0, x+16, 0, stop{0, grey(110)}, stop{0.4, grey(226)}, stop{1, grey(90)}))
		p.knob(x+8, 340, 22, chrome)
	}
	p.fill(roundBox(318, 556, 366, 22, 8), linear(0, 556, 0, 578, stop{0, grey(210)}, stop{1, grey(90)}))
	p.shell(roundBox(366, 200, 268, 268, 10), grey(56), 200, 468)
	p.collar(500, 334, 96, grey(46))
	p.fill(circle(500, 334, 86), turned(500, 334, 1, chrome))
	p.around("T B 1 2 4 8 15 30 60 125", 500, 334, 75, 1, -math.Pi/2, 10, black(0.8))
	p.frontOf(500, 334, 66, 1, 150, 150, 5.6)
}

// pocketGimbal draws a small stabilised camera on its handle.
func (p figurePainter) pocketGimbal() {
	p.stands(432, 568, 690)
	p.shell(roundBox(430, 330, 140, 360, 26), grey(46), 330, 690)
	p.fill(roundBox(446, 380, 108, 150, 10), linear(446, 380, 554, 530, stop{0, rgb(36, 40, 48)}, stop{0.5, rgb(10, 11, 14)}, stop{1, rgb(30, 33, 40)}))
	p.button(500, 590, 22, grey(60))
	p.button(500, 590, 12, rgb(190, 48, 44))
	p.shell(roundBox(560, 170, 44, 200, 20), grey(52), 170, 370)
	p.shell(roundBox(416, 130, 156, 150, 36), grey(48), 130, 280)
	p.collar(494, 205, 60, grey(40))
	p.glass(494, 205, 48, 48, 0.4)
}

// stick draws an upright camera with a lens on either side.
func (p figurePainter) stick() {
	p.stands(420, 580, 690)
	p.shell(roundBox(410, 90, 180, 600, 60), p.finish.body, 90, 690)
	p.collar(500, 200, 80, grey(36))
	p.glass(500, 200, 70, 70, 0.34)
	p.fill(roundBox(440, 360, 120, 170, 12), linear(440, 360, 560, 530, stop{0, rgb(36, 40, 48)}, stop{0.5, rgb(10, 11, 14)}, stop{1, rgb(30, 33, 40)}))
	p.button(500, 600, 24, rgb(60, 60, 64))
}
