package handlers

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// How a member names a write, so that one sent twice is done once: in a header
// field, or as an argument of a tool.
const (
	keyHeader   = "Idempotency-Key"
	keyArgument = "idempotency_key"
	keyReplayed = "Idempotency-Replayed"
	keyLongest  = 255
	keyText     = "names this write, such as a new UUID: the same request sent again with the same key within 24 hours is not done twice, and gets the first answer again"
	keyExample  = "6f1c0a52-8a3e-4c55-9d0f-2f6f0d3b7a11"
)

// keyCodes are the errors of a write that is named with a key.
var keyCodes = []string{"idempotency_in_progress", "idempotency_answer_lost", "idempotency_key_reused", "too_many_keys"}

// takesKey reports whether the operation is a write that a key may name.
func (o *Operation) takesKey() bool {
	return o.Writes() && o.Path != "" && (o.Access == Members || o.Access == Operators)
}

// kept is what a write came to, to be told again.
type kept struct {
	Error    *models.Error   `json:",omitempty"`
	Status   int             `json:",omitempty"`
	Location string          `json:",omitempty"`
	Faces    map[Face][]byte `json:",omitempty"`
	Related  []views.Link    `json:",omitempty"`
}

// once does a write that may be named with a key, "" for none. When the key's
// write was done before, page is nil and the result is what came of it then.
func (s *Server) once(ctx context.Context, op *Operation, key string, g *request, face Face, do func(context.Context) (views.Page, error)) (page views.Page, before *kept, err error) {
	defer s.writes.Add(1)
	if key == "" || !op.takesKey() {
		page, err = do(ctx)
		return page, nil, err
	}
	if err := checkKey(key); err != nil {
		return nil, nil, err
	}
	claim, answer, err := s.store.Claim(ctx, memberID(ctx), op.Name, key, op.plan.fingerprint(g))
	if err != nil {
		return nil, nil, err
	}
	if claim == nil {
		before = &kept{}
		if err := json.Unmarshal(answer, before); err != nil {
			return nil, nil, fmt.Errorf("read the answer kept of %s: %w", op.Name, err)
		}
		if before.Error != nil {
			return nil, before, before.Error
		}
		return nil, before, nil
	}
	settled := false
	// However the write ends, its key is settled: the time it had may be over.
	settling, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	defer func() {
		if !settled {
			s.noteSettling(op, s.store.Release(settling, claim))
		}
	}()
	page, err = do(claim.Under(ctx))
	result, err := s.keepAnswer(op, page, face, err)
	if result != nil {
		settled = true
		text, marshalErr := json.Marshal(result)
		s.noteSettling(op, errors.Join(marshalErr, s.store.Answered(settling, claim, text)))
	}
	return page, nil, err
}

func (s *Server) noteSettling(op *Operation, err error) {
	if err != nil {
		s.log.Error("an idempotency key is not settled", "operation", op.Name, "err", err)
	}
}

// keepAnswer is what is told again of a write: its page, or the error its sender
// has to deal with; nil where trying again may help.
func (s *Server) keepAnswer(op *Operation, page views.Page, face Face, err error) (*kept, error) {
	if err != nil {
		told := public(err)
		if known, _ := errorCode(told.Code); known.Status >= 500 || known.Status == 429 || known.Status == 0 && told.Kind == models.Internal {
			return nil, err
		}
		e := *told
		e.Cause = nil
		return &kept{Error: &e}, err
	}
	k := &kept{Status: op.success(), Faces: map[Face][]byte{}}
	if op.Creates {
		k.Location = resourceOf(page)
	}
	if p, ok := page.(relatedPage); ok {
		k.Related = p.Related()
	}
	for _, f := range []Face{JSON, Markdown, face} {
		body, err := s.renderSafely(page, f)
		if err != nil {
			return nil, fmt.Errorf("render %s as %s: %w", op.Name, f, err)
		}
		k.Faces[f] = body
	}
	return k, nil
}

// checkKey refuses what is no key.
func checkKey(key string) error {
	printable := !strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r > '~' })
	if len(key) <= keyLongest && printable {
		return nil
	}
	const message = "An idempotency key is 1 to 255 printable ASCII characters."
	return &models.Error{Kind: models.Invalid, Code: "invalid_parameter", Message: message, Hint: "Make a new UUID for each write.",
		Fields: []models.FieldError{{Field: keyHeader, Code: "invalid_value", Message: message}}}
}

// fingerprint is equal for requests that ask for the same, through whichever
// door they come.
func (plan *bindPlan) fingerprint(g *request) string {
	hash := sha256.New()
	for i := range plan.params {
		p := &plan.params[i]
		values := p.values(nil, g)
		if g.names(p.Name) {
			values = append(values, "given")
		}
		for _, f := range g.files {
			if f.field == p.Name {
				sum := sha256.Sum256(f.Bytes)
				values = append(values, base64.StdEncoding.EncodeToString(sum[:]))
			}
		}
		fmt.Fprintf(hash, "%q %q\n", p.Name, values)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// replay answers with what a write came to before.
func (s *Server) replay(ctx *fasthttp.RequestCtx, op *Operation, k *kept, face Face, where side) {
	body, ok := k.Faces[face]
	if !ok {
		face, body = JSON, k.Faces[JSON]
	}
	r := &response{op: op, page: nil, face: face, body: append(takeBody(ctx), body...), where: where, private: true}
	s.send(ctx, r, chooseEncoding(ctx.Request.Header.PeekAll("Accept-Encoding")))
	ctx.Response.SetStatusCode(k.Status)
	if k.Location != "" {
		ctx.Response.Header.Set("Location", escapeHeader(k.Location))
	}
}

// takeArgument takes a key out of a tool's arguments.
func (o *Operation) takeArgument(pairs []pair) (key string, rest []pair) {
	i := slices.IndexFunc(pairs, func(p pair) bool { return p.name == keyArgument })
	if i < 0 || !o.takesKey() {
		return "", pairs
	}
	return pairs[i].value, slices.Delete(slices.Clone(pairs), i, i+1)
}
