package search

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// A snapshot is a file of sections: the arrays of the index as they are in memory, which
// are mapped instead of decoded, and a last one with all the rest, as gob encodes it. Checksums of all chunks follow, and a trailer: where the last section begins
// and ends, and the checksum of both and of the checksums. Numbers have the byte order of
// the machine, because a snapshot belongs to one program.

// snapshotVersion is the first line of a snapshot. Change it with the format.
const snapshotVersion = "secondlight search index 8\n"

const (
	chunkSize   = 1 << 20 // bytes of a checksum
	alignment   = 64      // of sections, in bytes
	trailerSize = 8 + 8 + 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// array is a list of numbers that is a section.
type array struct {
	bytes func() []byte // as it is in memory
	set   func(section []byte)
	spare int // bytes that it can grow by without being copied
}

// arrayOf returns the array at a pointer.
func arrayOf[T ID | int32 | uint32 | uint16 | kind](at *[]T) array {
	size := int(unsafe.Sizeof(*new(T)))
	return array{
		bytes: func() []byte {
			return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(*at))), len(*at)*size)
		},
		set: func(section []byte) {
			*at = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(section))), cap(section)/size)[:len(section)/size]
		},
	}
}

// growing returns the array at a pointer, with space to append a sixteenth more.
func growing[T ID | int32 | uint32 | uint16 | kind](at *[]T) array {
	a := arrayOf(at)
	a.spare = (len(*at)/16 + 1024) * int(unsafe.Sizeof(*new(T)))
	return a
}

// section says where an array is in a file, in bytes.
type section struct{ At, Length, Capacity int64 }

// encoder writes a snapshot: arrays at once, the rest at the end.
type encoder struct {
	*gob.Encoder
	rest bytes.Buffer
	file checkedWriter
}

// newEncoder returns an encoder of a new file.
func newEncoder(to io.Writer) (*encoder, error) {
	e := &encoder{file: checkedWriter{to: to}}
	e.Encoder = gob.NewEncoder(&e.rest)
	_, err := io.WriteString(&e.file, snapshotVersion)
	return e, err
}

// array writes an array.
func (e *encoder) array(a array) error {
	if err := e.fill(-int(e.file.size) & (alignment - 1)); err != nil {
		return err
	}
	bytes := a.bytes()
	at := section{e.file.size, int64(len(bytes)), int64(len(bytes) + a.spare)}
	if _, err := e.file.Write(bytes); err != nil {
		return err
	}
	return errors.Join(e.fill(a.spare), e.Encode(&at))
}

// fill writes zeros.
func (e *encoder) fill(n int) error {
	zeros := make([]byte, min(n, 1<<16))
	for n > 0 {
		written, err := e.file.Write(zeros[:min(n, len(zeros))])
		if err != nil {
			return err
		}
		n -= written
	}
	return nil
}

// end writes the rest, the checksums and the trailer.
func (e *encoder) end() error {
	from := e.file.size
	if _, err := e.file.Write(e.rest.Bytes()); err != nil {
		return err
	}
	to := e.file.size
	if to%chunkSize != 0 {
		e.file.sums = binary.LittleEndian.AppendUint32(e.file.sums, e.file.sum)
	}
	tail := binary.LittleEndian.AppendUint64(e.file.sums, uint64(from))
	tail = binary.LittleEndian.AppendUint64(tail, uint64(to))
	tail = binary.LittleEndian.AppendUint32(tail, crc32.Checksum(tail, castagnoli))
	_, err := e.file.to.Write(tail)
	return err
}

// checkedWriter computes the checksum of each chunk that it writes.
type checkedWriter struct {
	to   io.Writer
	size int64  // bytes written
	sum  uint32 // of the last chunk, unless it is complete
	sums []byte // of the complete ones
}

