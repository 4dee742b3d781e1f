package codec

import (
	"archive/zip"
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	brotli "github.com/molecule-man/go-brrr"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// modules is an archive of the modules. They share libraries, so it is compressed as a whole.
//
//go:embed modules.zip.br
var modules []byte

// moduleOf has the names of the modules in the archive.
var moduleOf = map[Format]string{HEIC: "heif.wasm", AVIF: "avif-decode.wasm", toAVIF: "avif-encode.wasm"}

// readModule returns a module of the archive.
func readModule(name string) ([]byte, error) {
	unpacked, err := io.ReadAll(brotli.NewReader(bytes.NewReader(modules)))
	if err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(bytes.NewReader(unpacked), int64(len(unpacked)))
	if err != nil {
		return nil, err
	}
	return fs.ReadFile(archive, name)
}

// init makes the program a worker if it was started as one, before it does anything else. Every
// program and test that imports the package can so be one.
func init() {
	if os.Args[0] != workerName {
		return
	}
	if err := serve(context.Background(), os.Stdin, os.Stdout); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// serve answers requests until there are no more.
func serve(ctx context.Context, in io.Reader, out io.Writer) error {
	d := codecs{cache: wazero.NewCompilationCache(), programs: map[Format][]byte{}}
	for {
		var head requestHead
		if err := binary.Read(in, binary.LittleEndian, &head); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		file := make([]byte, head.Length)
		if _, err := io.ReadFull(in, file); err != nil {
			return err
		}
		if err := d.answer(ctx, head, file, out); err != nil {
			return err
		}
	}
}

// codecs holds the compiled modules.
type codecs struct {
	cache    wazero.CompilationCache
	programs map[Format][]byte // WebAssembly, before it is compiled
}

// answer decodes a file, or encodes a picture, and writes the answer.
func (d *codecs) answer(ctx context.Context, head requestHead, file []byte, out io.Writer) error {
	instance, err := d.instantiate(ctx, head)
	if err != nil {
		return writeAnswer(out, answerHead{Kind: unavailable}, []byte(err.Error()))
	}
	defer instance.close()
	var answer answerHead
	var result []byte
	switch head.Format {
	case HEIC:
		answer, result, err = instance.heif(ctx, file)
	case AVIF:
		answer, result, err = instance.avif(ctx, file)
	case toAVIF:
		answer = answerHead{Kind: encoded}
		result, err = instance.encode(ctx, head, file)
	}
	if err != nil {
		return writeAnswer(out, answerHead{Kind: refused}, nil)
	}
	return writeAnswer(out, answer, result)
}

// program returns the module for a format.
func (d *codecs) program(f Format) ([]byte, error) {
	if program := d.programs[f]; program != nil {
		return program, nil
	}
	program, err := readModule(moduleOf[f])
	if err == nil {
		d.programs[f] = program
	}
	return program, err
}

func writeAnswer(out io.Writer, head answerHead, result []byte) error {
	head.Length = uint64(len(result))
	err := binary.Write(out, binary.LittleEndian, head)
	if err == nil {
		_, err = out.Write(result)
	}
	return err
}

// instance is a module with memory of its own, for one file.
type instance struct {
	runtime wazero.Runtime
	module  api.Module
}

const (
	pageSize    = 64 << 10
	maxPages    = 1 << 16
	moduleStart = 16 << 20 // bytes of memory that a module has beside a picture
)

// instantiate returns an instance of the module for a file. It fails where no compiled code can
// run: on other processors, and where memory must not be executable.
func (d *codecs) instantiate(ctx context.Context, head requestHead) (i *instance, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("start the codec: %v", failure)
		}
	}()
	program, err := d.program(head.Format)
	if err != nil {
		return nil, err
	}
	pages := min(maxPages, (head.Memory+head.Length+moduleStart)/pageSize)
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler().WithCompilationCache(d.cache).WithMemoryLimitPages(uint32(pages)))
	i = &instance{runtime: runtime}
	if err := provideWASI(ctx, runtime); err != nil {
		return nil, errors.Join(err, i.close())
	}
	compiled, err := runtime.CompileModule(ctx, program)
	if err != nil {
		return nil, errors.Join(err, i.close())
	}
	i.module, err = runtime.InstantiateModule(experimental.WithMemoryAllocator(ctx, allocator), compiled, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	if err != nil {
		return nil, errors.Join(err, i.close())
	}
	return i, nil
}

