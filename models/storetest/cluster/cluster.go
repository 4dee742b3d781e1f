//go:build unix

// Package cluster finds what is needed to start a server of PostgreSQL: its programs, and a user who may
// run them.
package cluster

import (
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// Bin returns the folder of the programs of PostgreSQL.
func Bin() (string, error) {
	installed, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(installed) == 0 {
		return "", errors.New("no PostgreSQL in /usr/lib/postgresql/*/bin")
	}
	return filepath.Dir(installed[len(installed)-1]), nil
}

// Unprivileged returns the credentials of a user other than root, which PostgreSQL
// requires, and makes that user the owner of dir.
func Unprivileged(dir string) (*syscall.Credential, error) {
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, os.Chown(dir, uid, gid)
	}
	return nil, errors.New("PostgreSQL cannot run as root, and there is no user postgres or nobody")
}
