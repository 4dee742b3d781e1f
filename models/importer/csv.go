package importer

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/secondlight/secondlight/models/problem"
)

// Limits of a record in an imported file.
const (
	maxRecord      = 64 << 10 // bytes
	maxRecordLines = 1000
)

// Errors of a malformed record.
var (
	errQuote    = problem.Errorf("A quotation mark is inside a field, or text follows a closing quotation mark.")
	errUnclosed = problem.Errorf("A quoted field isn't closed.")
	errTooLong  = problem.Errorf("The row is longer than 64 KB.")
	errEncoding = problem.Errorf("The row isn't UTF-8.")
	errControl  = problem.Errorf("The row contains a control character.")
)

// csvReader reads CSV records as defined by RFC 4180, as spreadsheets write them: separated by
// commas, semicolons, tabs or vertical bars, in UTF-8, in UTF-16 with a byte order mark, or in
// Windows-1252. Unlike encoding/csv it continues after a malformed record with the line after the
// record's first, so that a stray quotation mark costs one row and not the rest of the file. It
// limits the memory a record takes.
type csvReader struct {
	in        *bufio.Reader
	file      *countedReader
	pending   []csvLine // lines to read again
	line      int       // number of the last line read, from 1
	separator byte      // 0 while it is that of each line before the header
	charset   charset
}

// countedReader counts the bytes that were read.
type countedReader struct {
	io.Reader
	n int64
}

func (r *countedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.n += int64(n)
	return n, err
}

// charset says how bytes above 0x7f are read.
type charset uint8

const (
	unknownCharset charset = iota // there were none
	utf8Charset
	windows1252
)

type csvLine struct {
	text    []byte // without the line ending
	number  int
	tooLong bool
}

// csvRecord is a record of a CSV file. A malformed record has an err, and its
// first line as its only field.
type csvRecord struct {
	fields []string
	line   int // first line, from 1
	err    error
}

func newCSVReader(r io.Reader) *csvReader {
	file := &countedReader{Reader: r}
	in := bufio.NewReaderSize(file, maxRecord)
	if first, err := in.Peek(1); err == nil && first[0] >= 0xef { // a byte order mark, or Windows-1252
		in = bufio.NewReaderSize(transform.NewReader(in, unicode.BOMOverride(transform.Nop)), maxRecord)
	}
	return &csvReader{in: in, file: file}
}

// offset returns how many bytes of the file were read, up to 64 KB ahead of the last record.
func (c *csvReader) offset() int64 { return c.file.n }

// read returns the next record, skipping empty lines. It returns io.EOF at the
// end of the file, or a read error.
func (c *csvReader) read() (csvRecord, error) {
	for {
		first, err := c.next()
		if err != nil {
			return csvRecord{}, err
		}
		if len(first.text) > 0 || first.tooLong {
			return c.record(first)
		}
	}
}

// record reads the record that starts with the given line.
func (c *csvReader) record(first csvLine) (csvRecord, error) {
	bad := func(err error) (csvRecord, error) {
		return csvRecord{[]string{printable(first.text)}, first.number, err}, nil
	}
	if first.tooLong {
		return bad(errTooLong)
	}
	separator := c.separator
	if separator == 0 {
		separator = separatorOf(first.text)
	}
	fields, open, err := splitRecord(first.text, separator)
	text, continuation := first.text[:len(first.text):len(first.text)], []csvLine(nil)
	for quotes := bytes.Count(text, quote); err == nil && open; {
		next, readErr := c.next()
		if readErr != nil && readErr != io.EOF {
			return csvRecord{}, readErr
		}
		if readErr == nil {
			continuation = append(continuation, next)
		}
		if readErr == io.EOF || next.tooLong || len(text)+1+len(next.text) > maxRecord || len(continuation) > maxRecordLines {
			err = errUnclosed
			break
		}
		text = append(append(text, '\n'), next.text...)
		if quotes += bytes.Count(next.text, quote); quotes%2 == 0 {
			fields, open, err = splitRecord(text, separator)
		}
	}
	if err != nil {
		c.pending = append(continuation, c.pending...)
		return bad(err)
	}
	if err := checkText(text); err != nil {
		return bad(err)
	}
	return csvRecord{fields, first.number, nil}, nil
}

var quote = []byte{'"'}

