package models

import "math/bits"

// PhotoFacts is what the file of a listing's photo said when it was uploaded. Operators
// see notes made from it; nobody else does.
type PhotoFacts struct {
	Key         string // of the photo
	Camera      string // catalogue slug of the camera that took it, "" if unknown
	Lens        string // catalogue slug, "" if unknown
	CameraSN    string // serial number of the camera; only its hash is stored
	LensSN      string // serial number of the lens; only its hash is stored
	Software    string // program that edited the pixels, "" for none
	Generated   bool   // marked as made or changed by a generative model
	Fingerprint uint64 // perceptual hash, 0 if the picture has too little structure
}

// PhotoNote tells operators what is odd about a photo of a public listing. It proves
// nothing and has no effect.
type PhotoNote struct {
	ListingID string
	Key       string // of the photo
	Kind      PhotoNoteKind
	Detail    string // the program that edited it
	Subject   string // the other listing with the picture
	At        Time
	ClosedAt  Time // 0 while it waits for an operator
}

// PhotoNoteKind is what a note says.
type PhotoNoteKind string

// The kinds of notes.
const (
	PhotoSameModel   PhotoNoteKind = "same_model"   // taken with the very model for sale, which can't show itself
	PhotoSameSerial  PhotoNoteKind = "same_serial"  // taken with the very item: supports the seller, and never waits
	PhotoOtherSerial PhotoNoteKind = "other_serial" // taken with the model for sale, and another serial number than claimed
	PhotoEdited      PhotoNoteKind = "edited"
	PhotoGenerated   PhotoNoteKind = "generated"
	PhotoReused      PhotoNoteKind = "reused" // in a listing of another seller
)

// PhotoNoteKinds lists all kinds of notes.
var PhotoNoteKinds = []PhotoNoteKind{PhotoSameModel, PhotoSameSerial, PhotoOtherSerial, PhotoEdited, PhotoGenerated, PhotoReused}

// sameFingerprint is the number of bits in which the perceptual hashes of the same
// picture may differ, after it was resized or compressed again. With four bands of 16
// bits, one band is equal then.
const sameFingerprint = 3

// SimilarPictures reports whether two perceptual hashes are of the same picture.
func SimilarPictures(a, b uint64) bool {
	return a != 0 && b != 0 && bits.OnesCount64(a^b) <= sameFingerprint
}

// BandsOf splits a perceptual hash for the database; none for 0.
func BandsOf(fingerprint uint64) [4]any {
	var bands [4]any
	for i := range bands {
		if fingerprint != 0 {
			bands[i] = int64(fingerprint >> (16 * i) & 0xffff)
		}
	}
	return bands
}

// PhotoFactsRow is a row of photo_facts.
type PhotoFactsRow struct {
	ListingID                  string
	Key, Camera, Lens          string
	CameraHash, LensHash       string
	Software                   string
	Generated                  bool
	Band0, Band1, Band2, Band3 *int64
}

// Fingerprint returns the perceptual hash of the picture, 0 for none.
func (r *PhotoFactsRow) Fingerprint() (hash uint64) {
	for i, band := range []*int64{r.Band0, r.Band1, r.Band2, r.Band3} {
		if band != nil {
			hash |= uint64(*band) << (16 * i)
		}
	}
	return hash
}

// Notes returns what the facts say about a photo of a listing of gear, whose claimed
// serial number has a hash, "" for none.
func (r *PhotoFactsRow) Notes(gear, serialHash string) (notes []PhotoNote) {
	add := func(kind PhotoNoteKind, detail string) {
		notes = append(notes, PhotoNote{Key: r.Key, Kind: kind, Detail: detail})
	}
	read := ""
	switch gear {
	case "":
	case r.Camera:
		read = r.CameraHash
	case r.Lens:
		read = r.LensHash
	}
	switch {
	case gear == "" || gear != r.Camera && gear != r.Lens:
	case read == "" || serialHash == "":
		add(PhotoSameModel, "")
	case read == serialHash:
		add(PhotoSameSerial, "")
	default:
		add(PhotoOtherSerial, "")
	}
	if r.Generated {
		add(PhotoGenerated, r.Software)
	} else if r.Software != "" {
		add(PhotoEdited, r.Software)
	}
	return notes
}

// MaxAlt is the maximum length of the alternative text of a photo, in
// characters.
const MaxAlt = 300
