// Command example searches a site and reads the first listing. The browser tests run it.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	secondlight "github.com/secondlight/secondlight/clients/go"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: example http://127.0.0.1:8080")
	}
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, server string) error {
	client, err := secondlight.NewClientWithResponses(server)
	if err != nil {
		return err
	}
	limit := 3
	found, err := client.SearchListingsWithResponse(ctx, &secondlight.SearchListingsParams{Limit: &limit})
	if err != nil {
		return err
	}
	if found.JSON200 == nil || len(found.JSON200.Listings) == 0 {
		return fmt.Errorf("search: %s: %s", found.Status(), found.Body)
	}
	listing, err := client.GetListingWithResponse(ctx, found.JSON200.Listings[0].Id.String(), nil)
	if err != nil {
		return err
	}
	if listing.JSON200 == nil {
		return fmt.Errorf("listing: %s: %s", listing.Status(), listing.Body)
	}
	fmt.Println(listing.JSON200.Title, listing.JSON200.Price.Amount, listing.JSON200.Price.Currency)
	return nil
}
