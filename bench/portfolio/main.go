//go:build linux

// Command portfolio measures the photographs of a site: what they weigh as JPEG and as AVIF, how long
// uploads take until their page can be used, and the memory of the server meanwhile.
//
//	go run ./bench/portfolio                    # 200 pictures, 1,000 uploads
//	go run ./bench/portfolio -uploads 100
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"

	"github.com/secondlight/secondlight/models/picture/codec"
)

func main() {
	pictures := flag.Int("pictures", 200, "pictures to compare; 0 compares none")
	uploads := flag.Int("uploads", 1000, "photographs to upload; 0 uploads none")
	flag.Parse()
	codec.LowPriority = false // nobody else waits for the encoder here
	fmt.Printf("%s, %d processors\n", runtime.Version(), runtime.GOMAXPROCS(0))
	if err := measure(context.Background(), *pictures, *uploads); err != nil {
		fmt.Fprintln(os.Stderr, "portfolio:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, pictures, uploads int) error {
	photographs, err := readPhotographs()
	if err != nil {
		return err
	}
	if pictures > 0 {
		if err := comparePictures(ctx, photographs, pictures); err != nil {
			return err
		}
		if err := weighPages(ctx, photographs); err != nil {
			return err
		}
	}
	if uploads > 0 {
		return upload(ctx, photographs, uploads)
	}
	return nil
}
