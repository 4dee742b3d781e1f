//go:build !unix

package storetest

import (
	"errors"
	"testing"
)

func postgresServer() (string, error) {
	return "", errors.New("temporary clusters are supported on Unix only")
}

func postgresTemplate() (string, error) { panic("no server") }

func newDatabase(testing.TB, string, string) string { panic("no server") }

func reusedDatabase(testing.TB, string, string) string { panic("no server") }
