package handlers

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/jpeg"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bep/imagemeta"

	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

// photoMarket returns a market with its own folder for photos.
func photoMarket(t testing.TB) (s *testServer, dir string) {
	dir = t.TempDir()
	return newMarketServer(t, func(c *Config) { c.DataDir = dir }), filepath.Join(dir, "photos")
}

// draft creates an empty draft of a member.
func (m *testMember) draft(t testing.TB, status models.Status, change ...func(*models.Listing)) string {
	t.Helper()
	l := &models.Listing{SellerID: m.ID, Title: "Canon EOS R6, boxed", Gear: "canon/eos-r6", Category: "mirrorless", Item: models.Item{Condition: "excellent", Functional: "untested"},
		Price: 100_000, Region: "DE", Status: status}
	for _, c := range change {
		c(l)
	}
	l.ID = models.NewID(testNow)
	l.CreatedAt, l.UpdatedAt = models.TimeOf(testNow), models.TimeOf(testNow)
	if status != models.StatusDraft {
		l.PublishedAt = l.CreatedAt
	}
	if err := m.server.store.Listings.InsertListings(context.Background(), []models.Listing{*l}); err != nil {
		t.Fatal(err)
	}
	return l.ID
}

// part is a part of a form. It is a file if it has a file name.
type part struct{ name, file, content string }

