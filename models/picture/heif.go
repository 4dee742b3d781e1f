package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"io"
	"slices"
	"time"

	"github.com/secondlight/secondlight/models/picture/codec"
)

// HEIC and AVIF files are boxes in boxes. The box meta lists items, such as the tiles of a
// picture, its metadata and previews, where they are in the file, and their properties. Package
// codec decodes the picture, in a process of its own.

func init() {
	image.RegisterFormat("heif", "????ftyp", decodeHEIF, heifConfig)
}

// heif is what the header of a HEIC or AVIF says.
type heif struct {
	format   codec.Format
	sequence bool // an animation
	items    map[uint32]*heifItem
	primary  uint32
	props    [][]byte // boxes, with their heads
	tiles    []uint32 // of the primary item, if it is a grid
	end      uint64   // of the header in the file, in bytes
}

// heifItem is an item.
type heifItem struct {
	kind    string
	props   []int // counted from 1
	extents [][2]uint64
}

// Limits on a header. Pictures of 100 megapixels have about 400 tiles.
const (
	maxHeader  = 4 << 20 // bytes
	maxItems   = 4000
	maxExtents = 2 * maxItems // of all items
)

var errHEIF = errors.New("the header is damaged")

// box splits the first box off data. ok is false if there is none.
func box(data []byte) (kind string, body, rest []byte, ok bool) {
	if len(data) < 8 {
		return "", nil, nil, false
	}
	size, head := uint64(binary.BigEndian.Uint32(data)), uint64(8)
	switch {
	case size == 0:
		size = uint64(len(data))
	case size == 1 && len(data) >= 16:
		size, head = binary.BigEndian.Uint64(data[8:]), 16
	}
	if size < head || size > uint64(len(data)) {
		return "", nil, nil, false
	}
	return string(data[4:8]), data[head:size], data[size:], true
}

// readHEIF reads the header of a file. It skips the data of pictures before the header.
func readHEIF(r io.Reader) (*heif, error) {
	h := &heif{items: map[uint32]*heifItem{}}
	for first := true; ; first = false {
		head := make([]byte, 16)
		if _, err := io.ReadFull(r, head[:8]); err != nil {
			return nil, err
		}
		size, kind := uint64(binary.BigEndian.Uint32(head)), string(head[4:8])
		read := uint64(8)
		if size == 1 {
			if _, err := io.ReadFull(r, head[8:]); err != nil {
				return nil, err
			}
			size, read = binary.BigEndian.Uint64(head[8:]), 16
		}
		h.end += size
		if size < read || first != (kind == "ftyp") || size > 1<<40 {
			return nil, errHEIF
		}
		if kind != "ftyp" && kind != "meta" {
			if _, err := io.CopyN(io.Discard, r, int64(size-read)); err != nil {
				return nil, err
			}
			continue
		}
		if size > maxHeader {
			return nil, errHEIF
		}
		body := make([]byte, size-read)
		if _, err := io.ReadFull(r, body); err != nil {
			return nil, err
		}
		if kind == "meta" {
			return h, h.parse(body)
		}
		if h.sequence = len(body) >= 4 && slices.Contains([]string{"avis", "hevc", "hevx", "msf1"}, string(body[:4])); isAVIF(body) {
			h.format = codec.AVIF
		}
	}
}

// isAVIF reports whether the brands of a file are those of AVIF.
func isAVIF(brands []byte) bool {
	for at := 0; at+4 <= len(brands); at += 4 {
		if brand := string(brands[at : at+4]); at != 4 && (brand == "avif" || brand == "avis") {
			return true
		}
	}
	return false
}

// heifType returns the media type of a file that begins with a box ftyp, "" for others.
func heifType(data []byte) string {
	kind, brands, _, ok := box(data)
	if !ok || kind != "ftyp" || len(brands) < 8 {
		return ""
	}
	if isAVIF(brands) {
		return "image/avif"
	}
	for at := 0; at+4 <= len(brands); at += 4 {
		if slices.Contains([]string{"heic", "heix", "heim", "heis", "hevc", "hevx", "mif1"}, string(brands[at:at+4])) && at != 4 {
			return "image/heic"
		}
	}
	return ""
}

// parse reads the box meta.
func (h *heif) parse(meta []byte) error {
	if len(meta) < 4 {
		return errHEIF
	}
	boxes := map[string][]byte{}
	for rest := meta[4:]; len(rest) > 0; {
		kind, body, next, ok := box(rest)
		if !ok {
			return errHEIF
		}
		boxes[kind], rest = body, next
	}
	r := &fields{data: boxes["pitm"]}
	version := r.version()
	h.primary = r.id(version > 0)
	if r.failed {
		return errHEIF
	}
	if !h.readItems(boxes["iinf"]) || !h.readLocations(boxes["iloc"]) || !h.readReferences(boxes["iref"]) || !h.readProperties(boxes["iprp"]) || h.items[h.primary] == nil {
		return errHEIF
	}
	return nil
}

