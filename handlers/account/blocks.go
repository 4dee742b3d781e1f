package account

import (
	"context"
	"net/http"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/account"
)

// blockOps holds the operations on blocked members.
type blockOps struct{ Deps }

type blockInput struct {
	Handle string `json:"handle" in:"path" jsonschema:"handle of the member" example:"kleine-blende"`
}

func (s blockOps) listBlocks() web.Operation {
	return web.Op[struct{}, *views.Blocks]{
		Name: "list_blocks", Path: "/api/blocks", Page: "/account/blocks",
		Access: web.Members, Scope: string(models.AccountRead),
		Tag: "Messages", Title: "Blocked members",
		Summary:     "Lists the members you have blocked.",
		Description: "Returns the members you have blocked. They can't send you messages or offers.",
		Sample: func() *views.Blocks {
			return views.NewBlocks(s.Site, []*models.Member{{Handle: "kleine-blende", Name: "Kleine Blende"}})
		},
		Do: func(ctx context.Context, _ *struct{}) (*views.Blocks, error) { return s.readBlocks(ctx) },
	}.Operation()
}

func (s blockOps) readBlocks(ctx context.Context) (*views.Blocks, error) {
	ids, err := s.Trades.Blocked(ctx, caller.ID(ctx))
	if err != nil {
		return nil, err
	}
	byID, err := s.Accounts.MembersByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	members := make([]*models.Member, len(ids))
	for i, id := range ids {
		members[i] = byID[id]
	}
	return views.NewBlocks(s.Site, members), nil
}

func (s blockOps) blockMember() web.Operation {
	return s.block(web.Op[blockInput, *views.Blocks]{
		Name: "block_member", Method: http.MethodPut, Page: "/account/blocks/{handle}", Done: "Member blocked. They can no longer send you messages or offers.",
		Title:       "Block a member",
		Summary:     "Blocks messages and offers from a member.",
		Description: "Messages and offers from the member are refused from then on. Returns the blocked members. Undo it with unblock_member.",
		Errors:      []string{"member_not_found", "invalid_parameter"},
	}, true)
}

func (s blockOps) unblockMember() web.Operation {
	return s.block(web.Op[blockInput, *views.Blocks]{
		Name: "unblock_member", Method: http.MethodDelete, Page: "/account/blocks/{handle}/remove", Done: "Member unblocked. They can contact you again.",
		Title:       "Unblock a member",
		Summary:     "Allows messages and offers from a member again.",
		Description: "Reverses block_member and returns the members that are still blocked.",
		Errors:      []string{"member_not_found"},
	}, false)
}

// block completes an operation that blocks or unblocks a member.
func (s blockOps) block(op web.Op[blockInput, *views.Blocks], block bool) web.Operation {
	op.Path, op.Form, op.Access, op.Scope, op.Tag = "/api/blocks/{handle}", op.Page, web.Members, string(models.MessagesWrite), "Messages"
	op.Sample = func() *views.Blocks { return views.NewBlocks(s.Site, nil) }
	op.Do = func(ctx context.Context, in *blockInput) (*views.Blocks, error) {
		m, err := s.Accounts.Member(ctx, input.ReadHandle(in.Handle))
		if err != nil {
			return nil, err
		}
		if m.ID == caller.ID(ctx) {
			return nil, &problem.Error{Kind: problem.Invalid, Code: "invalid_parameter", Message: problem.Textf("You can't block yourself."), Hint: problem.Textf("Enter another member's username.")}
		}
		if err := s.Trades.Block(ctx, caller.ID(ctx), m.ID, block); err != nil {
			return nil, err
		}
		return s.readBlocks(ctx)
	}
	return op.Operation()
}
