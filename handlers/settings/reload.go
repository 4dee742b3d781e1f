package settings

import (
	"context"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// Reload reads the settings and the texts of the site from the database and applies
// them. If they can't be read, those before stay. It reads them one call at a time, so that
// what was read first never replaces what was read after it.
func (s *Settings) Reload() {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), ReloadTime)
	defer cancel()
	set, version, err := s.Records.SiteSettings(ctx)
	if err != nil {
		s.Log.Error("read site settings", "err", err)
		return
	}
	demo, err := s.Store.Demo(ctx)
	if err != nil {
		s.Log.Error("read site settings", "err", err)
		return
	}
	wanted, err := s.Store.DemoWanted(ctx)
	if err != nil {
		s.Log.Error("read site settings", "err", err)
		return
	}
	rates, err := s.readRates(ctx)
	if err != nil {
		s.Log.Error("read exchange rates", "err", err)
		return
	}
	texts, err := s.readTexts(ctx)
	if err != nil {
		s.Log.Error("read texts of the site", "err", err)
		return
	}
	themes, refused := s.readThemes()
	s.Site.Use(set, ui.SiteState{Version: version, Demo: demo, Filling: wanted, Rates: rates, Themes: themes, Refused: refused})
	s.Demo.Wanted.Store(wanted)
	s.reloads.Add(1)
	s.OfferLanguages(LanguageTags(s.Site.Languages()))
	s.Texts.Store(texts)
	s.Pages.Use(LanguageCodes(s.Site.Languages()), s.Facts(), texts.written)
}

// readRates returns the last exchange rates.
func (s *Settings) readRates(ctx context.Context) (*models.Rates, error) {
	main, err := s.Prices.MainCurrency(ctx)
	if err != nil {
		return nil, err
	}
	return s.Prices.LatestRates(ctx, main, s.Convertible)
}

// ReloadTexts publishes what was scheduled, and reads the owner's files again.
func (s *Settings) ReloadTexts(ctx context.Context) error {
	if due := s.Texts.Load().due; due > 0 && due <= models.TimeOf(s.Clock()) {
		s.Reload()
	}
	return s.Pages.Reload(ctx)
}

// ReloadTime limits the time to read the settings again.
const ReloadTime = 5 * time.Second
