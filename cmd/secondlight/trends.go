package main

import (
	"fmt"

	"github.com/secondlight/secondlight/models/store"
)

type trendsCommand struct {
	Rebuild trendsRebuildCommand `cmd:"" help:"Recompute every trend from the raw sales, repair the ones that differ, and print them."`
}

type trendsRebuildCommand struct{}

func (trendsRebuildCommand) Run(c *console) error {
	return withStore(c, func(store *store.Store) error {
		checked, repaired, err := store.Prices.RebuildTrends(c.ctx)
		if err != nil {
			return err
		}
		for _, gear := range repaired {
			fmt.Fprintf(c.out, "repaired %s\n", gear)
		}
		fmt.Fprintf(c.out, "%d trends checked against the raw sales, %d repaired\n", checked, len(repaired))
		return nil
	})
}
