package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"github.com/secondlight/secondlight/models/durable"
)

// lockSite locks DATA_DIR, which it makes if necessary, and an embedded database until the
// returned function is called or the process ends. alone excludes all others; otherwise servers
// on PostgreSQL may share a DATA_DIR.
func lockSite(set *settings, alone bool) (unlock func(), err error) {
	if err := makeDataDir(set); err != nil {
		return nil, err
	}
	file, embedded := strings.CutPrefix(set.DatabaseURL, "sqlite:")
	names := []string{filepath.Join(set.DataDir, ".lock")}
	if embedded {
		names = append(names, file+".lock")
	}
	var held []*flock.Flock
	unlock = func() {
		for _, lock := range held {
			_ = lock.Unlock() // the process ends
		}
	}
	for _, name := range names {
		lock := flock.New(name, flock.SetPermissions(durable.FileMode))
		try := lock.TryRLock
		if alone || embedded {
			try = lock.TryLock
		}
		locked, err := try()
		if err != nil || !locked {
			unlock()
			return nil, errors.Join(err, fmt.Errorf("another server, or a restore, uses %s: stop it first", strings.TrimSuffix(name, ".lock")))
		}
		held = append(held, lock)
	}
	return unlock, nil
}
