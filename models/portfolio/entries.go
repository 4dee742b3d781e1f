package portfolio

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/plain"
)

// addEntries adds the photographs in a project's folder that its index.md does not name to
// it, in the order they were taken, with empty texts for the owner to write. The rest of
// the file stays, with its comments.
func addEntries(dir string) error {
	file := filepath.Join(dir, "index.md")
	index, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	index = []byte(plain.File(index))
	head, body, ok := bytes.Cut(bytes.TrimPrefix(index, []byte("---\n")), []byte("\n---"))
	var doc yaml.Node
	var text projectText
	if err := cmp.Or(yaml.Unmarshal(head, &doc), doc.Decode(&text)); err != nil {
		return fmt.Errorf("%s: correct the front matter and import the folder again: %w", file, err)
	}
	if !ok || len(doc.Content) != 1 {
		return fmt.Errorf("%s: has no front matter: add it and import the folder again", file)
	}
	missing, err := unlisted(dir, text.Photos)
	if err != nil || len(missing) == 0 {
		return err
	}
	list := entriesIn(doc.Content[0])
	for _, name := range missing {
		var entry yaml.Node
		if err := entry.Encode(photoText{File: name}); err != nil {
			return err
		}
		list.Content = append(list.Content, &entry)
	}
	var b bytes.Buffer
	b.WriteString("---\n")
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := errors.Join(enc.Encode(&doc), enc.Close()); err != nil {
		return err
	}
	b.WriteString("---")
	b.Write(body)
	return picture.WriteFile(file, b.Bytes())
}

// entriesIn returns the list of photographs in a project's front matter, and adds it if
// there is none.
func entriesIn(head *yaml.Node) *yaml.Node {
	for i := 0; i+1 < len(head.Content); i += 2 {
		if head.Content[i].Value != "photos" {
			continue
		}
		if head.Content[i+1].Kind != yaml.SequenceNode {
			head.Content[i+1] = &yaml.Node{Kind: yaml.SequenceNode}
		}
		head.Content[i+1].Style &^= yaml.FlowStyle
		return head.Content[i+1]
	}
	list := &yaml.Node{Kind: yaml.SequenceNode}
	head.Content = append(head.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "photos"}, list)
	return list
}

// unlisted returns the names of the photographs in a folder that are not in texts, in the
// order they were taken.
func unlisted(dir string, texts []photoText) ([]string, error) {
	listed := map[string]bool{}
	for _, t := range texts {
		listed[t.File] = true
	}
	names, err := namesIn(dir)
	names = slices.DeleteFunc(names, func(name string) bool { return listed[name] || !picture.IsPicture(name) })
	taken := map[string]time.Time{}
	for _, name := range names {
		if f, err := os.Open(filepath.Join(dir, name)); err == nil {
			taken[name] = picture.ReadEXIF(f, name).TakenAt
			f.Close()
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return taken[a].Compare(taken[b]) })
	return names, err
}

// namesIn returns the names of the files in a folder, without hidden ones and those that
// operating systems leave there.
func namesIn(folder string) (names []string, err error) {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if name := e.Name(); !strings.HasPrefix(name, ".") && !slices.Contains([]string{"thumbs.db", "desktop.ini", "icon\r"}, strings.ToLower(name)) {
			names = append(names, name)
		}
	}
	return names, err
}
