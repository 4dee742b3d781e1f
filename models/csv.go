package models

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// The longest record of an imported file, in bytes and in lines.
const (
	maxRecord      = 64 << 10
	maxRecordLines = 1000
)

// Why a record of a file cannot be read.
var (
	errQuote    = errors.New("a quotation mark stands in the middle of a field, or a text goes on after the closing one")
	errUnclosed = errors.New("a quoted field is not closed")
	errTooLong  = errors.New("the row is longer than 64 KB")
	errEncoding = errors.New("the row is not UTF-8")
	errControl  = errors.New("the row holds a control character")
)

// csvReader reads records as RFC 4180 has them. Other than encoding/csv it
// goes on after a bad record with the line that follows the record's first, so
// that a quotation mark too many costs one row and not the rest of the file,
// and it bounds the memory a record takes.
type csvReader struct {
	in      *bufio.Reader
	ahead   []csvLine // read already, to be read again
	line    int       // number of the last line handed out, from 1
	offset  int64     // bytes read
	started bool
}

type csvLine struct {
	text    []byte // without its end
	number  int
	tooLong bool
}

// csvRecord is one record. A bad one has an err, and its first line as its only field.
type csvRecord struct {
	fields []string
	line   int // where it begins, from 1
	err    error
}

func newCSVReader(r io.Reader) *csvReader {
	return &csvReader{in: bufio.NewReaderSize(r, maxRecord)}
}

// read is the next record that is not an empty line. It fails with io.EOF at
// the end, or when reading itself fails.
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

// record reads the record that begins with a line.
func (c *csvReader) record(first csvLine) (csvRecord, error) {
	bad := func(err error) (csvRecord, error) {
		return csvRecord{[]string{readable(first.text)}, first.number, err}, nil
	}
	if first.tooLong {
		return bad(errTooLong)
	}
	fields, open, err := splitRecord(first.text)
	text, more := first.text[:len(first.text):len(first.text)], []csvLine(nil)
	for quotes := bytes.Count(text, quote); err == nil && open; {
		next, readErr := c.next()
		if readErr != nil && readErr != io.EOF {
			return csvRecord{}, readErr
		}
		if readErr == nil {
			more = append(more, next)
		}
		if readErr == io.EOF || next.tooLong || len(text)+1+len(next.text) > maxRecord || len(more) > maxRecordLines {
			err = errUnclosed
			break
		}
		text = append(append(text, '\n'), next.text...)
		if quotes += bytes.Count(next.text, quote); quotes%2 == 0 {
			fields, open, err = splitRecord(text)
		}
	}
	if err != nil {
		c.ahead = append(more, c.ahead...)
		return bad(err)
	}
	if err := checkText(text); err != nil {
		return bad(err)
	}
	return csvRecord{fields, first.number, nil}, nil
}

var quote = []byte{'"'}

// next is the next line, without its end and the mark at the start of a file.
func (c *csvReader) next() (csvLine, error) {
	if len(c.ahead) > 0 {
		l := c.ahead[0]
		c.ahead = c.ahead[1:]
		return l, nil
	}
	text, err := c.in.ReadSlice('\n')
	l := csvLine{number: c.line + 1, text: bytes.Clone(text)}
	c.offset += int64(len(text))
	for err == bufio.ErrBufferFull { // keep the beginning, pass over the rest
		l.tooLong = true
		text, err = c.in.ReadSlice('\n')
		c.offset += int64(len(text))
	}
	if err == io.EOF && len(l.text) == 0 || err != nil && err != io.EOF {
		return csvLine{}, err
	}
	c.line++
	l.text = bytes.TrimSuffix(bytes.TrimSuffix(l.text, []byte("\n")), []byte("\r"))
	if !c.started {
		c.started = true
		l.text = bytes.TrimPrefix(l.text, []byte("\ufeff"))
	}
	return l, nil
}

// splitRecord cuts a record into its fields; open says that it ends inside quotation marks.
func splitRecord(text []byte) (fields []string, open bool, err error) {
	for {
		if len(text) == 0 || text[0] != '"' {
			end := bytes.IndexByte(text, ',')
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
		case rest[0] != ',':
			return nil, false, errQuote
		}
		fields, text = append(fields, field), rest[1:]
	}
}

// quotedField reads up to the closing quotation mark; two of them are one.
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

// checkText refuses what neither engine stores or no reader can show.
func checkText(text []byte) error {
	if !utf8.Valid(text) {
		return errEncoding
	}
	if bytes.ContainsFunc(text, isControl) {
		return errControl
	}
	return nil
}

// isControl reports control characters other than tab and line ends. Those from
// U+0080 on are let pass: they are dashes and quotation marks of Windows that
// somebody took for Latin-1, which real files are full of.
func isControl(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
}

// readable is text with what cannot be shown replaced.
func readable(text []byte) string {
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
