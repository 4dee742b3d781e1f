package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/secondlight/secondlight/handlers/web/bind"
)

// keyStore is an IdempotencyStore with one key. It fails, as a database does, once the context
// has ended.
type keyStore struct{ state string }

func (k *keyStore) Claim(ctx context.Context, _, _, _, _ string) (Claim, []byte, error) {
	k.state = "claimed"
	return k, nil, ctx.Err()
}

func (k *keyStore) Context(ctx context.Context) context.Context { return ctx }

func (k *keyStore) Complete(ctx context.Context, _ []byte, _ string) error {
	return k.finish(ctx, "completed")
}

func (k *keyStore) Release(ctx context.Context) error { return k.finish(ctx, "released") }

func (k *keyStore) finish(ctx context.Context, state string) error {
	if ctx.Err() == nil {
		k.state = state
	}
	return ctx.Err()
}

// A write that takes longer than the deadline of its request, and than finishing its key may
// take, completes or releases the key.
func TestSlowWriteFinishesItsKey(t *testing.T) {
	plan, err := bind.PlanFor(reflect.TypeFor[struct{}]())
	if err != nil {
		t.Fatal(err)
	}
	op := &Operation{Op: Op[any, Page]{Name: "create", Method: http.MethodPost, Path: "/api/things", Access: Members}, Plan: plan}
	for state, failure := range map[string]error{"completed": nil, "released": errors.New("it failed")} {
		t.Run(state, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), finishTime)
				defer cancel()
				key := &keyStore{}
				site := &Site{Config: Config{Idempotency: key, Log: slog.New(slog.DiscardHandler), Settle: func(context.Context) {}}}
				store := func(_ Page, err error) (*StoredResult, error) {
					if err != nil {
						return nil, err
					}
					return &StoredResult{}, nil
				}
				_, _, err := site.DoIdempotent(ctx, op, "key", &bind.Request{}, store, func(context.Context) (Page, error) {
					time.Sleep(2 * finishTime)
					return nil, failure
				})
				if key.state != state || !errors.Is(err, failure) {
					t.Errorf("the key is %s, want %s; %v", key.state, state, err)
				}
			})
		})
	}
}
