package picture

import (
	"bytes"
	"image"
	"strings"
	"time"

	"github.com/bep/imagemeta"
)

// Origin holds what a file says about where its picture comes from, for operators to
// compare with a listing. Missing values are zero.
type Origin struct {
	CameraSN    string // serial number of the camera
	LensSN      string // serial number of the lens
	Software    string // program that edits pixels or generates pictures, "" for others
	Generated   bool   // marked as made or changed by a generative model
	Fingerprint uint64 // perceptual hash of the picture, 0 if it has too little structure
}

// originTags lists the tags that are read, by imagemeta's names.
var originTags = map[string]bool{"SerialNumber": true, "BodySerialNumber": true, "LensSerialNumber": true, "Software": true}

// editors are programs that change what a picture shows, in lower case. Those that
// develop raw files, and the software of cameras and phones, are not among them.
var editors = []string{"photoshop", "gimp", "affinity photo", "pixelmator", "paint.net", "canva", "facetune", "faceapp", "photopea", "picsart", "remove.bg", "photoroom"}

// generators are programs that make pictures, in lower case.
var generators = []string{"midjourney", "dall-e", "dall·e", "stable diffusion", "comfyui", "automatic1111", "firefly", "imagen", "leonardo.ai", "invokeai", "novelai"}

// generatedMarks are how files say that a picture was made or changed by a generative
// model: in XMP and in C2PA manifests (IPTC digital source types), and in the text of
// PNGs.
var generatedMarks = [][]byte{[]byte("trainedAlgorithmicMedia"), []byte("compositeWithTrainedAlgorithmicMedia"), []byte("tEXtparameters\x00"), []byte("Made with Google AI")}

// readOrigin reads the metadata of a file that has passed Check.
func readOrigin(data []byte) (o Origin) {
	// An error means that the EXIF data is damaged; the picture may be fine.
	_, _ = imagemeta.Decode(imagemeta.Options{
		R: bytes.NewReader(data), ImageFormat: metadataFormat(Extension(data)), Sources: imagemeta.EXIF, LimitNumTags: 1000, LimitTagSize: 2000, Timeout: 5 * time.Second,
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool {
			return originTags[tag.Tag] && (tag.Namespace == "IFD0" || tag.Namespace == "IFD0/ExifIFDP")
		},
		HandleTag: func(tag imagemeta.TagInfo) error {
			o.set(tag.Tag, exifText(tag.Value))
			return nil
		},
	})
	for _, mark := range generatedMarks {
		o.Generated = o.Generated || bytes.Contains(data, mark)
	}
	return o
}

func (o *Origin) set(tag, text string) {
	switch tag {
	case "SerialNumber", "BodySerialNumber":
		o.CameraSN = text
	case "LensSerialNumber":
		o.LensSN = text
	case "Software":
		if names(text, generators) {
			o.Software, o.Generated = text, true
		} else if names(text, editors) {
			o.Software = text
		}
	}
}

// names reports whether a text names one of the programs.
func names(text string, programs []string) bool {
	text = strings.ToLower(text)
	for _, p := range programs {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// fingerprint returns the difference hash of a picture: for each of 8 by 8 squares,
// whether the next one to the right is brighter. Pictures that were resized or compressed
// again differ in few bits. It returns 0 for pictures with too little structure, such as
// blank walls, whose hashes mean nothing.
func fingerprint(img *image.YCbCr) (hash uint64) {
	const size = 8
	if b := img.Bounds(); b.Dx() <= size || b.Dy() <= size {
		return 0
	}
	small := Scale(img, size+1, size)
	contrast := 0
	for y := range size {
		for x := range size {
			left, right := int(small.Y[y*small.YStride+x]), int(small.Y[y*small.YStride+x+1])
			hash <<= 1
			if right > left {
				hash |= 1
			}
			if d := right - left; d > minContrast || d < -minContrast {
				contrast++
			}
		}
	}
	if contrast < minStructure {
		return 0
	}
	return hash
}

// A picture has structure if the luma of enough of its squares differs from that of the
// next one by more than a little, of 255.
const (
	minContrast  = 4
	minStructure = 20
)
