package catalog

import (
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// Resolve identifies the gear offered by a title. It reads at most maxTitle
// bytes.
func (r *Resolver) Resolve(text string) Resolution { return r.read(r.parseTitle(text)) }

// Recorded identifies the lens that a camera recorded under a name. Cameras name the version.
func (r *Resolver) Recorded(name string) Resolution {
	t := r.parseTitle(name)
	t.recorded = true
	return r.read(t)
}

func (r *Resolver) read(t *title) Resolution {
	if len(t.words) <= longestName && !strings.Contains(t.raw, " +") { // "XPan + 45mm f/4"
		if g := r.whole(t.plain); g != nil && !(claim{t, g}).namesOtherMaker() && (t.recorded || (claim{t, g}).complete()) {
			return Resolution{g, confidence(1), ReasonName}
		}
	}
	switch {
	case t.video():
		return Resolution{Reason: ReasonVideo}
	case t.wanted():
		return Resolution{Reason: ReasonWanted}
	case t.lot():
		return Resolution{Reason: ReasonLot}
	}
	found := t.doubt(r.resolve(t))
	found.Confidence = confidence(found.Confidence)
	return found
}

// within reports whether all matches are that lens, or part of its name with the
// given words: "xpan" in "XPan 45mm f/4".
func (t *title) within(matches []match, gear *Gear, lens wordList) bool {
	for _, m := range matches {
		if m.gear == gear {
			continue
		}
		for _, w := range t.words[m.from:m.to] {
			if w.brand == "" && !lens.has(w.text) {
				return false
			}
		}
	}
	return true
}

func (m match) resolution() Resolution {
	switch {
	case m.bare:
		return Resolution{m.gear, 0.8, ReasonBare}
	case m.code:
		return Resolution{m.gear, 0.9, ReasonCode}
	}
	return Resolution{m.gear, 0.97, ReasonName}
}

// bodies returns the distinct gear named in a title: that named with its brand
// or series or, if there is none, the rest.
func (r *Resolver) bodies(t *title) []match {
	var all []match
	for i := 0; i < t.offered; {
		m, ok := r.longestMatch(t, i)
		if !ok {
			i++
			continue
		}
		if n := len(all); n > 0 && all[n-1].to == m.from {
			m.bare = m.bare && all[n-1].bare
			if !t.hasDigit(all[n-1]) {
				all = all[:n-1] // "digital rebel" before "t3i" is only its prefix
			}
		}
		all = append(all, m)
		i = m.to
	}
	all = camerasFirst(all)
	branded := distinct(all, false)
	if len(branded) > 0 {
		return append(branded, t.others(all, branded)...)
	}
	return distinct(all, true)
}

// camerasFirst omits lenses if there are cameras, which are sold with them.
func camerasFirst(all []match) []match {
	cameras := slices.DeleteFunc(slices.Clone(all), func(m match) bool { return m.gear.Category.Family() == models.FamilyLens })
	if len(cameras) > 0 {
		return cameras
	}
	return all
}

func distinct(all []match, bare bool) []match {
	var out []match
next:
	for _, m := range all {
		if m.bare != bare {
			continue
		}
		for _, other := range out {
			if other.gear == m.gear {
				continue next
			}
		}
		out = append(out, m)
	}
	return out
}

// longestMatch returns the longest name that starts at a word.
func (r *Resolver) longestMatch(t *title, from int) (match, bool) {
	end := from
	named := t.words[from].brand != "" // then numbers may be part of the name: "rolleiflex 2.8f"
	for end < t.offered && end < from+maxNameWords && end != t.focalEnd && (!t.words[end].quantity || named && !t.isMillimetres(end) && !t.isZoom(end) && !t.isBareZoom(end)) {
		end++
	}
	for to := end; to > from; to-- {
		key := t.joined[t.words[from].start:t.words[to-1].end]
		if t.mayBeQuantity(to-1) && to-1 > from && !(t.isFocal(to) && slices.ContainsFunc(r.names[key], spelling.isLens)) && t.onlyGear(r.names[t.joined[t.words[from].start:t.words[to-2].end]], from, to-1, "") != nil {
			continue // in "1d 4 15 mp" the 4 belongs to 4.15 megapixels
		}
		if later, end := t.shortGeneration(key, to); end > 0 {
			if g := t.onlyGear(r.names[later], from, end, ""); g != nil {
				return match{gear: g, from: from, to: end, bare: t.bare(from, end)}, true
			}
		}
		if g := t.onlyGear(r.names[key], from, to, ""); g != nil {
			return match{gear: g, from: from, to: to, bare: t.bare(from, to)}, true
		}
		if !t.kits && !strings.HasSuffix(key, "plus") {
			continue
		}
		for cut := len(key) - 1; cut > 0 && key[cut] >= 'a' && key[cut] <= 'z' && len(key)-cut <= maxKitSuffix; cut-- {
			if g := t.onlyGear(r.names[key[:cut]], from, to, key[cut:]); g != nil {
				return match{gear: g, from: from, to: to, bare: t.bare(from, to), code: true}, true
			}
		}
	}
	return match{}, false
}

// onlyGear returns the gear that the words [from, to) can mean, or nil if there
// is none or more than one.
func (t *title) onlyGear(spellings []spelling, from, to int, letters string) *Gear {
	var written, derived *Gear
	var clash, derivedClash bool
	for _, s := range spellings {
		switch {
		case letters != "" && !isKitSuffix(s.gear, letters), !t.allows(s.gear, from, to), from > 0 && otherRegion(s.region, t.words[from-1].text):
		case s.derived:
			derivedClash = derivedClash || derived != nil && derived != s.gear
			derived = s.gear
		default:
			clash = clash || written != nil && written != s.gear
			written = s.gear
		}
	}
	switch {
	case written != nil && !clash:
		return written
	case written == nil && !derivedClash:
		return derived
	}
	return nil
}

// regionalSeries are names of one series of Canon's in three regions, with different model numbers: the
// IXUS 510 HS is the ELPH 530 HS.
var regionalSeries = []string{"", "elph", "ixus", "ixy"}

// otherRegion reports whether the word before a name is the series of another region than that of the
// name.
func otherRegion(region uint8, before string) bool {
	i := slices.Index(regionalSeries, before)
	return region > 0 && i > 0 && i != int(region)
}
