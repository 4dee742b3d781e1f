package catalog

import (
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// mountName is a name of a mount as words of a title: "fujifilm", "x".
type mountName struct {
	words  []string
	mounts []string // that it may mean
	plain  bool     // it needs no word such as "mount" beside it
	maker  bool     // it is only the maker: "canon"
}

// plainMounts are names of mounts of one word that are nothing else in a title.
var plainMounts = models.WordSet("cy fourthirds mft m43 m42 m39 l39 ltm pk qbm adaptall")

// zeissMounts are letters that makers of lenses append to their names for a mount.
var zeissMounts = models.WordSet("ze zf zk zm vm")

// mountWords stand before or after the name of a mount.
var mountWords = models.WordSet("mount mounts mt fit fitting bajonett bayonet bayoneta baionetta anschluss monture montura attacco innesto")

func (r *Resolver) addMountName(written string, mounts []string) {
	words := r.words(written)
	branded := r.brands[words[0]] != ""
	name := mountName{words: words, mounts: mounts, plain: branded && len(words) > 1 || plainMounts[words[0]] || len(words) > 2 && words[0] == "micro" || plainMounts[joinWords(words)], maker: branded && len(words) == 1}
	r.mounts[words[0]] = append(r.mounts[words[0]], name)
}

// nameAt returns the longest name of a mount at a word of a title.
func (names titleMounts) nameAt(t *title, at int) (mountName, bool) {
	for _, name := range names[t.words[at].text] {
		if at+len(name.words) > len(t.words) {
			continue
		}
		same := true
		for i, w := range name.words[1:] {
			same = same && t.words[at+1+i].text == w
		}
		if same {
			return name, true
		}
	}
	return mountName{}, false
}

// readMounts marks the words that name the mount of a lens, and collects the mounts.
func (t *title) readMounts() {
	for i := 0; i < len(t.words); i++ {
		name, ok := t.r.mounts.nameAt(t, i)
		if !ok {
			continue
		}
		end := i + len(name.words)
		from, to := i, end
		if mountWords[t.text(end)] {
			to++
		} else if i > 0 && mountWords[t.text(i-1)] {
			from--
		}
		if beside := from < i || to > end; !t.isMount(name, i, end, beside) {
			continue
		}
		t.mounts = append(t.mounts, name.mounts...)
		t.markMount(from, to)
		i = to - 1
	}
}

// isMount reports whether the name of a mount at the words [from, to) is that of a lens that the
// title offers, and not a camera.
func (t *title) isMount(name mountName, from, to int, beside bool) bool {
	behind := t.focalEnd >= 0 && from > t.focalEnd || t.focalEnd < 0 && t.onlyLensesBefore(from)
	switch {
	case name.maker:
		return t.lensMakerBefore(from) && (beside || (behind || t.offered <= from) && !t.startsModel(to))
	case beside:
		return t.focalEnd >= 0 || t.lensMakerBefore(len(t.words))
	case !name.plain && !(zeissMounts[name.words[0]] && t.lensMakerBefore(from)):
		return false
	}
	return (behind || t.offered <= from) && !t.continuesModel(to) && (t.offered <= from || !t.addsMore(from-1))
}

// onlyLensesBefore reports whether a maker of lenses who makes no cameras is named before a word.
func (t *title) onlyLensesBefore(at int) bool {
	for _, w := range t.words[:at] {
		if w.brand != "" && t.r.lensMakers[w.brand] && !t.r.cameraMakers[w.brand] {
			return true
		}
	}
	return false
}

// continuesModel reports whether the word after the name of a mount makes it a camera.
func (t *title) continuesModel(i int) bool {
	w := t.text(i)
	return isGeneration(w) || w == "typ" || w == "body" || w == "camera" || models.IsNumber(w) && !t.words[i].quantity && !t.startsQuantity(i)
}

// lensMakerBefore reports whether a maker of lenses for other makers' cameras is named before a
// word.
func (t *title) lensMakerBefore(at int) bool {
	for _, w := range t.words[:at] {
		if w.brand != "" && t.r.lensMakers[w.brand] {
			return true
		}
	}
	return false
}

// markMount marks the words [from, to) as those of a mount. Its maker is that of the lens only
// if the title names no other.
func (t *title) markMount(from, to int) {
	other := false
	for i, w := range t.words[:min(t.offered, len(t.words))] {
		other = other || w.brand != "" && (i < from || i >= to)
	}
	for i := from; i < to; i++ {
		w := &t.words[i]
		if w.brand != "" && !other {
			continue
		}
		w.brand, w.series, w.mount, w.quantity = "", nil, true, true
	}
}

// fitsMounts reports whether a lens has one of the mounts that the title names.
func (t *title) fitsMounts(g *Gear) bool {
	for _, mount := range t.mounts {
		if strings.Contains(g.Mount, mount) && slices.Contains(g.Mounts(), mount) {
			return true
		}
	}
	return false
}

// isMountLetter reports whether a word of a lens name stands for one of the mounts that the title
// names: "ze" for Canon EF.
func (t *title) isMountLetter(w string) bool {
	for _, name := range t.r.mounts[w] {
		if len(name.words) == 1 && slices.ContainsFunc(name.mounts, func(mount string) bool { return slices.Contains(t.mounts, mount) }) {
			return true
		}
	}
	return false
}
