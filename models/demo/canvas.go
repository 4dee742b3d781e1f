package demo

import (
	"image"
	"image/color"
	"math"
	"sync"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// A canvas is 1000 units wide and 750 high, whatever its width in pixels.
const (
	canvasWidth  = 1000.0
	canvasHeight = 750.0
)

type canvas struct {
	img  *image.RGBA
	ras  vector.Rasterizer
	mask *image.Alpha
	out  affine // from units to pixels
	in   affine // from pixels to units
}

func newCanvas(width int) *canvas {
	bounds := image.Rect(0, 0, width, width*3/4)
	c := &canvas{img: image.NewRGBA(bounds), mask: image.NewAlpha(bounds)}
	c.look(affine{1, 0, 0, 0, 1, 0})
	return c
}

// look sets the transformation of later drawing.
func (c *canvas) look(m affine) {
	s := float64(c.img.Rect.Dx()) / canvasWidth
	c.out = affine{s, 0, 0, 0, s, 0}.times(m)
	c.in = c.out.inverse()
}

// affine maps (x, y) to (a·x + b·y + c, d·x + e·y + f).
type affine struct{ a, b, c, d, e, f float64 }

func (m affine) at(p point) point {
	return point{m.a*p.x + m.b*p.y + m.c, m.d*p.x + m.e*p.y + m.f}
}

// times returns the map that applies first n, then m.
func (m affine) times(n affine) affine {
	return affine{
		m.a*n.a + m.b*n.d, m.a*n.b + m.b*n.e, m.a*n.c + m.b*n.f + m.c,
		m.d*n.a + m.e*n.d, m.d*n.b + m.e*n.e, m.d*n.c + m.e*n.f + m.f,
	}
}

func (m affine) inverse() affine {
	det := m.a*m.e - m.b*m.d
	return affine{
		m.e / det, -m.b / det, (m.b*m.f - m.e*m.c) / det,
		-m.d / det, m.a / det, (m.d*m.c - m.a*m.f) / det,
	}
}

// zoom enlarges what is around (x, y) and puts it in the middle.
func zoom(x, y, scale, turn float64) affine {
	sin, cos := math.Sincos(turn)
	return affine{1, 0, canvasWidth / 2, 0, 1, canvasHeight / 2}.
		times(affine{cos * scale, -sin * scale, 0, sin * scale, cos * scale, 0}).
		times(affine{1, 0, -x, 0, 1, -y})
}

// ink is a colour with its opacity; r, g and b are 0 to 255, a is 0 to 1.
type ink struct{ r, g, b, a float64 }

func rgb(r, g, b float64) ink     { return ink{r, g, b, 1} }
func grey(v float64) ink          { return ink{v, v, v, 1} }
func white(a float64) ink         { return ink{255, 255, 255, a} }
func black(a float64) ink         { return ink{0, 0, 0, a} }
func (k ink) fade(a float64) ink  { k.a *= a; return k }
func (k ink) light(f float64) ink { return ink{min(k.r*f, 255), min(k.g*f, 255), min(k.b*f, 255), k.a} }

func mix(a, b ink, t float64) ink {
	return ink{a.r + (b.r-a.r)*t, a.g + (b.g-a.g)*t, a.b + (b.b-a.b)*t, a.a + (b.a-a.a)*t}
}

// paint returns the ink at a point, in units.
type paint func(x, y float64) ink

// fill paints the inside of a path by the non-zero winding rule.
func (c *canvas) fill(p path, paint paint) {
	low, high := c.extent(p)
	box := image.Rect(int(math.Floor(low.x)), int(math.Floor(low.y)), int(math.Ceil(high.x))+1, int(math.Ceil(high.y))+1).Intersect(c.img.Rect)
	if box.Empty() {
		return
	}
	c.cover(p, box)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		mask := c.mask.Pix[(y-box.Min.Y)*c.mask.Stride:]
		row := c.img.Pix[y*c.img.Stride+box.Min.X*4:]
		at := c.in.at(point{float64(box.Min.X) - 0.5, float64(y) + 0.5})
		for x := range box.Dx() {
			at.x += c.in.a
			at.y += c.in.d
			if mask[x] == 0 {
				continue
			}
			k := paint(at.x, at.y)
			if a := k.a * float64(mask[x]) / 255; a > 0.002 {
				blend(row[x*4:x*4+4:x*4+4], k, a)
			}
		}
	}
}

