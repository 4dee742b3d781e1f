package demo

import (
	"bytes"
	"fmt"
	"image/jpeg"
	"math"
	"slices"

	"github.com/secondlight/secondlight/models"
)

// Draw draws a demonstration photograph and returns it as a JPEG with one of
// models.PhotoWidths and the aspect ratio 4:3. The same key always gives the same
// picture. It fails if no listing of Generate can have the key.
func Draw(key string, width int) ([]byte, error) {
	d, ok := parseKey(key)
	if !ok {
		return nil, fmt.Errorf("%q is not the key of a demonstration photograph", key)
	}
	if !slices.Contains(models.PhotoWidths, width) {
		return nil, fmt.Errorf("photographs are not %d pixels wide", width)
	}
	p := newPainter(d, width)
	p.draw()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, p.img, &jpeg.Options{Quality: 80}); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// IsKey reports whether key is a valid argument of Draw.
func IsKey(key string) bool {
	_, ok := parseKey(key)
	return ok
}

func (p *painter) draw() {
	p.backdrop()
	var frame affine
	scale, turn := p.copy.between(0.9, 1.08), p.copy.between(-0.05, 0.05)
	lens := p.category.Family() == models.FamilyLens
	switch {
	case lens && p.view == "detail":
		top := 385 - lensPainter{p}.figure().height*0.5
		frame = zoom(500+p.copy.between(-50, 10), top+p.copy.between(40, 110), p.copy.between(1.5, 1.9), p.copy.between(-0.28, -0.1))
	case p.view == "detail":
		at := pick(p.copy, []point{{470, 330}, {380, 320}, {600, 330}})
		frame = zoom(at.x, at.y, p.copy.between(1.75, 2.2), p.copy.between(-0.14, 0.14))
	case p.view == "top" || p.view == "glass" || p.view == "mount":
		frame = zoom(500, 375, scale*0.98, p.copy.between(-0.1, 0.1))
		if !lens {
			frame = frame.times(p.aboveFrame())
		}
	default:
		frame = zoom(500+p.copy.between(-35, 35), 385+p.copy.between(-12, 12), scale, turn)
		if !lens {
			frame = frame.times(p.closeUp())
		}
	}
	p.look(frame)
	switch {
	case lens && p.view == "glass":
		lensPainter{p}.fromFront()
	case lens && p.view == "mount":
		lensPainter{p}.fromBehind()
	case lens:
		lensPainter{p}.standing()
	case p.view == "top":
		cameraPainter{p}.fromAbove()
	case p.view == "back":
		cameraPainter{p}.fromBehind()
	default:
		cameraPainter{p}.fromFront()
	}
	p.scuff()
}

// aboveFrame brings a camera on the table near enough to fill the picture.
func (p *painter) aboveFrame() affine {
	switch {
	case p.flipsUp():
		return affine{1, 0, 0, 0, 1, 0}
	case p.category == "compact":
		return zoom(500, 345, 1.6, 0)
	default:
		return zoom(500, 372, 1.3, 0)
	}
}

// closeUp brings a camera near enough to fill the picture.
func (p *painter) closeUp() affine {
	switch p.category {
	case "dslr":
		if p.shape == 2 && p.view == "front" {
			return zoom(500, 378, 1.06, 0)
		}
		return zoom(500, 395, 1.2, 0)
	case "medium_format", "large_format", "instant":
		if p.category == mediumFormat && !p.flipsUp() {
			return zoom(500, 395, 1.14, 0)
		}
		return zoom(500, 382, 1.04, 0)
	case "action_cam":
		if p.shape != plain {
			return zoom(500, 380, 1.02, 0)
		}
		return zoom(500, 470, 1.6, 0)
	case "compact":
		if p.shape == bridge && p.view == "front" {
			return zoom(500, 400, 1.15, 0)
		}
		return zoom(500, 455, 1.4, 0)
	case "rangefinder":
		return zoom(500, 425, 1.26, 0)
	default:
		return zoom(500, 395, 1.2, 0)
	}
}

