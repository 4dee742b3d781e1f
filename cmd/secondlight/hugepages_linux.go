package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// collapse is MADV_COLLAPSE, which the syscall package does not have.
const collapse = 25

// useHugePages has the system keep what is in memory in pages of 2 MB. Searches
// read single listings all over the index, each on a page of its own whose place
// has to be looked up; with one page where there were 512, most are known. It is
// a wish: where the system does not grant it, all works as before.
func useHugePages() {
	const page = 2 << 20
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer maps.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		var from, to, offset uintptr
		var mode, device string
		var inode int
		line := lines.Text()
		if _, err := fmt.Sscanf(line, "%x-%x %s %x %s %d", &from, &to, &mode, &offset, &device, &inode); err != nil || mode != "rw-p" || inode != 0 || strings.HasSuffix(line, "]") && !strings.Contains(line, "heap") {
			continue // a file, a stack, or nothing that is written to
		}
		from, to = (from+page-1)&^(page-1), to&^(page-1)
		if from >= to {
			continue
		}
		// Whatever comes to lie there later, and what is there already.
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_HUGEPAGE)
		for ; from < to; from += page {
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, page, collapse)
		}
	}
}