// cover sets the mask to the coverage of each pixel of box by p.
func (c *canvas) cover(p path, box image.Rectangle) {
	c.ras.Reset(box.Dx(), box.Dy())
	to := func(q point) (float32, float32) {
		q = c.out.at(q)
		return float32(q.x - float64(box.Min.X)), float32(q.y - float64(box.Min.Y))
	}
	for _, s := range p {
		x0, y0 := to(s.p[0])
		switch s.op {
		case 'M':
			c.ras.MoveTo(x0, y0)
		case 'L':
			c.ras.LineTo(x0, y0)
		case 'Q':
			x1, y1 := to(s.p[1])
			c.ras.QuadTo(x0, y0, x1, y1)
		case 'C':
			x1, y1 := to(s.p[1])
			x2, y2 := to(s.p[2])
			c.ras.CubeTo(x0, y0, x1, y1, x2, y2)
		case 'Z':
			c.ras.ClosePath()
		}
	}
	inner := image.Rect(0, 0, box.Dx(), box.Dy())
	for y := range inner.Dy() {
		clear(c.mask.Pix[y*c.mask.Stride : y*c.mask.Stride+inner.Dx()])
	}
	c.ras.Draw(c.mask, inner, image.NewUniform(color.Opaque), image.Point{})
}

func (c *canvas) extent(p path) (low, high point) {
	low, high = point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, s := range p {
		for _, q := range s.points() {
			q = c.out.at(q)
			low = point{min(low.x, q.x), min(low.y, q.y)}
			high = point{max(high.x, q.x), max(high.y, q.y)}
		}
	}
	return low, high
}

func blend(px []uint8, k ink, a float64) {
	weight := int32(a*65536 + 0.5)
	px[0] = over(px[0], k.r, weight)
	px[1] = over(px[1], k.g, weight)
	px[2] = over(px[2], k.b, weight)
	px[3] = 255
}

// over blends a channel over another; weight 65536 is opaque.
func over(under uint8, channel float64, weight int32) uint8 {
	u := int32(under)
	return uint8(u + ((int32(channel)-u)*weight+32768)>>16)
}

// filter multiplies all pixels by a colour, as a filter before the lens does.
func (c *canvas) filter(k ink) {
	weights := [4]int{int(k.r / 255 * 256), int(k.g / 255 * 256), int(k.b / 255 * 256), 256}
	for i, v := range c.img.Pix {
		c.img.Pix[i] = uint8(min(int(v)*weights[i%4]>>8, 255))
	}
}

// stroke paints a line of a width along a path.
func (c *canvas) stroke(p path, width float64, paint paint) { c.fill(p.outline(width), paint) }

// bevel lights the upper edge of a shape and darkens the lower one.
func (c *canvas) bevel(p path, width, strength float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range p {
		for _, q := range s.points() {
			low, high = min(low, q.y), max(high, q.y)
		}
	}
	c.stroke(p, width, linear(0, low, 0, high,
		stop{0, white(0.55 * strength)}, stop{0.25, white(0.12 * strength)}, stop{0.6, black(0.1 * strength)}, stop{1, black(0.55 * strength)}))
}

// glow paints a soft ellipse that fades to nothing at its rim.
func (c *canvas) glow(cx, cy, rx, ry float64, k ink) {
	c.fill(ellipse(cx, cy, rx, ry), func(x, y float64) ink {
		dx, dy := (x-cx)/rx, (y-cy)/ry
		f := 1 - math.Sqrt(min(dx*dx+dy*dy, 1))
		return k.fade(f * f * (3 - 2*f))
	})
}

// shadow paints the soft shadow of a rounded box.
func (c *canvas) shadow(x, y, w, h, r, blur float64, k ink) {
	cx, cy := x+w/2, y+h/2
	c.fill(box(x-blur, y-blur, w+2*blur, h+2*blur), func(px, py float64) ink {
		qx, qy := max(math.Abs(px-cx)-w/2+r, 0), max(math.Abs(py-cy)-h/2+r, 0)
		f := 1 - min(max((math.Sqrt(qx*qx+qy*qy)-r+blur)/(2*blur), 0), 1)
		return k.fade(f * f * (3 - 2*f))
	})
}

// Paints.

func flat(k ink) paint { return func(_, _ float64) ink { return k } }

// stop is an ink at a position from 0 to 1 along a gradient.
type stop struct {
	at  float64
	ink ink
}

// ramp is a gradient as a table.
type ramp [256]ink

func newRamp(stops []stop) *ramp {
	var r ramp
	for i := range r {
		t, j := float64(i)/255, 0
		for j < len(stops)-2 && t > stops[j+1].at {
			j++
		}
		a, b := stops[j], stops[min(j+1, len(stops)-1)]
		f := 0.0
		if b.at > a.at {
			f = min(max((t-a.at)/(b.at-a.at), 0), 1)
		}
		r[i] = mix(a.ink, b.ink, f)
	}
	return &r
}