// form writes parts as a browser does.
func form(t testing.TB, parts ...part) (body, contentType string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		head := textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf(`form-data; name="%s"`, p.name)}}
		if p.file != "" {
			head.Set("Content-Disposition", head.Get("Content-Disposition")+`; filename="`+p.file+`"`)
			head.Set("Content-Type", "image/jpeg")
		}
		to, err := w.CreatePart(head)
		if err == nil {
			_, err = to.Write([]byte(p.content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	must(w.Close())
	return b.String(), w.FormDataContentType()
}

// upload sends parts to the photographs of a listing by the API.
func (m *testMember) upload(t testing.TB, id string, parts ...part) (int, map[string]any) {
	t.Helper()
	body, contentType := form(t, parts...)
	resp, text := m.server.send(t, "POST", "/api/listings/"+id+"/photos", body, "Authorization", "Bearer "+m.token, "Content-Type", contentType, "Accept", "application/json")
	var answer map[string]any
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatalf("%d %v: %s", resp.StatusCode, err, text)
	}
	return resp.StatusCode, answer
}

// postParts sends a form of several parts as the member's browser does.
func (m *testMember) postParts(t testing.TB, path string, parts ...part) (*http.Response, string) {
	t.Helper()
	body, contentType := form(t, parts...)
	return m.server.send(t, "POST", path, body, "Cookie", m.cookie, "Content-Type", contentType, "Accept", "text/html", "Sec-Fetch-Site", "same-origin")
}

// keysOf returns the keys and alternative texts of the photos in a response.
func keysOf(answer map[string]any) (keys, alts []string) {
	for _, p := range answer["photos"].([]any) {
		photo := p.(map[string]any)
		keys, alts = append(keys, photo["key"].(string)), append(alts, photo["alt"].(string))
	}
	return keys, alts
}

func jpegPart(t testing.TB, name string, w, h int) part {
	return part{"photo", name, string(picturetest.JPEG(t, w, h))}
}

func TestUploadAndServe(t *testing.T) {
	t.Parallel()
	s, dir := photoMarket(t)
	anna, boris := s.join(t, "anna", models.RoleMember), s.join(t, "boris", models.RoleMember)
	id := anna.draft(t, models.StatusDraft)
	status, answer := anna.upload(t, id, jpegPart(t, "a.jpg", 1600, 1200), part{"photo", "b.png", string(picturetest.PNG(t, picturetest.Image(300, 400)))},
		part{"alt", "", " The\tfront \n of it"}, part{"alt", "", ""})
	if status != 201 || answer["id"] != id || answer["photos_remaining"] != 10.0 || answer["version"] != 2.0 || answer["suggested_gear"] != nil {
		t.Fatalf("%d %v", status, answer)
	}
	keys, alts := keysOf(answer)
	if len(keys) != 2 || alts[0] != "The front of it" || alts[1] != "Photo 2 of Canon EOS R6, boxed" {
		t.Fatalf("%q %q", keys, alts)
	}

	address := "/photos/" + keys[1] + "-640.jpg"
	see := func(who string, want int, header ...string) *http.Response {
		t.Helper()
		resp, body := s.do(t, "GET", address, header...)
		if resp.StatusCode != want {
			t.Fatalf("%s gets %d for a photograph, want %d", who, resp.StatusCode, want)
		}
		if want == 200 {
			if img, err := jpeg.DecodeConfig(strings.NewReader(body)); err != nil || img.Width != 300 || img.Height != 400 {
				t.Errorf("%s sees %v %v", who, img, err)
			}
		}
		return resp
	}
	see("nobody", 404)
	see("another member", 404, "Authorization", "Bearer "+boris.token)
	see("another browser", 404, "Cookie", boris.cookie)
	see("a bad token", 404, "Authorization", "Bearer nonsense")
	see("the owner's program", 200, "Authorization", "Bearer "+anna.token)
	if resp := see("the owner", 200, "Cookie", anna.cookie); !strings.HasPrefix(resp.Header.Get("Cache-Control"), "private") || !strings.Contains(resp.Header.Get("Vary"), "Cookie") {
		t.Errorf("a draft's photo may be cached: %v", resp.Header)
	}
	if _, err := s.store.Listings.Advance(context.Background(), id, models.Move{Step: models.Publish, Seller: anna.ID}); err != nil {
		t.Fatal(err)
	}
	if resp := see("nobody, once it is public", 200); resp.Header.Get("Cache-Control") != web.CacheImmutable {
		t.Errorf("a public photo can't be cached: %v", resp.Header)
	}
	for _, width := range models.PhotoWidths {
		_, body := s.do(t, "GET", fmt.Sprintf("/photos/%s-%d.jpg", keys[0], width))
		if img, err := jpeg.DecodeConfig(strings.NewReader(body)); err != nil || img.Width != width || img.Height != width*3/4 {
			t.Errorf("width %d is %v %v", width, img, err)
		}
	}
	if resp, _ := s.do(t, "GET", "/photos/"+keys[0]+"-641.jpg"); resp.StatusCode != 404 {
		t.Errorf("a width there is not is %d", resp.StatusCode)
	}

	// Deleting a photo deletes its files, unless another listing uses them.
	other := anna.draft(t, models.StatusDraft)
	if status, _ := anna.upload(t, other, jpegPart(t, "the same.jpg", 1600, 1200)); status != 201 {
		t.Fatal(status)
	}
	for _, key := range keys {
		anna.ask(t, "DELETE", "/api/listings/"+id+"/photos/"+key, "", 200)
	}
	see("nobody, once it is deleted", 404)
	anna.ask(t, "DELETE", "/api/listings/"+id+"/photos/"+keys[0], "", 404)
	files, err := filepath.Glob(filepath.Join(dir, "*.jpg"))
	if err != nil || len(files) != len(models.PhotoWidths) || !strings.HasPrefix(filepath.Base(files[0]), keys[0]) {
		t.Errorf("left on the disk: %q, %v", files, err)
	}
	if resp, _ := s.do(t, "GET", "/photos/"+keys[0]+"-320.jpg"); resp.StatusCode != 404 {
		t.Errorf("the photograph of a draft is %d for nobody", resp.StatusCode)
	}

	// Other formats are served as JPEG, too.
	status, answer = anna.upload(t, other, part{"photo", "c.webp", string(picturetest.Sample(t, "quarters.webp"))}, part{"photo", "D.WEBP", string(picturetest.Sample(t, "transparent.webp"))},
		part{"photo", "IMG_0042.HEIC", string(picturetest.Sample(t, "quarters.heic"))}, part{"photo", "e.avif", string(picturetest.Sample(t, "quarters.avif"))})
	if status != 201 {
		t.Fatalf("%d %v", status, answer)
	}
	if keys, _ = keysOf(answer); len(keys) != 5 {
		t.Fatalf("%v", answer)
	}
	for _, key := range keys[1:] {
		resp, body := s.do(t, "GET", "/photos/"+key+"-320.jpg", "Cookie", anna.cookie)
		if img, err := jpeg.DecodeConfig(strings.NewReader(body)); err != nil || img.Width != 320 || strings.Contains(body, "Exif") {
			t.Errorf("%d %v %v", resp.StatusCode, img, err)
		}
	}
}

// TestWhoMayUpload tests that only its seller can see a draft.
func TestWhoMayUpload(t *testing.T) {
	t.Parallel()
	s, dir := photoMarket(t)
	anna, boris := s.join(t, "anna", models.RoleMember), s.join(t, "boris", models.RoleMember)
	draft, active, sold := anna.draft(t, models.StatusDraft), anna.draft(t, models.StatusActive), anna.draft(t, models.StatusSold)
	photo := jpegPart(t, "a.jpg", 30, 20)
	for _, c := range []struct {
		who    *testMember
		id     string
		status int
		code   string
	}{
		{boris, draft, 404, "listing_not_found"}, {boris, active, 403, "not_yours"}, {anna, sold, 409, "wrong_status"},
		{anna, "019aa7d2-7c00-7000-8000-000000000000", 404, "listing_not_found"}, {anna, "..%2f..%2fetc", 404, "listing_not_found"},
		{anna, draft, 201, ""}, {anna, active, 201, ""},
	} {
		status, answer := c.who.upload(t, c.id, photo)
		if code, _ := answer["code"].(string); status != c.status || code != c.code {
			t.Errorf("%s to %s is %d %s, want %d %s", c.who.Handle, c.id, status, code, c.status, c.code)
		}
	}
	body, contentType := form(t, photo)
	if resp, _ := s.send(t, "POST", "/api/listings/"+draft+"/photos", body, "Content-Type", contentType); resp.StatusCode != 401 {
		t.Errorf("nobody is %d", resp.StatusCode)
	}
	if resp, _ := boris.postParts(t, "/sell/"+draft+"/photos", photo); resp.StatusCode != 404 {
		t.Errorf("another member's browser is %d", resp.StatusCode)
	}
	if resp, _ := anna.postParts(t, "/sell/"+draft+"/photos", photo); resp.StatusCode != 303 || resp.Header.Get("Location") != "/sell/"+draft+"#photographs" {
		t.Errorf("the owner's browser is led by %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	boris.ask(t, "GET", "/api/listings/"+active+"/photos", "", 404)
	key, _ := keysOf(anna.ask(t, "GET", "/api/listings/"+draft+"/photos", "", 200))
	boris.ask(t, "DELETE", "/api/listings/"+draft+"/photos/"+key[0], "", 404)
	boris.ask(t, "DELETE", "/api/listings/"+active+"/photos/"+key[0], "", 403)
	boris.ask(t, "PATCH", "/api/listings/"+draft+"/photos", `{"alt":["mine"]}`, 404)
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != len(models.PhotoWidths) {
		t.Errorf("on the disk: %q", files)
	}
}

// TestBadUploads sends invalid files, each together with a valid one: the error names
// the file and the reason, and the listing is unchanged.
func TestBadUploads(t *testing.T) {
	t.Parallel()
	s, dir := photoMarket(t)
	anna := s.join(t, "anna", models.RoleMember)
	id := anna.draft(t, models.StatusDraft)
	good := jpegPart(t, "good.jpg", 30, 20)
	for what, bad := range picturetest.Bad(t) {
		if len(bad.Data) == 0 {
			continue // a file that was not chosen
		}
		status, answer := anna.upload(t, id, good, part{"photo", bad.Name, string(bad.Data)})
		message, _ := answer["message"].(string)
		if status != 400 || !strings.HasPrefix(message, bad.Name+": ") || !strings.Contains(message, bad.Want) || answer["hint"] == "" {
			t.Errorf("%s: %d %v", what, status, answer)
		}
	}
	thin := part{"photo", "thin.jpg", string(picturetest.JPEG(t, 600, 20))}
	if status, answer := anna.upload(t, id, thin); status != 400 || !strings.Contains(answer["message"].(string), "too narrow") {
		t.Errorf("a narrow picture: %d %v", status, answer)
	}
	bomb := part{"photo", "bomb.png", string(picturetest.Bomb(30_000, 30_000))}
	status, answer := anna.upload(t, id, bomb, good, bomb)
	if errors, _ := answer["errors"].([]any); status != 400 || len(errors) != 2 {
		t.Errorf("two bombs: %d %v", status, answer)
	}
	if answer := anna.ask(t, "GET", "/api/listings/"+id+"/photos", "", 200); answer["photos_remaining"] != 12.0 || answer["version"] != 1.0 {
		t.Errorf("the listing is not as it was: %v", answer)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 0 {
		t.Errorf("left on the disk: %q", files)
	}
}

// TestFileNames tests that file names can't be used for path traversal.
func TestFileNames(t *testing.T) {
	t.Parallel()
	s, dir := photoMarket(t)
	anna := s.join(t, "anna", models.RoleMember)
	id := anna.draft(t, models.StatusDraft)
	data := string(picturetest.JPEG(t, 30, 20))
	for _, name := range []string{"../../../../tmp/x.jpg", `..\\..\\x.jpg`, "/etc/passwd.jpg", "..", ".", "x.jpg%00.php", strings.Repeat("x", 5000) + ".jpg", "<script>alert(1)</script>.jpg",
		"C:\\\\autoexec.jpg", "\u202egpj.exe.jpg", "a\\\"b.jpg", "con.jpg"} {
		status, answer := anna.upload(t, id, part{"photo", name, data})
		if message, _ := answer["message"].(string); status != 201 && (status != 400 || len(message) > 300 || strings.Contains(message, "..\\") || strings.Contains(message, "../")) {
			t.Errorf("%.40q is %d %v", name, status, answer)
		}
	}
	for _, name := range []string{"a\x00.jpg", "a\x01b.jpg", "a\xff.jpg"} {
		body, contentType := form(t, part{"photo", name, data})
		resp, text := s.send(t, "POST", "/api/listings/"+id+"/photos", body, "Authorization", "Bearer "+anna.token, "Content-Type", contentType)
		if resp.StatusCode != 201 && (resp.StatusCode < 400 || resp.StatusCode >= 500) || !bind.ValidText(text) {
			t.Errorf("%q is %d %s", name, resp.StatusCode, text)
		}
	}
	var files []string
	must(filepath.WalkDir(filepath.Dir(dir), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != "site.id" {
			files = append(files, path)
		}
		return err
	}))
	if len(files) != len(models.PhotoWidths) {
		t.Errorf("one picture under many names is stored as %q", files)
	}
	for _, file := range files {
		if _, _, ok := picture.ParseFileName(filepath.Base(file)); !ok || filepath.Dir(file) != dir {
			t.Errorf("stored as %s", file)
		}
	}
}

// TestMetadataIsGone reads the bytes that are served: nothing of what the camera
// wrote, nor what an editor added, is in them. What it wrote names the gear.
func TestMetadataIsGone(t *testing.T) {
	t.Parallel()
	s, _ := photoMarket(t)
	anna := s.join(t, "anna", models.RoleMember)
	id := anna.draft(t, models.StatusActive, func(l *models.Listing) { l.Gear, l.Title = "", "Camera" })
	ifd0, exif := picturetest.Tags(picturetest.Exposure)
	segment := func(marker byte, text string) []byte {
		return append([]byte{0xff, marker, byte((len(text) + 2) >> 8), byte(len(text) + 2)}, text...)
	}
	data := picturetest.With(picturetest.JPEG(t, 1400, 900), picturetest.EXIF(ifd0, exif, picturetest.Munich))
	data = picturetest.With(data, segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00<x:xmpmeta><rdf>SECRET-XMP</rdf></x:xmpmeta>"))
	data = picturetest.With(data, segment(0xfe, "SECRET-COMMENT"))
	data = picturetest.With(data, segment(0xed, "Photoshop 3.0\x008BIM SECRET-IPTC"))
	data = append(data, picturetest.JPEG(t, 160, 120)...) // a preview behind it
	status, answer := anna.upload(t, id, part{"photo", "IMG_1.JPG", string(data)})
	if status != 201 || answer["suggested_gear"] != "canon/eos-r6" {
		t.Fatalf("%d %v", status, answer)
	}
	keys, _ := keysOf(answer)
	for _, width := range models.PhotoWidths {
		_, body := s.do(t, "GET", fmt.Sprintf("/photos/%s-%d.jpg", keys[0], width))
		img, err := jpeg.DecodeConfig(strings.NewReader(body))
		if err != nil || img.Height <= img.Width {
			t.Errorf("orientation 6 is not applied: %d × %d, %v", img.Width, img.Height, err)
		}
		for _, never := range []string{"Exif", "SERIAL", "SECRET", "Canon", "GPS", "http", "Photoshop", "8BIM", "xmp"} {
			if strings.Contains(body, never) {
				t.Errorf("width %d carries %s", width, never)
			}
		}
		_, err = imagemeta.Decode(imagemeta.Options{R: strings.NewReader(body), ImageFormat: imagemeta.JPEG, Sources: imagemeta.EXIF | imagemeta.XMP | imagemeta.IPTC,
			ShouldHandleTag: func(imagemeta.TagInfo) bool { return true },
			HandleTag:       func(tag imagemeta.TagInfo) error { t.Errorf("width %d carries the tag %s", width, tag.Tag); return nil }})
		if err != nil {
			t.Error(err)
		}
		for at := 2; body[at+1] != 0xda; at += 2 + int(body[at+2])<<8 + int(body[at+3]) {
			if m := body[at+1]; m >= 0xe0 && m <= 0xef || m == 0xfe {
				t.Errorf("width %d has a segment %x", width, m)
			}
		}
	}
	// The form offers the gear that the photograph says, to be taken with a button.
	other := anna.draft(t, models.StatusDraft, func(l *models.Listing) { l.Gear, l.Title = "", "Camera" })
	resp, _ := anna.postParts(t, "/sell/"+other+"/photos", part{"photo", "IMG_1.JPG", string(data)})
	if to := resp.Header.Get("Location"); to != "/sell/"+other+"?suggested_gear=canon%2Feos-r6#photographs" {
		t.Errorf("the form leads to %d %s", resp.StatusCode, to)
	}
	if page := anna.read(t, "/sell/"+other+"?suggested_gear=canon%2Feos-r6"); !strings.Contains(page, "Yes, use this model") {
		t.Error("the form does not offer what the photograph says")
	}
	if resp, _ := anna.post(t, "/sell/"+other, "if_match=2&gear=canon%2Feos-r6"); resp.StatusCode != 303 {
		t.Errorf("taking what the photograph says is %d", resp.StatusCode)
	}
	if page := anna.read(t, "/sell/"+other+"?suggested_gear=canon%2Feos-r6"); strings.Contains(page, "Yes, use this model") || !strings.Contains(page, "Canon EOS R6") {
		t.Error("what the photograph says was not taken, or is offered again")
	}
	// By itself, before there is a listing; in a form and as base64.
	photo := base64.StdEncoding.EncodeToString(data)
	gear := anna.ask(t, "POST", "/api/gear-by-photo", `{"photo":"data:image/jpeg;base64,`+photo+`"}`, 200)
	if suggested := gear["suggested"].([]any); len(suggested) != 2 || suggested[0].(map[string]any)["gear"] != "canon/eos-r6" || strings.Contains(fmt.Sprint(gear), "SERIAL") {
		t.Errorf("the gear of a photograph is %v", gear)
	}
	plain := base64.StdEncoding.EncodeToString(picturetest.JPEG(t, 30, 20))
	if answer := anna.ask(t, "POST", "/api/gear-by-photo", `{"photo":"`+plain+`"}`, 400); !strings.Contains(answer["message"].(string), "which camera") {
		t.Errorf("a photograph that says nothing is %v", answer)
	}
}

// TestArrangePhotos puts photos in order in every format.
func TestArrangePhotos(t *testing.T) {
	t.Parallel()
	s, _ := photoMarket(t)
	anna := s.join(t, "anna", models.RoleMember)
	id := anna.draft(t, models.StatusActive)
	var files []string
	for i := range 3 {
		files = append(files, `"`+base64.StdEncoding.EncodeToString(picturetest.JPEG(t, 40+10*i, 40))+`"`)
	}
	answer := anna.ask(t, "POST", "/api/listings/"+id+"/photos", `{"photo":[`+strings.Join(files, ",")+`],"alt":["one, with a comma","","three"]}`, 201)
	keys, alts := keysOf(answer)
	a, b, c := keys[0], keys[1], keys[2]
	if strings.Join(alts, "|") != "one, with a comma|Photo 2 of Canon EOS R6, boxed|three" {
		t.Fatalf("%q", alts)
	}
	patch := "/api/listings/" + id + "/photos"
	steps := []struct{ body, keys, alts string }{
		{`{"photos":["` + c + `","` + a + `","` + b + `"]}`, c + a + b, "three|one, with a comma|Photo 3 of Canon EOS R6, boxed"},
		{`{"alt":["","<b>&amp;\"'","b"]}`, c + a + b, `Photo 1 of Canon EOS R6, boxed|<b>&amp;"'|b`},
		{`{"earlier":"` + b + `"}`, c + b + a, `Photo 1 of Canon EOS R6, boxed|b|<b>&amp;"'`},
		{`{"later":"` + c + `"}`, b + c + a, `b|Photo 2 of Canon EOS R6, boxed|<b>&amp;"'`},
		{`{"later":"` + a + `"}`, b + c + a, `b|Photo 2 of Canon EOS R6, boxed|<b>&amp;"'`},
		{`{"photos":["` + a + `","` + b + `","` + c + `"],"alt":["x","x",""]}`, a + b + c, "x|x|Photo 3 of Canon EOS R6, boxed"},
	}
	for _, step := range steps {
		keys, alts := keysOf(anna.ask(t, "PATCH", patch, step.body, 200))
		if strings.Join(keys, "") != step.keys || strings.Join(alts, "|") != step.alts {
			t.Errorf("%s: %q %q", step.body, keys, alts)
		}
	}
	for _, wrong := range []string{`{"photos":["` + a + `"]}`, `{"photos":["` + a + `","` + b + `","` + c + `","0"]}`, `{"alt":["one"]}`, `{"earlier":"nothing"}`, `{"photos":"../../x"}`, `{"order":["x"]}`,
		`{"alt":["` + strings.Repeat("x", models.MaxAlt+1) + `","",""]}`} {
		anna.ask(t, "PATCH", patch, wrong, 400)
	}
	resp, _ := s.do(t, "GET", patch, "Authorization", "Bearer "+anna.token)
	etag := resp.Header.Get("Etag")
	anna.ask(t, "PATCH", patch, `{"earlier":"`+c+`"}`, 200, "If-Match", etag)
	anna.ask(t, "PATCH", patch, `{"earlier":"`+c+`"}`, 412, "If-Match", etag)
	anna.ask(t, "PATCH", patch, `{"earlier":"`+c+`"}`, 412, "If-Match", "nonsense")

	// The form of a browser: the order in which it sends the keys, a button, and what leads back.
	form := "photos=" + b + "&alt=bee&photos=" + a + "&alt=&photos=" + c + "&alt=sea&later=" + a
	if resp, text := anna.post(t, "/sell/"+id+"/photos/order", form); resp.StatusCode != 303 || resp.Header.Get("Location") != "/sell/"+id+"#photographs" {
		t.Errorf("the form leads to %d %s %.300s", resp.StatusCode, resp.Header.Get("Location"), text)
	}
	_, markdown := s.do(t, "GET", "/listings/"+id+".md")
	at := func(text string) int { return strings.Index(markdown, text) }
	if !(at("![«bee»]") > 0 && at("![«bee»]") < at("![«sea»]") && at("![«sea»]") < at("![«Photo 3 of Canon EOS R6, boxed»]")) {
		t.Errorf("the listing's Markdown has %s", markdown)
	}
	_, html := s.do(t, "GET", "/listings/"+id)
	for _, alt := range []string{`alt="bee"`, `alt="sea"`, `alt="Photo 3 of Canon EOS R6, boxed"`} {
		if !strings.Contains(html, alt) {
			t.Errorf("the page lacks %s", alt)
		}
	}
	if resp, _ := anna.post(t, "/sell/"+id, "remove="+a); resp.StatusCode != 303 || resp.Header.Get("Location") != "/sell/"+id+"#photographs" {
		t.Errorf("deleting is %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	if keys, _ := keysOf(anna.ask(t, "GET", patch, "", 200)); strings.Join(keys, "") != b+c {
		t.Errorf("left are %q", keys)
	}
}

// TestPhotosByTool does the same through an agent's tools.
func TestPhotosByTool(t *testing.T) {
	t.Parallel()
	s, _ := photoMarket(t)
	anna := s.join(t, "anna", models.RoleMember)
	id := anna.draft(t, models.StatusDraft)
	call := func(tool, arguments string) map[string]any {
		t.Helper()
		_, text := s.send(t, "POST", "/api/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`}}`,
			"Authorization", "Bearer "+anna.token, "Content-Type", "application/json", "Accept", "application/json, text/event-stream", "MCP-Protocol-Version", "2025-11-25")
		_, data, _ := strings.Cut(text, "data: ")
		var answer map[string]any
		if err := json.Unmarshal([]byte(data), &answer); err != nil {
			t.Fatalf("%s: %v: %.300s", tool, err, text)
		}
		result, _ := answer["result"].(map[string]any)
		if result == nil || result["isError"] == true {
			t.Fatalf("%s: %v", tool, answer)
		}
		return result["structuredContent"].(map[string]any)
	}
	// More than an ordinary request may bring: a large photograph as base64.
	noise := picturetest.JPEG(t, 60, 40)
	for i := range 60 {
		comment := append([]byte{0xff, 0xfe, 0xfd, 0xe8}, bytes.Repeat([]byte{byte('a' + i%20)}, 65_000-2)...)
		noise = picturetest.With(noise, comment)
	}
	one, two := base64.StdEncoding.EncodeToString(noise), base64.StdEncoding.EncodeToString(picturetest.JPEG(t, 50, 40))
	if len(one) < 4<<20 {
		t.Fatal("the test's photograph is too small")
	}
	keys, _ := keysOf(call("manage_photos", `{"action":"add","id":"`+id+`","photo":["`+one+`","`+two+`"]}`))
	call("manage_photos", `{"action":"arrange","id":"`+id+`","photos":["`+keys[1]+`","`+keys[0]+`"],"alt":["two",""]}`)
	call("manage_photos", `{"action":"remove","id":"`+id+`","photo":"`+keys[0]+`"}`)
	if left, alts := keysOf(call("manage_photos", `{"action":"list","id":"`+id+`"}`)); len(left) != 1 || left[0] != keys[1] || alts[0] != "two" {
		t.Errorf("left are %q %q", left, alts)
	}
}

// TestUploadsAtOnce tests that concurrent uploads are all stored, up to the limit of a
// listing.
func TestUploadsAtOnce(t *testing.T) {
	t.Parallel()
	s, dir := photoMarket(t)
	anna := s.join(t, "anna", models.RoleMember)
	id := anna.draft(t, models.StatusActive)
	const senders = models.MaxPhotos + 4
	statuses := make([]int, senders)
	var all sync.WaitGroup
	for i := range senders {
		photo := jpegPart(t, "a.jpg", 40+i, 40)
		all.Go(func() { statuses[i], _ = anna.upload(t, id, photo) })
	}
	all.Wait()
	taken := 0
	for _, status := range statuses {
		if status == 201 {
			taken++
		} else if status != 400 {
			t.Errorf("one of many is %d", status)
		}
	}
	keys, _ := keysOf(anna.ask(t, "GET", "/api/listings/"+id+"/photos", "", 200))
	files, _ := filepath.Glob(filepath.Join(dir, "*.jpg"))
	if taken != models.MaxPhotos || len(keys) != models.MaxPhotos || len(files) != models.MaxPhotos*len(models.PhotoWidths) {
		t.Errorf("%d were taken, the listing has %d, the disk %d files", taken, len(keys), len(files))
	}
	if status, answer := anna.upload(t, id, jpegPart(t, "one more.jpg", 99, 40)); status != 400 || !strings.Contains(answer["message"].(string), "at most 12") {
		t.Errorf("one more is %d %v", status, answer)
	}
}

// TestUploadLimits tests that only members may send large bodies, and only to
// operations that accept files.
func TestUploadLimits(t *testing.T) {
	t.Parallel()
	s, _ := photoMarket(t)
	anna := s.join(t, "anna", models.RoleMember)
	id := anna.draft(t, models.StatusDraft)
	photos, form, five := "/api/listings/"+id+"/photos", "/sell/"+id+"/photos", 5<<20
	for _, c := range []struct {
		what, path, credentials string
		length, want            int
	}{
		{"nobody", photos, "", five, 413},
		{"a bad token", photos, "Authorization: Bearer sl_nonsense", five, 413},
		{"a bad session", form, "Cookie: " + s.SessionCookie() + "=nonsense", five, 413},
		{"elsewhere", "/api/tokens", "Authorization: Bearer " + anna.token, five, 413},
		{"a member", photos, "Authorization: Bearer " + anna.token, five, 415},
		{"a member's browser", form, "Cookie: " + anna.cookie, five, 415},
		{"too much of a member", photos, "Authorization: Bearer " + anna.token, 32<<20 + 1, 413},
	} {
		head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: secondlight.example\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n", c.path, c.length)
		if c.credentials != "" {
			head += c.credentials + "\r\n"
		}
		body := ""
		if c.want != 413 { // that is said before the body is here
			body = strings.Repeat("x", c.length)
		}
		conn, err := s.dial()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, head+"\r\n"+body); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || resp.StatusCode != c.want {
			t.Errorf("%s: %v %v, want %d", c.what, resp, err, c.want)
		}
		conn.Close()
	}
}

// TestMalformedForms tests that a malformed form is a client error.
func TestMalformedForms(t *testing.T) {
	t.Parallel()
	s, _ := photoMarket(t)
	anna := s.join(t, "anna", models.RoleMember)
	id := anna.draft(t, models.StatusDraft)
	whole, contentType := form(t, jpegPart(t, "a.jpg", 30, 20))
	_, boundary, _ := strings.Cut(contentType, "boundary=")
	var many []part
	for range 20 + 1 {
		many = append(many, jpegPart(t, "a.jpg", 9, 9))
	}
	tooMany, manyType := form(t, many...)
	notThere, notThereType := form(t, part{"foto", "a.jpg", "x"})
	empty, emptyType := form(t, part{"photo", "a.jpg", ""})
	for what, c := range map[string][2]string{
		"cut off": {whole[:len(whole)/2], contentType}, "no end": {whole[:len(whole)-8], contentType}, "no boundary": {whole, "multipart/form-data"},
		"another boundary": {whole, "multipart/form-data; boundary=other"}, "a boundary that is none": {whole, `multipart/form-data; boundary="` + strings.Repeat("x", 200) + `"`},
		"no part": {"--" + boundary + "--\r\n", contentType}, "empty": {"", contentType}, "garbage": {"\x00\xff\xfe", contentType}, "mixed": {whole, "multipart/mixed; boundary=" + boundary},
		"a head without end": {"--" + boundary + "\r\nContent-Disposition: form-data; name=\"photo\"", contentType},
		"a huge head":        {"--" + boundary + "\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\n", contentType},
		"too many files":     {tooMany, manyType}, "another name": {notThere, notThereType}, "an empty file": {empty, emptyType},
		"no base64": {`{"photo":"not base64!"}`, "application/json"}, "a photograph of numbers": {`{"photo":[1,2]}`, "application/json"},
	} {
		resp, text := s.send(t, "POST", "/api/listings/"+id+"/photos", c[0], "Authorization", "Bearer "+anna.token, "Content-Type", c[1])
		if resp.StatusCode < 400 || resp.StatusCode >= 500 || !strings.Contains(text, `"hint"`) {
			t.Errorf("%s: %d %s", what, resp.StatusCode, text)
		}
	}
}

// TestSweep tests that unused photos are deleted, but not those being uploaded.
func TestSweep(t *testing.T) {
	t.Parallel()
	s, dir := photoMarket(t)
	anna := s.join(t, "anna", models.RoleMember)
	id, gone := anna.draft(t, models.StatusDraft), anna.draft(t, models.StatusDraft)
	_, used := anna.upload(t, id, jpegPart(t, "a.jpg", 30, 20))
	_, left := anna.upload(t, gone, jpegPart(t, "a.jpg", 40, 20))
	if _, err := s.store.Listings.Advance(context.Background(), gone, models.Move{Step: models.Discard, Seller: anna.ID}); err != nil {
		t.Fatal(err)
	}
	usedKeys, _ := keysOf(used)
	leftKeys, _ := keysOf(left)
	fresh := strings.Repeat("ab", 16)
	for name, age := range map[string]time.Duration{fresh: 0, usedKeys[0]: 48 * time.Hour, leftKeys[0]: 48 * time.Hour} {
		for _, width := range models.PhotoWidths {
			file := filepath.Join(dir, fmt.Sprintf("%s-%d.jpg", name, width))
			if age == 0 {
				must(os.WriteFile(file, []byte("x"), 0o600))
			}
			must(os.Chtimes(file, testNow.Add(-age), testNow.Add(-age)))
		}
	}
	other := filepath.Join(dir, "0123456789abcdef-480.jpg") // of the portfolio
	must(os.WriteFile(other, []byte("x"), 0o600))
	must(os.Chtimes(other, testNow.Add(-1e6*time.Second), testNow.Add(-1e6*time.Second)))
	must(s.uploads.Sweep(context.Background(), true))
	for file, want := range map[string]bool{usedKeys[0] + "-320.jpg": true, leftKeys[0] + "-320.jpg": false, leftKeys[0] + "-1280.jpg": false, fresh + "-640.jpg": true, filepath.Base(other): true} {
		if _, err := os.Stat(filepath.Join(dir, file)); (err == nil) != want {
			t.Errorf("%s: %v, want it to exist: %v", file, err, want)
		}
	}
}

// FuzzFileName tests that every file name becomes short and printable.
func FuzzFileName(f *testing.F) {
	for _, seed := range []string{"../x.jpg", "", ".", "..", `C:\photos\x.jpg`, "a\x00b.jpg", "\xff\xfe", strings.Repeat("é", 200)} {
		f.Add(seed, 0)
	}
	f.Fuzz(func(t *testing.T, file string, i int) {
		if name := input.FileName(file, i); name == "" || !bind.ValidText(name) || strings.ContainsAny(name, "/\\\n") || len([]rune(name)) > 70 {
			t.Errorf("%q is called %q", file, name)
		}
	})
}