// backdrop draws a sweep of paper under a soft light.
func (p *painter) backdrop() {
	tones := []ink{rgb(246, 244, 240), rgb(232, 230, 226), rgb(240, 233, 222), rgb(222, 228, 234), rgb(212, 214, 214), rgb(236, 238, 240), rgb(226, 218, 206), rgb(198, 206, 212),
		rgb(206, 180, 150), rgb(184, 196, 178), rgb(166, 184, 202), rgb(212, 178, 160), rgb(146, 152, 160), rgb(196, 186, 204)}
	tone := pick(p.copy, tones)
	wall, floor := tone.light(p.copy.between(0.93, 0.99)), tone.light(1.03)
	lamp := point{p.copy.between(300, 560), p.copy.between(150, 330)}
	flatLay := p.view == "top" || p.view == "glass" || p.view == "mount" || p.view == "detail"
	sweep := newRamp([]stop{{0, wall.light(0.93)}, {0.55, wall}, {0.72, floor.light(0.97)}, {1, floor.light(0.95)}})
	if flatLay {
		sweep = newRamp([]stop{{0, floor}, {1, floor.light(0.95)}})
	}
	p.fill(box(-1, -1, canvasWidth+2, canvasHeight+2), func(x, y float64) ink {
		dx, dy := (x-lamp.x)/820, (y-lamp.y)/640
		k := sweep.at(y / canvasHeight)
		return k.light(1.02 - 0.18*min(dx*dx+dy*dy, 1.4))
	})
}

// scuff wears the edges of the drawing.
func (p *painter) scuff() {
	if p.wear < 2 {
		return
	}
	n := []int{0, 0, 3, 12, 34, 64, 40}[p.wear]
	for _, edge := range p.edges {
		points := edge.flat()
		if len(points) < 3 {
			continue
		}
		for range n / max(1, len(p.edges)/2) {
			i := 1 + p.copy.IntN(len(points)-1)
			a, b := points[i-1], points[i]
			t, length := p.copy.Float64(), p.copy.between(2, 5+2.5*float64(p.wear))
			d := math.Hypot(b.x-a.x, b.y-a.y)
			if d < 1 {
				continue
			}
			ux, uy := (b.x-a.x)/d, (b.y-a.y)/d
			x, y := a.x+(b.x-a.x)*t, a.y+(b.y-a.y)*t
			in := p.copy.between(0.5, 3)
			line := path{}.move(x-uy*-in-ux*length/2, y+ux*in-uy*length/2).line(x-uy*-in+ux*length/2, y+ux*in+uy*length/2)
			p.stroke(line, p.copy.between(0.8, 1.2+0.35*float64(p.wear)), flat(p.finish.bare.fade(p.copy.between(0.3, 0.8))))
		}
	}
}

// Parts.

// fromFront draws the front view, which every camera has.
func (p cameraPainter) fromFront() {
	if draw := figures[p.category][p.shape]; draw != nil {
		draw(figurePainter{p})
		return
	}
	switch p.category {
	case "mirrorless":
		if p.shape == 2 {
			p.flatTop()
		} else {
			p.systemCamera(p.shape == 1, false)
		}
	case "dslr":
		p.systemCamera(false, true)
	case "film_slr":
		if p.shape == 2 {
			p.systemCamera(false, true)
		} else {
			p.filmSLR()
		}
	case "rangefinder":
		p.rangefinder()
	case "medium_format":
		switch p.shape {
		case 1:
			p.twinLens()
		case 2:
			p.systemCamera(false, false)
		default:
			p.cube()
		}
	case "large_format":
		p.fieldCamera()
	case "instant":
		p.instantCamera()
	case "action_cam":
		p.actionCamera()
	default:
		p.compact()
	}
}
