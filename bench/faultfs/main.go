//go:build linux

// Command faultfs mounts a folder under another name, and fails operations on its files
// as a broken or full disk does. It reads commands from its standard input, one a line,
// and answers each with a line:
//
//	fail OPERATION ERROR PATTERN  fail an operation on files whose path matches
//	clear                         fail nothing; the answer is how often something failed
//	cut                           lose writes that no fsync followed, as a power cut does
//
// OPERATION is write (also of names, and what makes files longer), read, fsync or short:
// a write that stores its first half. ERROR is ENOSPC or EIO, for short writes it is
// ignored. A failed fsync loses the writes before it even if a later one succeeds.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: faultfs FOLDER MOUNTPOINT")
	}
	loopback, err := fs.NewLoopbackRoot(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	root := &node{LoopbackNode: loopback.(*fs.LoopbackNode), disk: &disk{files: map[uint64]*unsynced{}}}
	root.RootData.RootNode = root
	server, err := fs.Mount(os.Args[2], root, &fs.Options{MountOptions: fuse.MountOptions{DirectMount: true, FsName: "faultfs", DisableReadDirPlus: true}, AttrTimeout: new(time.Duration), EntryTimeout: new(time.Duration)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("mounted")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		fmt.Println(root.disk.command(strings.Fields(in.Text())))
	}
	if err := syscall.Unmount(os.Args[2], syscall.MNT_DETACH); err != nil {
		log.Fatal(err)
	}
	server.Wait()
}

// disk decides what fails, and knows the writes that no fsync followed.
type disk struct {
	mu        sync.Mutex
	operation string
	errno     syscall.Errno
	pattern   *regexp.Regexp
	failed    int
	files     map[uint64]*unsynced // by inode
}

// unsynced has the writes to a file that no fsync followed, oldest first.
type unsynced struct {
	file   *os.File
	writes []write
}

type write struct {
	offset     int64
	size       int64 // of the file before
	old, bytes []byte
	lost       bool // an fsync after it failed
}

func (d *disk) command(words []string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case len(words) == 4 && words[0] == "fail":
		d.operation, d.pattern = words[1], regexp.MustCompile(words[3])
		d.errno = map[string]syscall.Errno{"ENOSPC": syscall.ENOSPC, "EIO": syscall.EIO}[words[2]]
		return "ok"
	case len(words) == 1 && words[0] == "clear":
		n := d.failed
		d.operation, d.failed = "", 0
		return fmt.Sprint(n)
	case len(words) == 1 && words[0] == "cut":
		return fmt.Sprint(d.cut())
	}
	return "unknown command"
}

// cut undoes the writes that no fsync followed, and does about half of those again that
// may have reached the disk. It returns how many were lost.
func (d *disk) cut() (lost int) {
	for _, u := range d.files {
		for i := len(u.writes) - 1; i >= 0; i-- {
			w := u.writes[i]
			check(u.file.WriteAt(w.old, w.offset))
			check(0, u.file.Truncate(w.size))
		}
		for _, w := range u.writes {
			if w.lost || rand.IntN(2) == 0 {
				lost++
				continue
			}
			check(u.file.WriteAt(w.bytes, w.offset))
		}
		u.file.Close()
	}
	clear(d.files)
	return lost
}

func check(_ int, err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// fails returns the error of an operation, 0 for none.
func (d *disk) fails(operation, path string) syscall.Errno {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.operation != operation || !d.pattern.MatchString(path) {
		return 0
	}
	d.failed++
	if operation == "short" {
		return syscall.EINTR // writes only
	}
	return d.errno
}

// note records a write to a file before it is done.
func (d *disk) note(fd int, data []byte, offset int64) {
	var st syscall.Stat_t
	if syscall.Fstat(fd, &st) != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	u := d.files[st.Ino]
	if u == nil {
		f, err := os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", fd), os.O_RDWR, 0)
		if err != nil {
			log.Fatal(err)
		}
		u = &unsynced{file: f}
		d.files[st.Ino] = u
	}
	old := make([]byte, min(int64(len(data)), max(st.Size-offset, 0)))
	if _, err := u.file.ReadAt(old, offset); err != nil {
		log.Fatal(err)
	}
	u.writes = append(u.writes, write{offset: offset, size: st.Size, old: old, bytes: append([]byte(nil), data...)})
}

// synced records that the writes to a file are on the disk, or that they never will be.
func (d *disk) synced(fd int, failed bool) {
	var st syscall.Stat_t
	if syscall.Fstat(fd, &st) != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	u := d.files[st.Ino]
	switch {
	case u == nil:
	case failed:
		for i := range u.writes {
			u.writes[i].lost = true
		}
	default:
		u.file.Close()
		delete(d.files, st.Ino)
	}
}

// node is a file or folder.
type node struct {
	*fs.LoopbackNode
	disk *disk
}

// WrapChild implements fs.NodeWrapChilder.
func (n *node) WrapChild(_ context.Context, ops fs.InodeEmbedder) fs.InodeEmbedder {
	return &node{LoopbackNode: ops.(*fs.LoopbackNode), disk: n.disk}
}

func (n *node) path(name string) string { return n.Path(nil) + "/" + name }

// Create implements fs.NodeCreater.
func (n *node) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*fs.Inode, fs.FileHandle, uint32, syscall.Errno) {
	if errno := n.disk.fails("write", n.path(name)); errno != 0 {
		return nil, nil, 0, errno
	}
	inode, handle, fuseFlags, errno := n.LoopbackNode.Create(ctx, name, flags, mode, out)
	if errno != 0 {
		return nil, nil, 0, errno
	}
	return inode, &file{handle.(*fs.LoopbackFile), inode, n.disk}, fuseFlags, 0
}

