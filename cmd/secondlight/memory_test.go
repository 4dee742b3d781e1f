package main

import (
	"testing"
	"testing/fstest"
)

func TestAvailableMemory(t *testing.T) {
	const machine = "MemTotal:        4000 kB\nMemFree:         100 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  uint64
	}{
		"nothing known": {nil, 0},
		"no limit":      {map[string]string{memoryInfo: machine, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, 4000 << 10},
		"container":     {map[string]string{memoryInfo: machine, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "2000000\n"}, 2000000},
		"slice": {map[string]string{memoryInfo: machine, "proc/self/cgroup": "0::/shop.slice/site.service\n", "sys/fs/cgroup/shop.slice/memory.max": "1000000\n",
			"sys/fs/cgroup/shop.slice/site.service/memory.max": "max\n"}, 1000000},
		"version 1": {map[string]string{memoryInfo: machine, "proc/self/cgroup": "5:cpu,cpuacct:/docker/1\n4:memory:/docker/1\n0::/system.slice\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "3000000\n"}, 3000000},
		"version 1 without a limit": {map[string]string{memoryInfo: machine, "proc/self/cgroup": "4:memory:/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 4000 << 10},
	} {
		root := fstest.MapFS{}
		for file, text := range c.files {
			root[file] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := availableMemory(root); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