// readItems reads the box iinf.
func (h *heif) readItems(body []byte) bool {
	r := &fields{data: body}
	r.id(r.version() > 0)
	for rest := r.data; len(rest) > 0 && !r.failed; {
		kind, body, next, ok := box(rest)
		if !ok || len(h.items) >= maxItems {
			return false
		}
		rest = next
		item := &fields{data: body}
		version := item.version()
		if kind != "infe" || version < 2 {
			continue // of files that cameras don't write
		}
		id := item.id(version > 2)
		item.skip(2)
		h.items[id] = &heifItem{kind: string(item.bytes(4))}
		if item.failed {
			return false
		}
	}
	return !r.failed
}

// readLocations reads the box iloc.
func (h *heif) readLocations(body []byte) bool {
	r := &fields{data: body}
	version := r.version()
	sizes := r.number(2)
	offset, length, base, index := int(sizes>>12), int(sizes>>8&15), int(sizes>>4&15), int(sizes&15)
	if version == 0 {
		index = 0
	}
	count := r.id(version == 2)
	total := uint64(0)
	for range count {
		if r.failed {
			return false
		}
		id := r.id(version == 2)
		var method uint64
		if version > 0 {
			method = r.number(2) & 15
		}
		r.skip(2)
		from := r.number(base)
		var extents [][2]uint64
		n := r.number(2)
		if total += n; total > maxExtents {
			return false // they may have no bytes in the header
		}
		for range n {
			r.skip(index)
			extent := [2]uint64{from + r.number(offset), r.number(length)}
			if r.failed {
				return false
			}
			extents = append(extents, extent)
		}
		if item := h.items[id]; item != nil && method == 0 { // others are in meta itself
			item.extents = extents
		}
	}
	return !r.failed
}

// readReferences reads the tiles of the primary item out of the box iref.
func (h *heif) readReferences(body []byte) bool {
	if body == nil {
		return true
	}
	r := &fields{data: body}
	wide := r.version() > 0
	for rest := r.data; len(rest) > 0; {
		kind, body, next, ok := box(rest)
		if !ok {
			return false
		}
		rest = next
		reference := &fields{data: body}
		from := reference.id(wide)
		for range reference.number(2) {
			to := reference.id(wide)
			if reference.failed || len(h.tiles) > maxItems {
				return false
			}
			if kind == "dimg" && from == h.primary {
				h.tiles = append(h.tiles, to)
			}
		}
	}
	return !r.failed
}

// readProperties reads the box iprp.
func (h *heif) readProperties(body []byte) bool {
	for rest := body; len(rest) > 0; {
		kind, body, next, ok := box(rest)
		if !ok {
			return false
		}
		rest = next
		switch kind {
		case "ipco":
			for len(body) > 0 {
				_, _, next, ok := box(body)
				if !ok || len(h.props) >= maxItems {
					return false
				}
				h.props, body = append(h.props, body[:len(body)-len(next)]), next
			}
		case "ipma":
			if !h.readAssociations(body) {
				return false
			}
		}
	}
	return true
}

// readAssociations reads which items have which properties.
func (h *heif) readAssociations(body []byte) bool {
	r := &fields{data: body}
	head := r.number(4)
	size := 1 + int(head&1)
	for range r.number(4) {
		id := r.id(head>>24 > 0)
		for range r.number(1) {
			property := int(r.number(size)) & (1<<(8*size-1) - 1)
			if item := h.items[id]; item != nil && len(item.props) < maxItems {
				item.props = append(item.props, property)
			}
		}
		if r.failed {
			return false
		}
	}
	return !r.failed
}

// fields reads the fields of a box.
type fields struct {
	data   []byte
	failed bool
}

// bytes returns the next n bytes.
func (f *fields) bytes(n int) []byte {
	if n > len(f.data) {
		f.failed, f.data = true, nil
		return make([]byte, n)
	}
	field := f.data[:n]
	f.data = f.data[n:]
	return field
}

func (f *fields) skip(n int) { f.bytes(n) }

// number returns the next number of n bytes, 0 to 8.
func (f *fields) number(n int) (number uint64) {
	for _, b := range f.bytes(n) {
		number = number<<8 | uint64(b)
	}
	return number
}

// id returns the next number, of 4 bytes if it is wide, and otherwise of 2.
func (f *fields) id(wide bool) uint32 {
	if wide {
		return uint32(f.number(4))
	}
	return uint32(f.number(2))
}