func (r *ramp) at(t float64) ink { return r[int(min(max(t, 0), 1)*255)] }

func linear(x0, y0, x1, y1 float64, stops ...stop) paint {
	r, dx, dy := newRamp(stops), x1-x0, y1-y0
	d := dx*dx + dy*dy
	return func(x, y float64) ink { return r.at(((x-x0)*dx + (y-y0)*dy) / d) }
}

func radial(cx, cy, rx, ry float64, stops ...stop) paint {
	r := newRamp(stops)
	return func(x, y float64) ink {
		dx, dy := (x-cx)/rx, (y-cy)/ry
		return r.at(math.Sqrt(dx*dx + dy*dy))
	}
}

// turned returns the look of metal turned on a lathe and seen from the front: light
// gathers in opposite sectors.
func turned(cx, cy, flattening float64, base ink) paint {
	var table [256]ink
	for i := range table {
		a := float64(i) / 256 * 2 * math.Pi
		lobes := 0.62*math.Pow(math.Abs(math.Cos(a+0.7)), 6) + 0.3*math.Pow(math.Abs(math.Cos(a-0.75)), 10) - 0.16
		table[i] = mix(base.light(0.72+0.5*lobes), white(base.a), max(0, lobes)*0.45)
	}
	return func(x, y float64) ink {
		a := math.Atan2((y-cy)/flattening, x-cx)/(2*math.Pi) + 1
		return table[int(a*256)&255]
	}
}

// knurled is turned with count ridges around.
func knurled(cx, cy, flattening float64, base ink, count float64) paint {
	under := turned(cx, cy, flattening, base)
	return func(x, y float64) ink {
		a := math.Atan2((y-cy)/flattening, x-cx) / (2 * math.Pi) * count
		return under(x, y).light(ridge(a))
	}
}

// ridge returns the light on a row of ridges, one to a unit.
func ridge(at float64) float64 {
	t := at - math.Floor(at)
	return 0.42 + 0.75*smoothstep(t/0.3) + 0.25*bell(t-0.34, 0.08) - 0.7*smoothstep((t-0.86)/0.14)
}

// barrel returns the look of an upright cylinder: a broad light from the left, a rim
// light from the right. Ridges stand around it when count is above 0.
func barrel(cx, r float64, base ink, gloss, count float64) paint {
	const steps = 512
	var table [steps + 1]ink
	for i := range table {
		u := float64(i)/steps*2 - 1
		lit := 0.55 + 0.75*bell(u+0.42, 0.36) + 0.2*math.Sqrt(max(0, 1-u*u))
		k := base.light(lit)
		k = mix(k, white(1), gloss*(0.55*bell(u+0.5, 0.07)+0.25*bell(u+0.3, 0.16)+0.32*bell(u-0.86, 0.06)))
		if count > 0 {
			k = k.light(ridge(math.Asin(min(max(u, -1), 1)) / math.Pi * count))
		}
		table[i] = mix(k, black(1), 0.5*smoothstep((math.Abs(u)-0.88)/0.12))
	}
	return func(x, _ float64) ink {
		return table[int(min(max((x-cx)/r*0.5+0.5, 0), 1)*steps)]
	}
}

func bell(x, width float64) float64 { return math.Exp(-x * x / (2 * width * width)) }

// leather returns a grained covering under light that falls off downwards.
func leather(base ink, top, bottom float64) paint {
	grain := leatherGrain()
	return func(x, y float64) ink {
		t := (y - top) / (bottom - top)
		v := grain[int(y*1.1)&127][int(x*1.1)&127]
		return base.light((1.18 - 0.42*t) * (0.86 + 0.34*v))
	}
}

// leatherGrain is a tile of pebbles, 0 in the seams to 1 on top.
var leatherGrain = sync.OnceValue(func() *[128][128]float64 {
	var tile [128][128]float64
	const cell = 8
	seed := func(cx, cy int) (float64, float64) {
		h := uint32((cx&15)*73856093 ^ (cy&15)*19349663)
		h ^= h >> 13
		h *= 0x5bd1e995
		h ^= h >> 15
		return (float64(cx) + 0.15 + 0.7*float64(h&255)/255) * cell, (float64(cy) + 0.15 + 0.7*float64(h>>8&255)/255) * cell
	}
	for y := range 128 {
		for x := range 128 {
			first, second := math.Inf(1), math.Inf(1)
			for cy := y/cell - 1; cy <= y/cell+1; cy++ {
				for cx := x/cell - 1; cx <= x/cell+1; cx++ {
					sx, sy := seed(cx, cy)
					d := math.Hypot(float64(x)-sx, float64(y)-sy)
					if d < first {
						first, second = d, first
					} else if d < second {
						second = d
					}
				}
			}
			tile[y][x] = smoothstep((second - first) / 3.2)
		}
	}
	return &tile
})