func (c *checkedWriter) Write(p []byte) (n int, err error) {
	for n < len(p) {
		part := p[n:min(len(p), n+chunkSize-int(c.size%chunkSize))]
		if _, err := c.to.Write(part); err != nil {
			return n, err
		}
		n, c.size, c.sum = n+len(part), c.size+int64(len(part)), crc32.Update(c.sum, castagnoli, part)
		if c.size%chunkSize == 0 {
			c.sums, c.sum = binary.LittleEndian.AppendUint32(c.sums, c.sum), 0
		}
	}
	return n, nil
}

var errDamaged = errors.New("it is damaged")

// decoder reads a snapshot.
type decoder struct {
	*gob.Decoder
	mapped *block // the file; arrays are valid as long as it is referenced
}

// openSnapshot returns a decoder of a file whose checksums are right.
func openSnapshot(name string) (*decoder, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	first := make([]byte, len(snapshotVersion))
	if _, err := file.ReadAt(first, 0); err != nil || string(first) != snapshotVersion {
		return nil, errors.New("it has another version")
	}
	from, to, sums, err := readTrailer(file)
	if err != nil {
		return nil, err
	}
	if !check(file, to, sums) {
		return nil, errDamaged
	}
	mapped, err := mapFile(file, int(to))
	if err != nil {
		return nil, err
	}
	return &decoder{gob.NewDecoder(bytes.NewReader(mapped.bytes[from:to])), mapped}, nil
}

// readTrailer returns where the last section begins and ends, and the checksums.
func readTrailer(file *os.File) (from, to int64, sums []byte, err error) {
	info, err := file.Stat()
	if err != nil {
		return 0, 0, nil, err
	}
	trailer := make([]byte, trailerSize)
	if _, err := file.ReadAt(trailer, max(info.Size()-trailerSize, 0)); err != nil {
		return 0, 0, nil, errDamaged
	}
	from, to = int64(binary.LittleEndian.Uint64(trailer)), int64(binary.LittleEndian.Uint64(trailer[8:]))
	if from < 0 || from > to || to > info.Size() || info.Size() != to+(to+chunkSize-1)/chunkSize*4+trailerSize {
		return 0, 0, nil, errDamaged
	}
	sums = make([]byte, info.Size()-to-4)
	if _, err := file.ReadAt(sums, to); err != nil || crc32.Checksum(sums, castagnoli) != binary.LittleEndian.Uint32(trailer[16:]) {
		return 0, 0, nil, errDamaged
	}
	return from, to, sums, nil
}

// check reports whether all chunks of a file have the checksums they should have. It reads
// the file and not its mapping, so that what nobody asks for takes no memory.
func check(file *os.File, size int64, sums []byte) bool {
	var damaged atomic.Bool
	share(int((size+chunkSize-1)/chunkSize), func(from, to int) {
		chunk := make([]byte, chunkSize)
		for i := from; i < to && !damaged.Load(); i++ {
			at := int64(i) * chunkSize
			part := chunk[:min(chunkSize, size-at)]
			if _, err := file.ReadAt(part, at); err != nil || crc32.Checksum(part, castagnoli) != binary.LittleEndian.Uint32(sums[4*i:]) {
				damaged.Store(true)
			}
		}
	})
	return !damaged.Load()
}

// array sets an array to what an encoder has written. The program can change it without
// changing the file.
func (d *decoder) array(a array) error {
	var at section
	if err := d.Decode(&at); err != nil {
		return err
	}
	if at.At < 0 || at.Length < 0 || at.Capacity < at.Length || at.At+at.Capacity > int64(len(d.mapped.bytes)) {
		return errDamaged
	}
	a.set(d.mapped.bytes[at.At : at.At+at.Length : at.At+at.Capacity])
	return nil
}

// mapFile returns the first bytes of a file as memory, which is freed with the block.
func mapFile(file *os.File, size int) (*block, error) {
	bytes, err := mapBytes(file, size)
	if err != nil {
		return nil, err
	}
	b := &block{bytes}
	runtime.AddCleanup(b, freeBytes, bytes)
	return b, nil
}