// next returns the next line in UTF-8, without its line ending.
func (c *csvReader) next() (csvLine, error) {
	if len(c.pending) > 0 {
		l := c.pending[0]
		c.pending = c.pending[1:]
		return l, nil
	}
	text, err := c.in.ReadSlice('\n')
	l := csvLine{number: c.line + 1, text: bytes.Clone(text)}
	for err == bufio.ErrBufferFull { // keep the beginning, skip the rest
		l.tooLong = true
		_, err = c.in.ReadSlice('\n')
	}
	if err == io.EOF && len(l.text) == 0 || err != nil && err != io.EOF {
		return csvLine{}, err
	}
	c.line++
	l.text = bytes.TrimSuffix(bytes.TrimSuffix(l.text, []byte("\n")), []byte("\r"))
	l.text = c.decode(l.text)
	return l, nil
}

// decode returns a line in UTF-8. The first bytes above 0x7f decide about the file: it is in
// Windows-1252 if they, and what was read of the lines after them, have no character of UTF-8,
// which that text makes up only by chance. A damaged row of a file in UTF-8 stays as it is.
func (c *csvReader) decode(line []byte) []byte {
	if c.charset == unknownCharset && !ascii(line) {
		c.charset = windows1252
		ahead, _ := c.in.Peek(c.in.Buffered())
		if hasRune(line) || hasRune(ahead) {
			c.charset = utf8Charset
		}
	}
	if c.charset != windows1252 {
		return line
	}
	decoded, err := charmap.Windows1252.NewDecoder().Bytes(line)
	if err != nil { // it has none
		return line
	}
	return decoded
}

func ascii(text []byte) bool {
	return !bytes.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// hasRune reports whether text has a character of more than one byte in UTF-8.
func hasRune(text []byte) bool {
	for len(text) > 0 {
		_, size := utf8.DecodeRune(text)
		if size > 1 {
			return true
		}
		text = text[size:]
	}
	return false
}

// separatorOf returns the character that separates the fields of a header: the one that it has most
// often outside of quotation marks, a comma if none.
func separatorOf(header []byte) byte {
	counts, quoted := map[byte]int{}, false
	for _, b := range header {
		quoted = quoted != (b == '"')
		if !quoted {
			counts[b]++
		}
	}
	separator := byte(',')
	for _, b := range []byte(";\t|") {
		if counts[b] > counts[separator] {
			separator = b
		}
	}
	return separator
}

// splitRecord splits a record into fields. It reports as open a record that
// ends within quotation marks.
func splitRecord(text []byte, separator byte) (fields []string, open bool, err error) {
	for {
		if len(text) == 0 || text[0] != '"' {
			end := bytes.IndexByte(text, separator)
			field := text
			if end >= 0 {
				field = text[:end]
			}
			if bytes.IndexByte(field, '"') >= 0 {
				return nil, false, errQuote
			}
			fields = append(fields, string(field))
			if end < 0 {
				return fields, false, nil
			}
			text = text[end+1:]
			continue
		}
		field, rest, closed := quotedField(text[1:])
		switch {
		case !closed:
			return nil, true, nil
		case len(rest) == 0:
			return append(fields, field), false, nil
		case rest[0] != separator:
			return nil, false, errQuote
		}
		fields, text = append(fields, field), rest[1:]
	}
}

// quotedField returns the text up to the closing quotation mark, with doubled
// marks unescaped, and the rest of the record.
func quotedField(text []byte) (field string, rest []byte, closed bool) {
	var b strings.Builder
	for {
		end := bytes.IndexByte(text, '"')
		if end < 0 {
			return "", nil, false
		}
		b.Write(text[:end])
		text = text[end+1:]
		if len(text) == 0 || text[0] != '"' {
			return b.String(), text, true
		}
		b.WriteByte('"')
		text = text[1:]
	}
}

// checkText rejects text that is not UTF-8 or has control characters.
func checkText(text []byte) error {
	if !utf8.Valid(text) {
		return errEncoding
	}
	if bytes.ContainsFunc(text, isControl) {
		return errControl
	}
	return nil
}

// isControl reports whether r is a control character other than tab and line
// endings. It excludes U+0080 to U+009F, which in real files are Windows-1252
// punctuation decoded as Latin-1.
func isControl(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
}

// printable returns text with invalid and control characters replaced, at most
// 2000 bytes.
func printable(text []byte) string {
	if len(text) > 2000 {
		text = text[:2000]
	}
	return strings.Map(func(r rune) rune {
		if isControl(r) {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(string(text), string(utf8.RuneError)))
}
