//go:build !linux && !darwin && !freebsd

package durable

import "errors"

// FreeBytes returns errors.ErrUnsupported.
func FreeBytes(string) (uint64, error) { return 0, errors.ErrUnsupported }
