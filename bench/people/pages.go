//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// pageRounds is how often the first and the last of the pages are requested, within pageTime at most.
const (
	pageRounds = 50
	pageTime   = 5 * time.Second
)

// list is what a member or an operator pages through.
type list struct {
	name, path, token string
}

func (s *site) lists() []list {
	return []list{
		{"audit log", "/api/audit?", s.operator.token},
		{"audit log of an operator", "/api/audit?member=" + s.operator.handle, s.operator.token},
		{"members", "/api/admin/members?", s.operator.token},
		{"members with a keyword", "/api/admin/members?keyword=person-12", s.operator.token},
		{"members who moderate", "/api/admin/members?role=operator", s.operator.token},
		{"contact messages", "/api/admin/contact?", s.operator.token},
		{"conversations", "/api/conversations?", s.seller.token},
		{"messages", "/api/conversations/" + s.conversation() + "?", s.seller.token},
		{"changes", "/api/changes?limit=100", s.seller.token},
		{"saved searches", "/api/searches?", s.seller.token},
		{"watchlist", "/api/watchlist?", s.seller.token},
		{"watchers", "/api/listings/" + s.listing + "/watchers?", s.seller.token},
		{"account", "/api/me?", s.seller.token},
		{"dashboard of an operator", "/api/admin?", s.operator.token},
		{"email that is not sent", "/api/admin/mail?", s.operator.token},
	}
}

// conversation returns the id of the conversation with many messages.
func (s *site) conversation() string {
	var id string
	_ = s.db.QueryRow(`SELECT md5('conversation1')::uuid::text`).Scan(&id) // a failure shows in the next request
	return id
}

// pages measures the first and the hundredth page of all lists.
func (s *site) pages(ctx context.Context) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "list\tfirst page, p50 p99 ms\tpage\tp50 p99 ms")
	for _, l := range s.lists() {
		last, n := l.path, 1
		for began := time.Now(); n < 100 && time.Since(began) < 4*pageTime; {
			next, err := s.next(ctx, last, &l)
			if err != nil {
				return err
			}
			if next == "" {
				break
			}
			last, n = next, n+1
		}
		first, err := s.latency(ctx, l.path, &l)
		if err != nil {
			return err
		}
		later, err := s.latency(ctx, last, &l)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\n", l.name, first, n, later)
	}
	return w.Flush()
}

// next returns the path of the page after another, "" if it is the last.
func (s *site) next(ctx context.Context, path string, l *list) (string, error) {
	status, text, err := s.send(ctx, http.MethodGet, path, l.token, "")
	if err != nil || status != http.StatusOK {
		return "", fmt.Errorf("GET %s: status %d: %.300s: %w", path, status, text, err)
	}
	var page struct {
		Cursor string `json:"next_cursor"`
	}
	if err := json.Unmarshal(text, &page); err != nil || page.Cursor == "" {
		return "", err
	}
	name := "cursor"
	if strings.HasPrefix(l.path, "/api/changes") {
		name = "since"
	}
	return l.path + "&" + name + "=" + url.QueryEscape(page.Cursor), nil
}

// latency measures requests of a page.
func (s *site) latency(ctx context.Context, path string, l *list) (string, error) {
	var times []time.Duration
	for all := time.Now(); len(times) < pageRounds && time.Since(all) < pageTime; {
		began := time.Now()
		if _, _, err := s.send(ctx, http.MethodGet, path, l.token, ""); err != nil {
			return "", err
		}
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	return fmt.Sprintf("%.1f %.1f", times[len(times)/2].Seconds()*1e3, times[len(times)*99/100].Seconds()*1e3), nil
}
