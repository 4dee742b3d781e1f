package codec

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	brotli "github.com/molecule-man/go-brrr"
)

var from = flag.String("from", "", "folder with the modules, to write modules.zip.br")

// TestModules compares the modules with those of the Go modules that README.md names.
func TestModules(t *testing.T) {
	if *from != "" {
		if err := writeModules(*from); err != nil {
			t.Fatal(err)
		}
		t.Skip("build the program, and the test, with the modules that are written")
	}
	for name, want := range map[string]string{
		"heif.wasm":        "04e7804a4ef20096660ac9347face433661b3c06e4da825c2dac15c06f101657",
		"avif-decode.wasm": "15af4fca9bcf83c09cfd76b3278626f21f38e81771461fafbb47e0de9fd3a6ab",
		"avif-encode.wasm": "7647a7b481db772b127aa9f4adfd7eaa9559b70b7e436be766392754d0bbeaf8",
	} {
		module, err := readModule(name)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(module); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s has the checksum %x", name, sum)
		}
	}
}

// writeModules writes the archive of the modules in a folder.
func writeModules(folder string) error {
	var stored, packed bytes.Buffer
	archive := zip.NewWriter(&stored)
	for _, f := range []Format{HEIC, AVIF, toAVIF} {
		module, err := os.ReadFile(filepath.Join(folder, moduleOf[f]))
		if err != nil {
			return err
		}
		w, err := archive.CreateHeader(&zip.FileHeader{Name: moduleOf[f], Method: zip.Store})
		if err == nil {
			_, err = w.Write(module)
		}
		if err != nil {
			return err
		}
	}
	err := archive.Close()
	w, err2 := brotli.NewWriterOptions(&packed, 11, brotli.WriterOptions{LGWin: 24})
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	_, err = w.Write(stored.Bytes())
	return errors.Join(err, w.Close(), os.WriteFile("modules.zip.br", packed.Bytes(), 0o644))
}