func (i *instance) close() error { return i.runtime.Close(context.Background()) }

// call calls a function of the module.
func (i *instance) call(ctx context.Context, name string, args ...uint64) (uint32, error) {
	results, err := i.module.ExportedFunction(name).Call(ctx, args...)
	if err != nil || len(results) == 0 {
		return 0, err
	}
	return uint32(results[0]), nil
}

// alloc allocates memory in the module.
func (i *instance) alloc(ctx context.Context, size int) (at uint64, err error) {
	address, err := i.call(ctx, "malloc", uint64(size))
	if err == nil && address == 0 {
		err = errors.New("out of memory")
	}
	return uint64(address), err
}

// load copies a file into the module.
func (i *instance) load(ctx context.Context, file []byte) (at uint64, err error) {
	if at, err = i.alloc(ctx, len(file)); err == nil && !i.module.Memory().Write(uint32(at), file) {
		err = errors.New("the file is outside of the memory")
	}
	return at, err
}

// words reads n numbers that the module has written.
func (i *instance) words(at uint64, n int) ([]uint32, error) {
	raw, ok := i.module.Memory().Read(uint32(at), uint32(4*n))
	if !ok {
		return nil, errors.New("the results are outside of the memory")
	}
	words := make([]uint32, n)
	_, err := binary.Decode(raw, binary.LittleEndian, words)
	return words, err
}

// samples reads the samples that the module has written.
func (i *instance) samples(at uint64, size int) ([]byte, error) {
	raw, ok := i.module.Memory().Read(uint32(at), uint32(size))
	if !ok {
		return nil, errors.New("the samples are outside of the memory")
	}
	return raw, nil
}

// maxSide limits the sides of a picture in pixels, so that sizes in bytes fit into an int.
const maxSide = 1 << 16

// heif decodes a HEIC with the module's
//
//	decode(file, size, head only, &width, &height, &colours, &chroma, &premultiplied, samples)
func (i *instance) heif(ctx context.Context, file []byte) (head answerHead, samples []byte, err error) {
	in, err := i.load(ctx, file)
	if err != nil {
		return head, nil, err
	}
	const results = 5
	at, err := i.alloc(ctx, 4*results)
	if err != nil {
		return head, nil, err
	}
	args := []uint64{in, uint64(len(file)), 1, at, at + 4, at + 8, at + 12, at + 16, 0}
	if ok, err := i.call(ctx, "decode", args...); err != nil || ok == 0 {
		return head, nil, errors.Join(errors.New("libheif can't read it"), err)
	}
	words, err := i.words(at, results)
	if err != nil {
		return head, nil, err
	}
	head = answerHead{Kind: heifKind(words[2], words[3], words[4] != 0), Width: words[0], Height: words[1]}
	size := layoutOf(head.Kind, int(head.Width), int(head.Height)).size()
	if head.Kind == refused || head.Width > maxSide || head.Height > maxSide {
		return head, nil, errors.New("unusual samples")
	}
	to, err := i.alloc(ctx, size)
	if err != nil {
		return head, nil, err
	}
	args[2], args[8] = 0, to
	if ok, err := i.call(ctx, "decode", args...); err != nil || ok == 0 {
		return head, nil, errors.Join(errors.New("libheif can't decode it"), err)
	}
	samples, err = i.samples(to, size)
	return head, samples, err
}

