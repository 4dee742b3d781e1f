package codec_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models/picture/codec"
)

// TestModules compares the modules with those that README.md names.
func TestModules(t *testing.T) {
	for name, want := range map[string]string{"heif.wasm.gz": "3634a6447ea3915633667f39e01ff540a60f4e2f837a8391d044d76dfd8a0435", "avif.wasm.gz": "1ee2423413384d54b3fa4e2882424d60a2a05f5fe7ec573535fdb6b531071a9b"} {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(file); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s has the checksum %x", name, sum)
		}
	}
}

// TestLimits checks that a file that takes too much memory or time, or nobody waits for, leaves a
// decoder for the next one.
func TestLimits(t *testing.T) {
	heic, err := os.ReadFile("../picturetest/testdata/quarters.heic")
	if err != nil {
		t.Fatal(err)
	}
	late, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	good := codec.Request{Format: codec.HEIC, Memory: 10 << 20, Pixels: 1e6, Data: heic}
	for name, c := range map[string]struct {
		ctx    context.Context
		change func(*codec.Request)
		want   error
	}{
		"memory":        {t.Context(), func(r *codec.Request) { r.Memory = -(15 << 20) }, codec.ErrDamaged},
		"pixels":        {t.Context(), func(r *codec.Request) { r.Pixels = 100 }, codec.ErrDamaged},
		"no file":       {t.Context(), func(r *codec.Request) { r.Data = nil }, codec.ErrDamaged},
		"another codec": {t.Context(), func(r *codec.Request) { r.Format = codec.AVIF }, codec.ErrDamaged},
		"late":          {late, func(*codec.Request) {}, context.DeadlineExceeded},
		"cancelled":     {cancelled, func(*codec.Request) {}, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			r := good
			c.change(&r)
			if _, err := codec.Decode(c.ctx, r); !errors.Is(err, c.want) {
				t.Errorf("the error is %v", err)
			}
			if img, err := codec.Decode(t.Context(), good); err != nil || img.Bounds().Dx() != 480 || img.Bounds().Dy() != 640 {
				t.Errorf("the next is %v, %v", img, err)
			}
		})
	}
}
