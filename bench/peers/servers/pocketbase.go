//go:build linux

package main

import (
	"context"

	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

// openPocketBase opens PocketBase as its guide for production says, without the log of requests.
func openPocketBase(folder string) (*pocketbase.PocketBase, error) {
	app := pocketbase.NewWithConfig(pocketbase.Config{DefaultDataDir: folder, HideStartBanner: true})
	if err := app.Bootstrap(); err != nil {
		return nil, err
	}
	if err := app.RunAllMigrations(); err != nil {
		return nil, err
	}
	app.Settings().Logs.MaxDays = 0
	return app, app.Save(app.Settings())
}

// newListings returns a collection that everybody may read, with an index for each filter.
func newListings() *core.Collection {
	c := core.NewBaseCollection("listings")
	c.ListRule = types.Pointer("")
	for _, name := range []string{"brand", "category", "family", "condition", "country"} {
		c.Fields.Add(&core.TextField{Name: name})
		c.AddIndex("by_"+name, false, name+", price", "")
	}
	c.Fields.Add(&core.TextField{Name: "words"}, &core.NumberField{Name: "price"}, &core.NumberField{Name: "published"}, &core.JSONField{Name: "card"})
	c.AddIndex("by_price", false, "price", "")
	c.AddIndex("by_published", false, "published", "")
	return c
}

func loadPocketBase(folder string, listings []listing) error {
	app, err := openPocketBase(folder)
	if err != nil {
		return err
	}
	collection := newListings()
	if err := app.Save(collection); err != nil {
		return err
	}
	err = app.RunInTransaction(func(tx core.App) error {
		for i := range listings {
			l := &listings[i]
			record := core.NewRecord(collection)
			record.Load(map[string]any{"words": l.Words, "brand": l.Brand, "category": l.Category, "family": l.Family, "condition": l.Condition,
				"country": l.Country, "price": l.Price, "published": l.Published, "card": types.JSONRaw(l.Card)})
			if err := tx.Save(record); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if _, err := app.DB().NewQuery("PRAGMA optimize=0x10002").Execute(); err != nil {
		return err
	}
	return app.ResetBootstrapState()
}

func servePocketBase(ctx context.Context, folder, address string) error {
	app, err := openPocketBase(folder)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- apis.Serve(app, apis.ServeConfig{HttpAddr: address}) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return app.ResetBootstrapState()
	}
}
