//go:build !unix

package storetest

import (
	"errors"
	"testing"
)

func postgresServer() (string, error) {
	return "", errors.New("temporary clusters are supported on Unix only")
}

func newDatabase(testing.TB, string) string { panic("no server") }