// Paths.

type point struct{ x, y float64 }

type step struct {
	op byte // 'M', 'L', 'Q', 'C' or 'Z'
	p  [3]point
}

func (s step) points() []point {
	switch s.op {
	case 'M', 'L':
		return s.p[:1]
	case 'Q':
		return s.p[:2]
	case 'C':
		return s.p[:3]
	default:
		return nil
	}
}

type path []step

func (p path) move(x, y float64) path { return append(p, step{op: 'M', p: [3]point{{x, y}}}) }
func (p path) line(x, y float64) path { return append(p, step{op: 'L', p: [3]point{{x, y}}}) }
func (p path) quad(x1, y1, x, y float64) path {
	return append(p, step{op: 'Q', p: [3]point{{x1, y1}, {x, y}}})
}
func (p path) cube(x1, y1, x2, y2, x, y float64) path {
	return append(p, step{op: 'C', p: [3]point{{x1, y1}, {x2, y2}, {x, y}}})
}
func (p path) close() path { return append(p, step{op: 'Z'}) }

func box(x, y, w, h float64) path {
	return path{}.move(x, y).line(x+w, y).line(x+w, y+h).line(x, y+h).close()
}

// corner is a corner of a polygon, rounded by r.
type corner struct{ x, y, r float64 }

// polygon joins corners and rounds each of them.
func polygon(corners ...corner) path {
	var p path
	n := len(corners)
	for i, k := range corners {
		before, after := corners[(i+n-1)%n], corners[(i+1)%n]
		in, out := towards(k, before), towards(k, after)
		if i == 0 {
			p = p.move(in.x, in.y)
		} else {
			p = p.line(in.x, in.y)
		}
		if k.r > 0 {
			const round = 0.45
			p = p.cube(k.x+(in.x-k.x)*round, k.y+(in.y-k.y)*round, k.x+(out.x-k.x)*round, k.y+(out.y-k.y)*round, out.x, out.y)
		}
	}
	return p.close()
}

// towards returns where the rounding of a corner begins on the way to another.
func towards(from, to corner) point {
	d := math.Hypot(to.x-from.x, to.y-from.y)
	if d == 0 {
		return point{from.x, from.y}
	}
	t := min(from.r/d, 0.5)
	return point{from.x + (to.x-from.x)*t, from.y + (to.y-from.y)*t}
}

func roundBox(x, y, w, h, r float64) path {
	return polygon(corner{x, y, r}, corner{x + w, y, r}, corner{x + w, y + h, r}, corner{x, y + h, r})
}

const circleArm = 0.5522847498

func ellipse(cx, cy, rx, ry float64) path {
	kx, ky := rx*circleArm, ry*circleArm
	return path{}.move(cx+rx, cy).
		cube(cx+rx, cy+ky, cx+kx, cy+ry, cx, cy+ry).
		cube(cx-kx, cy+ry, cx-rx, cy+ky, cx-rx, cy).
		cube(cx-rx, cy-ky, cx-kx, cy-ry, cx, cy-ry).
		cube(cx+kx, cy-ry, cx+rx, cy-ky, cx+rx, cy).close()
}

func circle(cx, cy, r float64) path { return ellipse(cx, cy, r, r) }

// arc returns a part of a ring between two angles, clockwise from the right.
func arc(cx, cy, outer, inner, from, to float64) path {
	var p path
	steps := max(2, int((to-from)/0.12))
	at := func(r float64, i int) (float64, float64) {
		a := from + (to-from)*float64(i)/float64(steps)
		return cx + r*math.Cos(a), cy + r*math.Sin(a)
	}
	for i := 0; i <= steps; i++ {
		x, y := at(outer, i)
		if i == 0 {
			p = p.move(x, y)
		} else {
			p = p.line(x, y)
		}
	}
	for i := steps; i >= 0; i-- {
		x, y := at(inner, i)
		p = p.line(x, y)
	}
	return p.close()
}

