package handlers

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

// PrivatePhoto returns the path of the photo in a response.
func privatePhoto(t *testing.T, answer map[string]any, at string) string {
	t.Helper()
	src, _ := get(t, answer, at).(string)
	_, file, ok := strings.Cut(src, "/photos/")
	if !ok {
		t.Fatalf("no photo at %s of %v", at, answer)
	}
	return "/photos/" + file
}

// seen tests who can see a photo.
func (s *testServer) seen(t *testing.T, path string, want map[*testMember]int) {
	t.Helper()
	for who, status := range want {
		var header []string
		name := "nobody"
		if who != nil {
			header, name = []string{"Cookie", who.cookie}, who.Handle
		}
		resp, _ := s.do(t, "GET", path, header...)
		if resp.StatusCode != status {
			t.Errorf("%s gets %d for %s, want %d", name, resp.StatusCode, path, status)
		}
		if status == 200 && !strings.HasPrefix(resp.Header.Get("Cache-Control"), "private") {
			t.Errorf("%s may be stored for everybody: %q", path, resp.Header.Get("Cache-Control"))
		}
	}
}

// TestPossession goes from the code to the badge, by the forms and by the API.
func TestPossession(t *testing.T) {
	t.Parallel()
	s, _ := photoMarket(t)
	ann, ben, op := s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember), s.join(t, "the-operator", models.RoleOperator)
	id := ann.draft(t, models.StatusActive, func(l *models.Listing) { l.Serial = "SN-4711" })
	at := "/api/listings/" + id + "/possession"
	if page := ann.read(t, "/sell/"+id); !strings.Contains(page, "Verify with a photo") || !strings.Contains(page, `action="/sell/`+id+`/possession"`) {
		t.Error("the editor doesn't offer a code")
	}
	ben.ask(t, "POST", at, "", 403)
	ben.ask(t, "GET", at, "", 404)
	if resp, _ := ann.post(t, "/sell/"+id+"/possession", ""); resp.StatusCode != 303 || resp.Header.Get("Location") != "/sell/"+id+"#possession" {
		t.Errorf("asking for a code is %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	code := ann.ask(t, "GET", at, "", 200)["possession_code"].(string)
	if page := ann.read(t, "/sell/"+id); !strings.Contains(page, code) {
		t.Error("the editor doesn't show the code")
	}

	for what, p := range map[string]part{"no picture": {"photo", "a.txt", "hello"}, "no file": {"other", "", ""}} {
		if resp, body := ann.postParts(t, "/sell/"+id+"/possession/photo", p); resp.StatusCode != 400 || !strings.Contains(body, `id="refused-send_possession"`) {
			t.Errorf("%s is %d", what, resp.StatusCode)
		}
	}
	resp, _ := ann.postParts(t, "/sell/"+id+"/possession/photo", jpegPart(t, "a.jpg", 640, 480), part{"show_photo", "", "true"})
	if resp.StatusCode != 303 {
		t.Fatalf("sending the photo is %d", resp.StatusCode)
	}
	sent := ann.ask(t, "GET", at, "", 200)
	photo := privatePhoto(t, sent, "photo.src")
	s.seen(t, photo, map[*testMember]int{nil: 404, ben: 404, ann: 200, op: 200})
	for _, path := range []string{"/listings/" + id, "/listings/" + id + ".json", "/listings/" + id + ".md"} {
		if _, body := s.do(t, "GET", path); strings.Contains(body, code) || strings.Contains(body, photo) || strings.Contains(body, "SN-4711") || strings.Contains(body, "verified") {
			t.Errorf("%s tells too much", path)
		}
	}

	queue := op.ask(t, "GET", "/api/checks", "", 200)
	if queue["waiting"] != 1. || get(t, queue, "possession.0.possession_code") != code || get(t, queue, "possession.0.serial") != "SN-4711" {
		t.Errorf("the queue is %v", queue)
	}
	page := op.read(t, "/account/moderation/checks")
	for _, want := range []string{code, photo[:len(photo)-8], "/account/moderation/checks/listings/" + id + "/possession"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of checks has no %q", want)
		}
	}
	if !strings.Contains(op.read(t, "/account/moderation"), "Checks: 1") {
		t.Error("the moderation queue doesn't say that something waits")
	}
	if resp, _ := op.post(t, "/account/moderation/checks/listings/"+id+"/possession", "decision=reject"); resp.StatusCode != 400 {
		t.Errorf("a rejection without a reason is %d", resp.StatusCode)
	}
	if resp, _ := op.post(t, "/account/moderation/checks/listings/"+id+"/possession", "decision=reject&note=The+code+is+blurred"); resp.StatusCode != 303 || resp.Header.Get("Location") != "/account/moderation/checks" {
		t.Errorf("rejecting is %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	if page := ann.read(t, "/sell/"+id); !strings.Contains(page, "The code is blurred") {
		t.Error("the seller doesn't learn why")
	}
	ann.ask(t, "POST", at+"/photo", `{"photo":"`+(&scene{T: t}).picture()+`","show_photo":true}`, 201)
	s.seen(t, photo, map[*testMember]int{ann: 404, op: 404}) // replaced
	ben.ask(t, "POST", at+"/review", `{"decision":"verify"}`, 403)
	if e := op.ask(t, "POST", at+"/review", `{"decision":"verify"}`, 200); e["action"] != "verify_possession" {
		t.Errorf("the entry is %v", e)
	}
	op.ask(t, "POST", at+"/review", `{"decision":"verify"}`, 409)

	eventually(t, "verified in search", func() bool {
		card := ben.ask(t, "GET", "/api/listings/search?seller=ann", "", 200)["listings"].([]any)
		return len(card) == 1 && card[0].(map[string]any)["verified_at"] != nil
	})
	for path, want := range map[string]string{"/listings/" + id: "Photo-verified", "/listings/" + id + ".md": "Photo-verified", "/listings/" + id + ".json": `"verified_at":"2026-11-21`, "/listings?seller=ann": "Photo-verified"} {
		if _, body := s.do(t, "GET", path); !strings.Contains(body, want) {
			t.Errorf("%s doesn't say %q", path, want)
		}
	}
	if photos := ann.ask(t, "GET", "/api/listings/"+id, "", 200)["photos"].([]any); len(photos) != 1 {
		t.Errorf("the listing has %d photos", len(photos))
	}
	ann.ask(t, "PATCH", "/api/listings/"+id, `{"serial":"SN-0815"}`, 200, "If-Match", "*")
	if l := ann.ask(t, "GET", "/api/listings/"+id, "", 200); l["verified_at"] != nil {
		t.Errorf("another item is verified at %v", l["verified_at"])
	}
}

// TestStolenGear reports a theft, which holds the listing of somebody else.
func TestStolenGear(t *testing.T) {
	t.Parallel()
	s, _ := photoMarket(t)
	ann, ben, op := s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember), s.join(t, "the-operator", models.RoleOperator)
	proof := jpegPart(t, "report.jpg", 640, 480)
	fields := func(change ...part) []part {
		parts := map[string]string{"gear": "canon eos r6", "serial": "sn 4711", "stolen_on": "2026-11-01", "place": "Berlin", "police_report": "261101-12"}
		for _, c := range change {
			parts[c.name] = c.content
		}
		list := []part{proof}
		for name, value := range parts {
			list = append(list, part{name, "", value})
		}
		return list
	}
	if resp, _ := s.do(t, "GET", "/stolen", "Accept", "text/html"); resp.StatusCode != 303 {
		t.Errorf("the form for nobody is %d", resp.StatusCode)
	}
	for _, wrong := range []part{{"serial", "", "n/a"}, {"stolen_on", "", "yesterday"}, {"stolen_on", "", "2027-01-01"}, {"place", "", ""}, {"police_report", "", strings.Repeat("x", 200)}} {
		if resp, body := ben.postParts(t, "/stolen", fields(wrong)...); resp.StatusCode != 400 || !strings.Contains(body, `value="261101-12"`) && wrong.name != "police_report" {
			t.Errorf("%s %q is %d", wrong.name, wrong.content, resp.StatusCode)
		}
	}
	if resp, _ := ben.postParts(t, "/stolen", fields()...); resp.StatusCode != 303 || resp.Header.Get("Location") != "/stolen" {
		t.Fatalf("reporting is %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	mine := ben.ask(t, "GET", "/api/stolen-reports", "", 200)
	if get(t, mine, "reports.0.gear") != "canon/eos-r6" || get(t, mine, "reports.0.status") != "open" {
		t.Errorf("reported as %v", mine)
	}
	s.seen(t, privatePhoto(t, mine, "reports.0.photo.src"), map[*testMember]int{nil: 404, ann: 404, ben: 200, op: 200})
	if others := ann.ask(t, "GET", "/api/stolen-reports", "", 200)["reports"].([]any); len(others) != 0 {
		t.Errorf("ann reads %v", others)
	}

	report := get(t, mine, "reports.0.id").(string)
	ben.ask(t, "POST", "/api/stolen-reports/"+report+"/review", `{"decision":"accept"}`, 403)
	if page := op.read(t, "/account/moderation/checks"); !strings.Contains(page, "261101-12") || !strings.Contains(page, "/account/moderation/checks/stolen/"+report) {
		t.Error("the page of checks doesn't have the report")
	}
	if e := op.ask(t, "POST", "/api/stolen-reports/"+report+"/review", `{"decision":"accept"}`, 200); e["action"] != "accept_stolen" {
		t.Errorf("the entry is %v", e)
	}

	id := ann.draft(t, models.StatusDraft, func(l *models.Listing) { l.Serial = "SN-4711" })
	resp, _ := ann.post(t, "/sell/"+id+"/publish", "without_photos=true")
	if resp.StatusCode != 303 || strings.Contains(strings.Join(resp.Header.Values("Set-Cookie"), " "), "notice=publish_draft") {
		t.Errorf("publishing is %d with %q", resp.StatusCode, resp.Header.Values("Set-Cookie"))
	}
	page := ann.read(t, resp.Header.Get("Location"))
	if !strings.Contains(page, "checking this listing") || strings.Contains(page, "stolen") || strings.Contains(page, "ben") || strings.Contains(page, report) {
		t.Errorf("the seller reads: %.2000s", page)
	}
	if l := ann.ask(t, "GET", "/api/listings/"+id, "", 200); l["status"] != "removed" || l["held"] != true {
		t.Errorf("the listing is %v", l["status"])
	}
	if resp, _ := s.do(t, "GET", "/listings/"+id); resp.StatusCode != 404 {
		t.Errorf("a held listing is %d", resp.StatusCode)
	}
	queue := op.ask(t, "GET", "/api/checks", "", 200)
	if get(t, queue, "held.0.listing.id") != id || get(t, queue, "held.0.reasons.0.reason") != "stolen" || get(t, queue, "held.0.reasons.0.report.id") != report {
		t.Errorf("the queue is %v", queue)
	}
	ann.ask(t, "POST", "/api/listings/"+id+"/hold/review", `{"decision":"release"}`, 403)
	op.ask(t, "POST", "/api/listings/"+id+"/hold/review", `{"decision":"burn"}`, 400)
	op.ask(t, "POST", "/api/listings/"+id+"/hold/review", `{"decision":"release","note":"it was returned"}`, 200)
	s.awaitListing(t, id, true)

	for range models.MaxStolenReports - 1 {
		if resp, _ := ben.postParts(t, "/stolen", fields()...); resp.StatusCode != 303 {
			t.Fatalf("another report is %d", resp.StatusCode)
		}
	}
	if resp, body := ben.postParts(t, "/stolen", fields()...); resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") == "" {
		t.Errorf("one too many is %d %.300s", resp.StatusCode, body)
	}

	reports, pages := map[any]bool{}, 0
	for at := "/api/checks?limit=3"; at != ""; pages++ {
		page := op.ask(t, "GET", at, "", 200)
		for _, r := range page["stolen"].([]any) {
			reports[r.(map[string]any)["id"]] = true
		}
		at = ""
		if next, ok := page["next_cursor"].(string); ok {
			at = "/api/checks?limit=3&cursor=" + url.QueryEscape(next)
		}
	}
	if want := models.MaxStolenReports - 1; len(reports) != want || pages != (want+2)/3 {
		t.Errorf("%d reports on %d pages, want %d", len(reports), pages, want)
	}
	if page := op.read(t, "/account/moderation/checks?limit=3"); !strings.Contains(page, `rel="next" href="/account/moderation/checks?limit=3&amp;cursor=`) {
		t.Errorf("the page doesn't lead to the next: %s", page[strings.Index(page, "<main"):])
	}
	op.ask(t, "GET", "/api/checks?cursor=soon", "", 400)
}

// TestHeldWords holds a listing for a word that a moderator listed, until it is released.
func TestHeldWords(t *testing.T) {
	t.Parallel()
	s, _ := photoMarket(t)
	ann, mo := s.join(t, "ann", models.RoleMember), s.join(t, "moe", models.RoleModerator)
	ann.ask(t, "GET", "/api/held-words", "", 403)
	if resp, _ := mo.post(t, "/account/moderation/words", "version=0&words=Western+Union%0D%0A%0D%0Ar%C3%A9plica%0D%0A"); resp.StatusCode != 303 || resp.Header.Get("Location") != "/account/moderation/words" {
		t.Fatalf("saving is %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	if resp, body := mo.post(t, "/account/moderation/words", "version=0&words=late"); resp.StatusCode != 412 || !strings.Contains(body, "has changed since") || !strings.Contains(body, "late") {
		t.Errorf("saving an old version is %d", resp.StatusCode)
	}
	if resp, body := mo.post(t, "/account/moderation/words", "version=1&words=%21%21"); resp.StatusCode != 400 || !strings.Contains(body, "at least one letter or digit") {
		t.Errorf("a word without letters is %d", resp.StatusCode)
	}
	if page := mo.read(t, "/account/moderation/words"); !strings.Contains(page, "Western Union\nréplica</textarea>") {
		t.Errorf("the page doesn't show the words: %.3000s", page)
	}
	if log := mo.ask(t, "GET", "/api/audit?type=edit_held_words", "", 200); get(t, log, "entries.0.note") != "2" {
		t.Errorf("the audit log has %v", log)
	}

	id := ann.draft(t, models.StatusDraft, func(l *models.Listing) { l.Serial, l.Text = "", "Boxed.\n\nPay by WESTERN union." })
	if resp, _ := ann.post(t, "/sell/"+id+"/publish", "without_photos=true"); resp.StatusCode != 303 {
		t.Fatalf("publishing is %d", resp.StatusCode)
	}
	if l := ann.ask(t, "GET", "/api/listings/"+id, "", 200); l["held"] != true {
		t.Errorf("the listing is %v", l["status"])
	}
	if resp, _ := s.do(t, "GET", "/listings/"+id); resp.StatusCode != 404 {
		t.Errorf("a held listing is %d", resp.StatusCode)
	}
	queue := mo.ask(t, "GET", "/api/checks", "", 200)
	if get(t, queue, "held.0.reasons.0.reason") != "word" || get(t, queue, "held.0.reasons.0.word") != "Western Union" || !strings.Contains(get(t, queue, "held.0.description").(string), "Pay by") {
		t.Errorf("the queue is %v", queue)
	}
	for accept, want := range map[string]string{"text/html": "Contains “Western Union”.", "text/markdown": "> Pay by WESTERN union."} {
		if _, body := s.do(t, "GET", "/account/moderation/checks", "Cookie", mo.cookie, "Accept", accept); !strings.Contains(body, want) {
			t.Errorf("%s has no %q: %.3000s", accept, want, body)
		}
	}
	for _, path := range []string{"/sell/" + id, "/listings/" + id + ".json", "/account"} {
		if page := ann.read(t, path); strings.Contains(page, `"word"`) || strings.Contains(page, "Contains “") {
			t.Errorf("%s says why it is held", path)
		}
	}
	mo.ask(t, "POST", "/api/listings/"+id+"/hold/review", `{"decision":"release"}`, 200)
	s.awaitListing(t, id, true)
}

// TestOddPhotos uploads photos whose files contradict the listing: only operators learn
// of it.
func TestOddPhotos(t *testing.T) {
	t.Parallel()
	s, _ := photoMarket(t)
	ann, op := s.join(t, "ann", models.RoleMember), s.join(t, "the-operator", models.RoleOperator)
	id := ann.draft(t, models.StatusDraft, func(l *models.Listing) { l.Serial = "SN-4711" })
	ifd0, exif := picturetest.Tags(picturetest.Exposure)
	ifd0 = append(ifd0, picturetest.Tag{ID: 0x0131, Value: "GIMP 2.10"})
	status, answer := ann.upload(t, id, part{"photo", "a.jpg", string(picturetest.With(picturetest.JPEG(t, 640, 480), picturetest.EXIF(ifd0, exif, nil)))})
	if status != 201 {
		t.Fatalf("%d %v", status, answer)
	}
	if queue := op.ask(t, "GET", "/api/checks", "", 200); queue["waiting"] != 0. {
		t.Errorf("a draft waits: %v", queue)
	}
	ann.ask(t, "POST", "/api/listings/"+id+"/publish", "", 200)
	s.awaitListing(t, id, true) // a note has no effect
	queue := op.ask(t, "GET", "/api/checks", "", 200)
	var notes []string
	for _, n := range get(t, queue, "photos.0.notes").([]any) {
		notes = append(notes, n.(map[string]any)["note"].(string))
	}
	if fmt.Sprint(notes) != "[edited other_serial]" {
		t.Errorf("noted %q", notes)
	}
	if strings.Contains(fmt.Sprint(queue), "SERIAL-0123456789") {
		t.Error("the serial number in the file is stored")
	}
	for _, path := range []string{"/listings/" + id + ".json", "/sell/" + id, "/account"} {
		if page := ann.read(t, path); strings.Contains(page, "GIMP") || strings.Contains(page, "other_serial") {
			t.Errorf("%s tells of the notes", path)
		}
	}
	op.ask(t, "POST", "/api/listings/"+id+"/photo-notes/close", `{"note":"a second body"}`, 200)
	op.ask(t, "POST", "/api/listings/"+id+"/photo-notes/close", `{}`, 409)
	if n, err := s.store.Moderation.CountChecks(context.Background()); err != nil || n.Total() != 0 {
		t.Errorf("%+v %v", n, err)
	}
}
