package codec_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/secondlight/secondlight/models/picture/codec"
)

// TestUnavailable checks that Decode says so where no memory may be executable, as under systemd's
// MemoryDenyWriteExecute. That can't be undone, so a process of its own decodes.
func TestUnavailable(t *testing.T) {
	const within = "CODEC_TEST_WITHIN"
	if os.Getenv(within) == "" {
		test := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestUnavailable$", "-test.v")
		test.Env = append(os.Environ(), within+"=1")
		if out, err := test.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	const setMDWE, refuseExecutable = 65, 1
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, setMDWE, refuseExecutable, 0, 0, 0, 0); errno != 0 {
		t.Skipf("the kernel doesn't forbid executable memory: %v", errno)
	}
	heic, err := os.ReadFile("../picturetest/testdata/quarters.heic")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := codec.Decode(t.Context(), codec.Request{Format: codec.HEIC, Memory: 10 << 20, Pixels: 1e6, Data: heic}); !errors.Is(err, codec.ErrUnavailable) || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("the error is %v", err)
	}
}
