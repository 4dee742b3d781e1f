//go:build !linux

package codec

import "os/exec"

// startNice starts a process, at the priority of this one.
func startNice(process *exec.Cmd) error { return process.Start() }