// version returns the version of a box, and skips its flags.
func (f *fields) version() byte { return byte(f.number(4) >> 24) }

// property returns the body of a property of an item, nil if it has none.
func (h *heif) property(id uint32, kind string) []byte {
	for _, body := range h.properties(id, kind) {
		return body
	}
	return nil
}

// properties returns the bodies of the properties of a kind of an item.
func (h *heif) properties(id uint32, want string) (bodies [][]byte) {
	item := h.items[id]
	if item == nil {
		return nil
	}
	for _, n := range item.props {
		if n < 1 || n > len(h.props) {
			continue
		}
		if kind, body, _, _ := box(h.props[n-1]); kind == want {
			bodies = append(bodies, body)
		}
	}
	return bodies
}

// coded returns the size of the picture as it is coded.
func (h *heif) coded() (width, height int64) {
	r := &fields{data: h.property(h.primary, "ispe")}
	r.skip(4)
	return int64(r.number(4)), int64(r.number(4))
}

// cropped returns the size of the picture that its clean aperture leaves.
func (h *heif) cropped() (width, height int64) {
	width, height = h.coded()
	r := &fields{data: h.property(h.primary, "clap")}
	w, wd, ht, hd := r.number(4), r.number(4), r.number(4), r.number(4)
	if r.failed || wd == 0 || hd == 0 {
		return width, height
	}
	return max(1, min(width, int64(w/wd))), max(1, min(height, int64(ht/hd)))
}

// orientation returns how the picture is to be turned and mirrored, as an EXIF orientation.
func (h *heif) orientation() int {
	angle, mirror := 0, 2
	if turn := h.property(h.primary, "irot"); len(turn) > 0 {
		angle = int(turn[0] & 3)
	}
	if flip := h.property(h.primary, "imir"); len(flip) > 0 {
		mirror = int(flip[0] & 1)
	}
	return [3][4]int{{4, 5, 2, 7}, {2, 7, 4, 5}, {1, 8, 3, 6}}[mirror][angle]
}

// size returns the size of the picture as it is decoded: a HEIC is upright then.
func (h *heif) size() (width, height int64) {
	if h.format == codec.AVIF {
		return h.coded()
	}
	width, height = h.cropped()
	if h.orientation() >= 5 {
		return height, width
	}
	return width, height
}

// depth returns the bits of a sample that the file declares.
func (h *heif) depth() byte {
	deepest := byte(8)
	for _, id := range append([]uint32{h.primary}, h.tiles...) {
		if channels := h.property(id, "pixi"); len(channels) > 5 {
			deepest = max(deepest, channels[5])
		}
	}
	return deepest
}

// profile returns the ICC profile.
func (h *heif) profile() []byte {
	for _, colours := range h.properties(h.primary, "colr") {
		if len(colours) > 4 && len(colours) <= maxProfile && (string(colours[:4]) == "prof" || string(colours[:4]) == "rICC") {
			return colours[4:]
		}
	}
	return nil
}

// coding returns the matrix of the samples, by its number in ITU-T H.273, and whether they
// have the full range. Files that don't say it have what JPEGs have.
func (h *heif) coding() (matrix uint64, full bool) {
	for _, colours := range h.properties(h.primary, "colr") {
		r := &fields{data: colours}
		if string(r.bytes(4)) == "nclx" {
			r.skip(4)
			matrix = r.number(2)
			if full = r.number(1)>>7 == 1; !r.failed {
				return matrix, full
			}
		}
	}
	return bt601, true
}

// Matrices of H.273.
const (
	bt709  = 1
	bt601  = 6
	bt2020 = 9
)

// checkHEIF checks the header of a HEIC or AVIF, and that the file has what it refers to.
func checkHEIF(data []byte) (cost, error) {
	errDamaged := Refuse(ExportAgain, damaged)
	h, err := readHEIF(bytes.NewReader(data))
	switch {
	case err != nil:
		return cost{}, errDamaged
	case h.sequence:
		return cost{}, Refuse(ExportAgain, animated)
	}
	kind := h.items[h.primary].kind
	coded := []uint32{h.primary}
	if kind == "grid" && len(h.tiles) > 0 {
		coded = h.tiles
	}
	want := map[codec.Format]string{codec.HEIC: "hvc1", codec.AVIF: "av01"}[h.format]
	for _, id := range coded {
		item := h.items[id]
		switch {
		case item == nil:
			return cost{}, errDamaged
		case item.kind != want:
			return cost{}, Refuse(ExportAgain, "We can't decode this type of HEIC or AVIF.")
		case len(item.extents) == 0:
			return cost{}, errDamaged
		}
	}
	end, err := h.checkItems(data)
	if err != nil {
		return cost{}, err
	}
	width, height := h.size()
	if width <= 0 || height <= 0 {
		return cost{}, Refuse(ExportAgain, "The photo has no dimensions.")
	}
	return h.cost(int64(end)), checkRest(data[end:])
}