// heifKind returns the kind of samples for libheif's colour space and chroma.
func heifKind(colours, chroma uint32, premultiplied bool) kind {
	const inYCbCr, inRGB, monochrome = 0, 1, 2
	switch {
	case colours == inYCbCr && chroma >= 1 && chroma <= 3:
		return yCbCr420 + kind(chroma-1)
	case colours == monochrome:
		return gray
	case colours == inRGB && premultiplied:
		return rgba
	case colours == inRGB:
		return nrgba
	}
	return refused
}

// avif decodes an AVIF with the module's
//
//	decode(file, size, head only, all pictures, &width, &height, &depth, &count, &delay, samples)
func (i *instance) avif(ctx context.Context, file []byte) (head answerHead, samples []byte, err error) {
	in, err := i.load(ctx, file)
	if err != nil {
		return head, nil, err
	}
	const results = 4
	at, err := i.alloc(ctx, 4*results+8)
	if err != nil {
		return head, nil, err
	}
	args := []uint64{in, uint64(len(file)), 1, 0, at, at + 4, at + 8, at + 12, at + 16, 0}
	if ok, err := i.call(ctx, "decode", args...); err != nil || ok == 0 {
		return head, nil, errors.Join(errors.New("libavif can't read it"), err)
	}
	words, err := i.words(at, results)
	if err != nil {
		return head, nil, err
	}
	head = answerHead{Kind: rgba, Width: words[0], Height: words[1]}
	deep := words[2] > 8
	if head.Width > maxSide || head.Height > maxSide {
		return head, nil, errors.New("too many pixels")
	}
	size := layoutOf(rgba, int(head.Width), int(head.Height)).size()
	if deep {
		size *= 2
	}
	// The module reports success also if it has decoded nothing, so its memory begins with a
	// pixel that no picture has: white, and fully transparent although alpha is premultiplied.
	unwritten := []byte{255, 255, 255, 0}
	if deep {
		unwritten = []byte{255, 255, 255, 255, 255, 255, 0, 0}
	}
	to, err := i.alloc(ctx, size)
	if err != nil {
		return head, nil, err
	}
	i.module.Memory().Write(uint32(to), unwritten)
	args[2], args[9] = 0, to
	if ok, err := i.call(ctx, "decode", args...); err != nil || ok == 0 {
		return head, nil, errors.Join(errors.New("libavif can't decode it"), err)
	}
	if samples, err = i.samples(to, size); err != nil || bytes.HasPrefix(samples, unwritten) {
		return head, nil, errors.Join(errors.New("libavif has decoded nothing"), err)
	}
	if deep {
		samples = highBytes(samples)
	}
	return head, samples, nil
}

// speed of libaom, 0 to 10.
const speed = 10

// encode encodes samples in RGBA with the module's
//
//	encode(samples, width, height, &size, quality, quality of alpha, speed, chroma)
func (i *instance) encode(ctx context.Context, head requestHead, samples []byte) ([]byte, error) {
	if head.Width == 0 || head.Height == 0 || head.Width > maxSide || head.Height > maxSide || uint64(len(samples)) != 4*uint64(head.Width)*uint64(head.Height) {
		return nil, errors.New("the samples have another size")
	}
	in, err := i.load(ctx, samples)
	if err != nil {
		return nil, err
	}
	results, err := i.alloc(ctx, 8)
	if err != nil {
		return nil, err
	}
	i.module.Memory().WriteUint64Le(uint32(results), 0)
	const chroma420 = 3
	at, err := i.call(ctx, "encode", in, uint64(head.Width), uint64(head.Height), results, uint64(head.Quality), uint64(head.Quality), speed, chroma420)
	if err != nil || at == 0 {
		return nil, errors.Join(errors.New("libavif can't encode it"), err)
	}
	size, err := i.words(results, 1)
	if err != nil || size[0] == 0 {
		return nil, errors.Join(errors.New("libavif has encoded nothing"), err)
	}
	return i.samples(uint64(at), int(size[0]))
}

// highBytes returns the upper halves of samples of 16 bits, in the same memory.
func highBytes(samples []byte) []byte {
	half := samples[:len(samples)/2]
	for at := range half {
		half[at] = samples[2*at+1]
	}
	return half
}