// outline is the area of a line of a width along p.
func (p path) outline(width float64) path {
	var out path
	segment := func(a, b point) {
		dx, dy := b.x-a.x, b.y-a.y
		d := math.Hypot(dx, dy)
		if d == 0 {
			return
		}
		nx, ny := -dy/d*width/2, dx/d*width/2
		ex, ey := dx/d*width*0.1, dy/d*width*0.1
		out = out.move(a.x-nx-ex, a.y-ny-ey).line(b.x-nx+ex, b.y-ny+ey).line(b.x+nx+ex, b.y+ny+ey).line(a.x+nx-ex, a.y+ny-ey).close()
	}
	var start, at point
	for _, s := range p {
		switch s.op {
		case 'M':
			start, at = s.p[0], s.p[0]
		case 'L':
			segment(at, s.p[0])
			at = s.p[0]
		case 'Q', 'C':
			from, n := at, 10
			for i := 1; i <= n; i++ {
				next := s.along(from, float64(i)/float64(n))
				segment(at, next)
				at = next
			}
		case 'Z':
			segment(at, start)
			at = start
		}
	}
	return out
}

// along returns the point of a curve at t.
func (s step) along(from point, t float64) point {
	u := 1 - t
	if s.op == 'Q' {
		return point{u*u*from.x + 2*u*t*s.p[0].x + t*t*s.p[1].x, u*u*from.y + 2*u*t*s.p[0].y + t*t*s.p[1].y}
	}
	a, b, c, d := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
	return point{a*from.x + b*s.p[0].x + c*s.p[1].x + d*s.p[2].x, a*from.y + b*s.p[0].y + c*s.p[1].y + d*s.p[2].y}
}

// moved returns p transformed by m.
func (p path) moved(m affine) path {
	out := make(path, len(p))
	for i, s := range p {
		for j := range s.p {
			s.p[j] = m.at(s.p[j])
		}
		out[i] = s
	}
	return out
}

// Text.

var engraving = sync.OnceValue(func() *sfnt.Font {
	f, err := sfnt.Parse(gobold.TTF)
	if err != nil {
		panic(err) // the font is embedded
	}
	return f
})

// glyph returns the outline of a rune at a size of one unit with its baseline at the
// origin, and its advance.
func glyph(r rune) (path, float64) {
	var buffer sfnt.Buffer
	f := engraving()
	const em = 64
	index, err := f.GlyphIndex(&buffer, r)
	if err != nil {
		return nil, 0
	}
	advance, _ := f.GlyphAdvance(&buffer, index, fixed.I(em), 0)
	segments, err := f.LoadGlyph(&buffer, index, fixed.I(em), nil)
	if err != nil {
		return nil, 0
	}
	var p path
	at := func(q fixed.Point26_6) (float64, float64) { return float64(q.X) / 64 / em, float64(q.Y) / 64 / em }
	for i, s := range segments {
		x, y := at(s.Args[0])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				p = p.close()
			}
			p = p.move(x, y)
		case sfnt.SegmentOpLineTo:
			p = p.line(x, y)
		case sfnt.SegmentOpQuadTo:
			x1, y1 := at(s.Args[1])
			p = p.quad(x, y, x1, y1)
		}
	}
	return p.close(), float64(advance) / 64 / em
}

// text paints a line of text of a height, centred on (cx, y).
func (c *canvas) text(text string, cx, y, height float64, k ink) {
	var width float64
	var all path
	for _, r := range text {
		p, advance := glyph(r)
		all = append(all, p.moved(affine{height, 0, width, 0, height, 0})...)
		width += advance * height
	}
	c.fill(all.moved(affine{1, 0, cx - width/2, 0, 1, y}), flat(k))
}

// around paints text along a circle (flattened for one seen at a slant),
// centred on an angle.
func (c *canvas) around(text string, cx, cy, r, flattening, middle, height float64, k ink) {
	var width float64
	for _, letter := range text {
		_, advance := glyph(letter)
		width += advance * height * 1.12
	}
	var all path
	angle := middle - width/r/2
	for _, letter := range text {
		p, advance := glyph(letter)
		half := advance * height * 1.12 / r / 2
		angle += half
		sin, cos := math.Sincos(angle)
		all = append(all, p.moved(affine{1, 0, cx, 0, flattening, cy}.
			times(affine{-sin, -cos, r * cos, cos, -sin, r * sin}).
			times(affine{height, 0, -advance * height / 2, 0, height, 0}))...)
		angle += half
	}
	c.fill(all, flat(k))
}

// barrelAcross returns the look of a cylinder that lies across the picture.
func barrelAcross(top, bottom float64, k ink) paint {
	return linear(0, top, 0, bottom, stop{0, k.light(0.6)}, stop{0.18, k.light(1.3)}, stop{0.35, k.light(1.05)}, stop{0.8, k.light(0.6)}, stop{1, k.light(0.35)})
}
