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
	frame := p.frame()
	p.backdrop(frame.at(point{500, p.foot()}).y - p.copy.between(50, 110))
	p.look(frame)
	p.props()
	switch {
	case p.isLens() && p.view == "glass":
		lensPainter{p}.fromFront()
	case p.isLens() && p.view == "mount":
		lensPainter{p}.fromBehind()
	case p.isLens():
		lensPainter{p}.whole()
	case p.view == "top":
		cameraPainter{p}.fromAbove()
	case p.view == "back":
		cameraPainter{p}.fromBehind()
	default:
		cameraPainter{p}.fromFront()
	}
	p.scuff()
	p.ambience()
}

// isLens reports whether the picture is of a lens, not of a camera.
func (d design) isLens() bool { return d.category.Family() == models.FamilyLens }

// foot returns the height at which the item stands on the table.
func (p *painter) foot() float64 {
	if p.isLens() {
		return lensPainter{p}.figure().foot()
	}
	return ground
}

// frame returns the transformation from the item to the picture.
func (p *painter) frame() affine {
	scale, turn := p.copy.between(0.84, 1.1), p.copy.between(-0.05, 0.05)
	switch {
	case p.isLens() && p.view == "detail":
		top := 385 - lensPainter{p}.figure().height*0.5
		return zoom(500+p.copy.between(-50, 10), top+p.copy.between(40, 110), p.copy.between(1.5, 1.9), p.copy.between(-0.28, -0.1))
	case p.view == "detail":
		at := pick(p.copy, []point{{470, 330}, {380, 320}, {600, 330}})
		return zoom(at.x, at.y, p.copy.between(1.75, 2.2), p.copy.between(-0.14, 0.14))
	case p.lies():
		turn := p.copy.between(1.15, 1.9)
		if p.copy.chance(0.5) {
			turn = -turn
		}
		return zoom(500, 385, scale*1.15, turn)
	case p.view == "glass" || p.view == "mount":
		return zoom(500+p.copy.between(-60, 60), 375+p.copy.between(-20, 20), scale, turn*2)
	case p.view == "top":
		return zoom(500, 375, scale*0.98, p.copy.between(-0.3, 0.3)).times(p.aboveFrame())
	case p.isLens():
		return zoom(500+p.copy.between(-110, 110), 385+p.copy.between(-16, 16), scale*1.12, 0)
	default:
		return zoom(500+p.copy.between(-45, 45), 385+p.copy.between(-12, 12), scale, 0).times(p.aside()).times(p.closeUp())
	}
}

// aside turns a camera a little to one side, about the line on which it stands.
func (p *painter) aside() affine {
	lean := p.copy.between(-0.075, 0.075)
	narrow := 1 - math.Abs(lean)
	return affine{narrow, 0, 500 * (1 - narrow), lean, 1, -500 * lean}
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
