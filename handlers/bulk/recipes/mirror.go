//go:build ignore

// Mirror keeps a copy of the gear and the listings of a site in a file of JSON.
//
//	go run mirror.go https://secondlight.example copy.json [--once]
//
// It downloads the files of the night and then follows the changes since. It may be stopped at
// any time, and goes on where it was. With --once it ends when nothing more has changed.
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// copied is the copy: rows by slug and by id, and the cursor of the last change in it.
type copied struct {
	Cursor   string                     `json:"cursor"`
	Gear     map[string]json.RawMessage `json:"gear"`
	Listings map[string]json.RawMessage `json:"listings"`
}

// row has what is needed of gear and of a listing.
type row struct{ ID, Gear, Status string }

const pause = 5 * time.Second // between questions for changes

var site, file = strings.TrimSuffix(os.Args[1], "/"), os.Args[2]

// get returns the response to a request, which it repeats while the server is busy.
func get(path string) (status int, body []byte) {
	for {
		resp, err := http.Get(site + path)
		if err != nil {
			log.Fatal(err)
		}
		if body, err = io.ReadAll(resp.Body); err != nil {
			log.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 429 && resp.StatusCode < 500 {
			return resp.StatusCode, body
		}
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		time.Sleep(time.Duration(cmp.Or(seconds, 1)) * time.Second)
	}
}

func parse(text []byte, v any) {
	if err := json.Unmarshal(text, v); err != nil {
		log.Fatalf("%v: %.300s", err, text)
	}
}

// download returns a new copy: that of the night.
func download() *copied {
	var manifest struct {
		Cursor string
		Files  []struct{ Name, SHA256 string }
	}
	_, text := get("/data/manifest.json")
	parse(text, &manifest)
	c := &copied{manifest.Cursor, map[string]json.RawMessage{}, map[string]json.RawMessage{}}
	for _, f := range manifest.Files {
		if f.Name != "gear.jsonl.gz" && f.Name != "listings.jsonl.gz" {
			continue
		}
		_, packed := get("/data/" + f.Name)
		if sum := sha256.Sum256(packed); hex.EncodeToString(sum[:]) != f.SHA256 {
			return download() // there are new files
		}
		lines, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			log.Fatal(err)
		}
		for decoder := json.NewDecoder(lines); ; {
			var line json.RawMessage
			if err := decoder.Decode(&line); err == io.EOF {
				break
			} else if err != nil {
				log.Fatal(err)
			}
			var r row
			if parse(line, &r); r.ID == "" {
				c.Gear[r.Gear] = line
			} else {
				c.Listings[r.ID] = line
			}
		}
	}
	return c
}

// follow applies the next changes, and reports whether there are more.
func follow(c *copied) bool {
	status, text := get("/api/changes?limit=1000&since=" + c.Cursor)
	if status == http.StatusGone { // changes_expired: too long away, or the site was restored
		*c = *download()
		return true
	}
	var page struct {
		Changes    []row
		NextCursor string `json:"next_cursor"`
		HasMore    bool   `json:"has_more"`
	}
	parse(text, &page)
	var ids []string
	for _, change := range page.Changes {
		if change.ID != "" && !slices.Contains(ids, change.ID) {
			ids = append(ids, change.ID)
		}
	}
	for part := range slices.Chunk(ids, 100) {
		_, text := get("/api/listings?id=" + strings.Join(part, ","))
		var batch struct{ Listings []json.RawMessage }
		parse(text, &batch)
		for _, id := range part {
			delete(c.Listings, id)
		}
		for _, listing := range batch.Listings {
			var r row
			if parse(listing, &r); r.Status == "active" {
				c.Listings[r.ID] = listing
			}
		}
	}
	c.Cursor = page.NextCursor
	return page.HasMore
}

func main() {
	c := &copied{}
	if text, err := os.ReadFile(file); err == nil {
		parse(text, c)
	} else {
		c = download()
	}
	for {
		more := follow(c)
		text, err := json.Marshal(c)
		if err == nil {
			err = os.WriteFile(file+".new", text, 0o644)
		}
		if err == nil {
			err = os.Rename(file+".new", file)
		}
		if err != nil {
			log.Fatal(err)
		}
		if !more && slices.Contains(os.Args, "--once") {
			fmt.Println(len(c.Listings), "listings")
			return
		}
		if !more {
			time.Sleep(pause)
		}
	}
}