// checkItems checks that the items are in the file, and that those that are text are no
// programs. It returns where the last of them ends, or the header if that is later.
func (h *heif) checkItems(data []byte) (end uint64, err error) {
	end = h.end
	length := uint64(len(data))
	unread := 2 * length // items may share bytes, but not all of them
	for _, item := range h.items {
		for _, extent := range item.extents {
			from, to := extent[0], extent[0]+extent[1]
			if to < from || to > length || extent[1] > unread {
				return 0, Refuse(ExportAgain, damaged)
			}
			unread -= extent[1]
			end = max(end, to)
			if item.kind == "Exif" || item.kind == "mime" {
				if err := checkText(data[from:to]); err != nil {
					return 0, err
				}
			}
		}
	}
	return end, nil
}

// cost returns what decoding a file of a number of bytes takes, most of it in the process of package
// codec.
func (h *heif) cost(size int64) cost {
	width, height := h.coded()
	if width > maxSide || height > maxSide {
		return cost{pixels: 1 << 50, memory: 1 << 50, time: time.Hour}
	}
	c := cost{pixels: width * height, memory: width * height * heicMemory, time: time.Duration(width*height*perHEICPixel + size*perHEICByte), worker: true}
	if h.format == codec.AVIF {
		c.memory, c.time = width*height*avifMemory, time.Duration(width*height*perAVIFPixel)
	}
	if h.depth() > 8 {
		c.memory *= 2
	}
	return c
}

// Bytes of memory for a pixel of 8 bits in 4:4:4: its samples, copies that decoders keep, and one
// that is returned. AVIF is returned as RGB. Measured, and rounded up.
const (
	heicMemory = 10
	avifMemory = 24
)

func heifConfig(r io.Reader) (image.Config, error) {
	h, err := readHEIF(r)
	if err != nil {
		return image.Config{}, err
	}
	width, height := h.size()
	if width <= 0 || height <= 0 || width > maxSide || height > maxSide {
		return image.Config{}, errHEIF
	}
	return image.Config{ColorModel: color.YCbCrModel, Width: int(width), Height: int(height)}, nil
}

// decodeHEIF decodes a file that has passed Check.
func decodeHEIF(r io.Reader) (image.Image, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	h, err := readHEIF(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	end, err := h.checkItems(data)
	if err != nil {
		return nil, err
	}
	c := h.cost(int64(end))
	img, err := codec.Decode(context.Background(), codec.Request{Format: h.format, Memory: c.memory, Pixels: c.pixels, Data: data[:end]})
	if planes, ok := img.(*image.YCbCr); ok {
		toJPEG(planes, h)
	}
	return img, err
}

// toJPEG converts samples to those of JPEGs: full range, and the matrix of BT.601.
func toJPEG(img *image.YCbCr, h *heif) {
	matrix, full := h.coding()
	if !full {
		widen(img)
	}
	if change := matrices[matrix]; change != nil {
		change.convert(img)
	}
}

// matrixChange converts Y'CbCr of another matrix to that of BT.601, times 1 << 16: what luma
// takes of each chroma, and the chromas of each other.
type matrixChange struct{ lumaCb, lumaCr, cbCb, cbCr, crCb, crCr int }

var matrices = map[uint64]*matrixChange{
	bt709:  {lumaCb: 6657, lumaCr: 12850, cbCb: 64871, cbCr: -7252, crCb: -4748, crCr: 64448},
	bt2020: {lumaCb: 7726, lumaCr: 6915, cbCb: 65222, cbCr: -3903, crCb: -5511, crCr: 63997},
}

func (m *matrixChange) convert(img *image.YCbCr) {
	clamped := func(v int) uint8 { return uint8(max(0, min(255, v))) }
	const half = 1 << 15
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			chroma, luma := img.COffset(x, y), img.YOffset(x, y)
			cb, cr := int(img.Cb[chroma])-128, int(img.Cr[chroma])-128
			img.Y[luma] = clamped(int(img.Y[luma]) + (m.lumaCb*cb+m.lumaCr*cr+half)>>16)
		}
	}
	for at := range img.Cb {
		cb, cr := int(img.Cb[at])-128, int(img.Cr[at])-128
		img.Cb[at] = clamped(128 + (m.cbCb*cb+m.cbCr*cr+half)>>16)
		img.Cr[at] = clamped(128 + (m.crCb*cb+m.crCr*cr+half)>>16)
	}
}