// Open implements fs.NodeOpener.
func (n *node) Open(ctx context.Context, flags uint32) (fs.FileHandle, uint32, syscall.Errno) {
	if flags&syscall.O_ACCMODE == syscall.O_WRONLY {
		flags = flags&^syscall.O_ACCMODE | syscall.O_RDWR // for note
	}
	handle, fuseFlags, errno := n.LoopbackNode.Open(ctx, flags)
	if errno != 0 {
		return nil, 0, errno
	}
	return &file{handle.(*fs.LoopbackFile), n.EmbeddedInode(), n.disk}, fuseFlags, 0
}

// Mkdir implements fs.NodeMkdirer.
func (n *node) Mkdir(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	if errno := n.disk.fails("write", n.path(name)); errno != 0 {
		return nil, errno
	}
	return n.LoopbackNode.Mkdir(ctx, name, mode, out)
}

// Rename implements fs.NodeRenamer.
func (n *node) Rename(ctx context.Context, name string, parent fs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	if errno := n.disk.fails("write", n.path(newName)); errno != 0 {
		return errno
	}
	return n.LoopbackNode.Rename(ctx, name, parent.(*node).LoopbackNode, newName, flags)
}

// Fsync implements fs.NodeFsyncer, for folders.
func (n *node) Fsync(ctx context.Context, f fs.FileHandle, flags uint32) syscall.Errno {
	if f, ok := f.(*file); ok {
		return f.Fsync(ctx, flags)
	}
	return n.disk.fails("fsync", n.path(""))
}

// file is an open file.
type file struct {
	*fs.LoopbackFile
	inode *fs.Inode
	disk  *disk
}

// PassthroughFd hides that of LoopbackFile, which the kernel would write to.
func (f *file) PassthroughFd() (int, bool) { return 0, false }

// Read implements fs.FileReader.
func (f *file) Read(ctx context.Context, buf []byte, offset int64) (fuse.ReadResult, syscall.Errno) {
	if errno := f.disk.fails("read", f.inode.Path(nil)); errno != 0 {
		return nil, errno
	}
	return f.LoopbackFile.Read(ctx, buf, offset)
}

// Write implements fs.FileWriter.
func (f *file) Write(ctx context.Context, data []byte, offset int64) (uint32, syscall.Errno) {
	path := f.inode.Path(nil)
	if errno := f.disk.fails("write", path); errno != 0 {
		return 0, errno
	}
	if len(data) > 1 && f.disk.fails("short", path) != 0 {
		data = data[:len(data)/2]
	}
	if fd, ok := f.LoopbackFile.PassthroughFd(); ok {
		f.disk.note(fd, data, offset)
	}
	return f.LoopbackFile.Write(ctx, data, offset)
}

// Fsync implements fs.FileFsyncer.
func (f *file) Fsync(ctx context.Context, flags uint32) syscall.Errno {
	errno := f.disk.fails("fsync", f.inode.Path(nil))
	if fd, ok := f.LoopbackFile.PassthroughFd(); ok {
		f.disk.synced(fd, errno != 0)
	}
	return errno // the folder below need not be on a disk
}

// Allocate implements fs.FileAllocater.
func (f *file) Allocate(ctx context.Context, offset, size uint64, mode uint32) syscall.Errno {
	if errno := f.disk.fails("write", f.inode.Path(nil)); errno != 0 {
		return errno
	}
	return f.LoopbackFile.Allocate(ctx, offset, size, mode)
}
