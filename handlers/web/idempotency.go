package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models/problem"
)

// KeyCodes are the error codes of a write with an idempotency key.
var KeyCodes = []string{"idempotency_in_progress", "idempotency_answer_lost", "idempotency_key_reused", "too_many_keys"}

// StoredResult is the result of a write as stored under its idempotency key.
type StoredResult struct {
	Error    *problem.Error    `json:",omitempty"`
	Status   int               `json:",omitempty"`
	Location string            `json:",omitempty"`
	Formats  map[Format][]byte `json:",omitempty"`
	Tool     *StoredTool       `json:",omitempty"`
	Undone   bool              `json:",omitempty"` // a form was accepted without a confirmation
}

// NewResult returns the result to store for a write, given its page or error, and the error to
// answer with. It returns no result if the write may be done again.
type NewResult func(page Page, err error) (*StoredResult, error)

// DoIdempotent does a write with an idempotency key, "" for none. If the write was
// done before under that key, it returns the previous result and no page.
func (s *Site) DoIdempotent(ctx context.Context, op *Operation, key string, req *bind.Request, store NewResult, do func(context.Context) (Page, error)) (page Page, previous *StoredResult, err error) {
	if !op.ChangesNothing() {
		defer s.Settle(ctx)
	}
	if op.Cost != nil {
		release, err := s.turns.Take(ctx, CallerOf(ctx).Client.Charged())
		if err != nil {
			return nil, nil, err
		}
		defer release()
	}
	if key == "" || !op.AcceptsKey() {
		page, err = do(ctx)
		return page, nil, err
	}
	if err := validateKey(key); err != nil {
		return nil, nil, err
	}
	claim, answer, err := s.Idempotency.Claim(ctx, MemberID(ctx), op.Name, key, op.Plan.Fingerprint(req))
	if err != nil {
		return nil, nil, err
	}
	if claim == nil {
		previous = &StoredResult{}
		if err := json.Unmarshal(answer, previous); err != nil {
			return nil, nil, fmt.Errorf("decode the stored result of %s: %w", op.Name, err)
		}
		if previous.Error != nil {
			return nil, previous, previous.Error
		}
		return nil, previous, nil
	}
	completed := false
	defer func() {
		if !completed {
			s.finishKey(ctx, op, claim.Release)
		}
	}()
	page, err = do(claim.Context(ctx))
	result, err := store(page, err)
	if result != nil {
		completed = true
		s.finishKey(ctx, op, func(ctx context.Context) error {
			text, err := json.Marshal(result)
			return errors.Join(err, claim.Complete(ctx, text, result.Location))
		})
	}
	return page, nil, err
}

// finishTime is how long completing or releasing an idempotency key may take.
const finishTime = 5 * time.Second

// finishKey completes or releases an idempotency key, even if the deadline of ctx has passed.
func (s *Site) finishKey(ctx context.Context, op *Operation, finish func(context.Context) error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTime)
	defer cancel()
	if err := finish(ctx); err != nil {
		s.Log.Error("complete idempotency key", "operation", op.Name, "err", err)
	}
}

// ResultIn returns what to store for a write that was requested in a format: its page in the
// formats of programs and in that one, or the error if retrying cannot help.
func (s *Site) ResultIn(op *Operation, format Format) NewResult {
	return func(page Page, err error) (*StoredResult, error) {
		if err != nil {
			return s.storedError(err), err
		}
		result := &StoredResult{Status: op.Success(), Formats: map[Format][]byte{}}
		if op.Creates {
			result.Location = s.ResourceOf(page)
		}
		if result.Tool, err = s.StoreTool(op, page); err != nil {
			return nil, fmt.Errorf("render the tool result of %s: %w", op.Name, err)
		}
		for _, f := range []Format{JSON, Markdown, format} {
			body, err := s.RenderSafely(context.Background(), page, f)
			if err != nil {
				return nil, fmt.Errorf("render %s as %s: %w", op.Name, f, err)
			}
			result.Formats[f] = body
		}
		return result, nil
	}
}

// storedError returns the result of a failed write, nil if a retry may succeed.
func (s *Site) storedError(err error) *StoredResult {
	perr := s.PublicError(err)
	if known, _ := s.Codes.Lookup(perr.Code); known.Status >= 500 || known.Status == 429 || known.Status == 0 && perr.Kind == problem.Internal {
		return nil
	}
	e := *perr
	e.Cause = nil
	return &StoredResult{Error: &e}
}

// validateKey returns an error if key is not a valid idempotency key.
func validateKey(key string) error {
	printable := !strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r > '~' })
	if len(key) <= maxKeyLength && printable {
		return nil
	}
	message := problem.Programf("An idempotency key must be 1 to 255 printable ASCII characters.")
	return &problem.Error{Kind: problem.Invalid, Code: "invalid_parameter", Message: message, Hint: problem.Programf("Use a new UUID for each write."),
		Fields: []problem.FieldError{{Field: KeyHeader, Code: "invalid_value", Message: message}}}
}

// CutKeyArgument separates the idempotency key from the arguments of a tool.
func (o *Operation) CutKeyArgument(pairs []bind.Pair) (key string, rest []bind.Pair) {
	i := slices.IndexFunc(pairs, func(p bind.Pair) bool { return p.Name == KeyArgument })
	if i < 0 || !o.AcceptsKey() {
		return "", pairs
	}
	return pairs[i].Value, slices.Delete(slices.Clone(pairs), i, i+1)
}
