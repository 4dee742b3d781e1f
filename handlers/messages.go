package handlers

import (
	"context"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// messageOperations are what members write each other.
func (s *Server) messageOperations() []Operation {
	return []Operation{s.writeMessage(), s.listConversations(), s.getConversation(), s.markConversationRead(), s.replyMessage(), s.listBlocks(), s.blockMember(), s.unblockMember()}
}

// How many conversations and messages a page shows.
const (
	conversationsShown = 30
	messagesShown      = 50
)

type writeMessageInput struct {
	ID   string `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Text string `json:"text" jsonschema:"what to write, plain text" maxlength:"4000" example:"Is the light meter accurate?"`
}

func (s *Server) writeMessage() Operation {
	return Op[writeMessageInput, *views.Conversation]{
		Name: "write_message", Method: http.MethodPost, Path: "/api/listings/{id}/messages", Page: "/listings/{id}/messages", Form: "/listings/{id}",
		Access: Members, Scope: models.MessagesWrite, Creates: true, Done: "Your message was sent.",
		Tag: "Messages", Title: "Write to a seller",
		Summary: "Writes to the seller of a listing.",
		Description: "Sends the seller of a listing a message as the member; the first one begins a conversation, which is answered with. " +
			"Sellers answer with reply_message. To propose a price make an offer instead. Nobody learns the other's e-mail address.",
		Errors: []string{"listing_not_found", "own_listing", "blocked", "too_many_messages"},
		Sample: s.sampleConversation,
		Do: func(ctx context.Context, in *writeMessageInput) (*views.Conversation, error) {
			c, _, err := s.store.Write(ctx, strings.ToLower(in.ID), memberID(ctx), in.Text)
			if err != nil {
				return nil, err
			}
			return s.readConversation(ctx, c.ID, 0)
		},
	}.Operation()
}

type conversationInput struct {
	ID     string `json:"id" in:"path" jsonschema:"UUID of the conversation" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the page before, for earlier messages"`
}

func (s *Server) getConversation() Operation {
	return Op[conversationInput, *views.Conversation]{
		Name: "get_conversation", Path: "/api/conversations/{id}", Page: "/account/messages/{id}",
		Access: Members, Scope: models.AccountRead,
		Tag: "Messages", Title: "Read a conversation",
		Summary: "The messages of a conversation.",
		Description: "Answers with the last messages of one of the member's conversations, oldest of them first. " +
			"Take the id from list_conversations; cursor leads to earlier messages. Reading marks nothing as read: mark_conversation_read does.",
		Errors: []string{"conversation_not_found", "invalid_cursor"},
		Sample: s.sampleConversation,
		Do: func(ctx context.Context, in *conversationInput) (*views.Conversation, error) {
			before, _, err := readCursor(in.Cursor)
			if err != nil {
				return nil, err
			}
			return s.readConversation(ctx, strings.ToLower(in.ID), before)
		},
	}.Operation()
}

type markReadInput struct {
	ID string `json:"id" in:"path" jsonschema:"UUID of the conversation" example:"019aa7d2-7c00-7000-8000-000000000000"`
}

func (s *Server) markConversationRead() Operation {
	return Op[markReadInput, *views.Conversation]{
		Name: "mark_conversation_read", Method: http.MethodPost, Path: "/api/conversations/{id}/read", Page: "/account/messages/{id}/read", Form: "/account/messages/{id}",
		Access: Members, Scope: models.MessagesWrite, Done: "The conversation is marked as read.",
		Tag: "Messages", Title: "Mark a conversation as read",
		Summary:     "Marks the messages of a conversation as read.",
		Description: "Marks every message of one of the member's conversations as read by the member, and answers with the conversation. Sending a message does the same.",
		Errors:      []string{"conversation_not_found"},
		Sample:      s.sampleConversation,
		Do: func(ctx context.Context, in *markReadInput) (*views.Conversation, error) {
			id := strings.ToLower(in.ID)
			if err := s.store.MarkRead(ctx, id, memberID(ctx)); err != nil {
				return nil, err
			}
			return s.readConversation(ctx, id, 0)
		},
	}.Operation()
}

type replyInput struct {
	ID   string `json:"id" in:"path" jsonschema:"UUID of the conversation" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Text string `json:"text" jsonschema:"what to write, plain text" maxlength:"4000" example:"It is, I had it checked in May."`
}

func (s *Server) replyMessage() Operation {
	return Op[replyInput, *views.Conversation]{
		Name: "reply_message", Method: http.MethodPost, Path: "/api/conversations/{id}/messages", Page: "/account/messages/{id}",
		Access: Members, Scope: models.MessagesWrite, Creates: true, Done: "Your message was sent.",
		Tag: "Messages", Title: "Reply",
		Summary:     "Writes in a conversation.",
		Description: "Sends a message in a conversation the member takes part in, as buyer or as seller, and answers with the conversation.",
		Errors:      []string{"conversation_not_found", "blocked", "too_many_messages"},
		Sample:      s.sampleConversation,
		Do: func(ctx context.Context, in *replyInput) (*views.Conversation, error) {
			c, _, err := s.store.Reply(ctx, strings.ToLower(in.ID), memberID(ctx), in.Text)
			if err != nil {
				return nil, err
			}
			return s.readConversation(ctx, c.ID, 0)
		},
	}.Operation()
}

func (s *Server) readConversation(ctx context.Context, id string, before models.Time) (*views.Conversation, error) {
	me := memberID(ctx)
	c, messages, err := s.store.Messages(ctx, id, me, before, messagesShown+1)
	if err != nil {
		return nil, err
	}
	parts := views.ConversationParts{Conversation: c, Me: &callerOf(ctx).Member}
	if len(messages) > messagesShown {
		messages = messages[1:]
		parts.NextCursor = writeCursor(messages[0].At, "")
	}
	parts.Messages = messages
	if parts.With, err = s.store.MemberByID(ctx, c.Other(me)); err != nil {
		return nil, err
	}
	if parts.About, err = s.store.JudgedListing(ctx, c.ListingID); err != nil {
		return nil, err
	}
	blocked, err := s.store.Blocked(ctx, me)
	if err != nil {
		return nil, err
	}
	for _, id := range blocked {
		parts.Blocked = parts.Blocked || id == parts.With.ID
	}
	return views.NewConversation(&s.site, parts), nil
}

type conversationsInput struct {
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the page before, as it is"`
}

func (s *Server) listConversations() Operation {
	return Op[conversationsInput, *views.Conversations]{
		Name: "list_conversations", Path: "/api/conversations", Page: "/account/messages",
		Access: Members, Scope: models.AccountRead,
		Tag: "Messages", Title: "Conversations",
		Summary:     "The member's conversations, the last to move first.",
		Description: "Answers with the member's conversations as buyer and as seller: who with, about which listing, the last message, and how many are unread. Read one with get_conversation.",
		Errors:      []string{"invalid_cursor"},
		Sample:      s.sampleConversations,
		Do:          s.readConversations,
	}.Operation()
}

func (s *Server) readConversations(ctx context.Context, in *conversationsInput) (*views.Conversations, error) {
	at, id, err := readCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	me := memberID(ctx)
	found, err := s.store.Conversations(ctx, me, models.ConversationKey{UpdatedAt: at, ID: id}, conversationsShown+1)
	if err != nil {
		return nil, err
	}
	unread, err := s.store.CountUnread(ctx, me)
	if err != nil {
		return nil, err
	}
	next := ""
	if len(found) > conversationsShown {
		found = found[:conversationsShown]
		last := &found[len(found)-1]
		next = writeCursor(last.UpdatedAt, last.ID)
	}
	var memberIDs, listingIDs []string
	for i := range found {
		memberIDs, listingIDs = append(memberIDs, found[i].Other(me)), append(listingIDs, found[i].ListingID)
	}
	members, err := s.store.MembersByID(ctx, memberIDs)
	if err != nil {
		return nil, err
	}
	listings, err := s.store.AllListingsByID(ctx, listingIDs)
	if err != nil {
		return nil, err
	}
	parts := make([]views.ConversationParts, len(found))
	for i := range found {
		parts[i] = views.ConversationParts{Conversation: &found[i], With: members[memberIDs[i]], About: listings[listingIDs[i]]}
	}
	return views.NewConversations(&s.site, me, unread, parts, next), nil
}

type blockInput struct {
	Handle string `json:"handle" in:"path" jsonschema:"handle of the member" example:"kleine-blende"`
}

func (s *Server) listBlocks() Operation {
	return Op[struct{}, *views.Blocks]{
		Name: "list_blocks", Path: "/api/blocks", Page: "/account/blocks",
		Access: Members, Scope: models.AccountRead,
		Tag: "Messages", Title: "Blocked members",
		Summary:     "Whom the member has blocked.",
		Description: "Answers with the members from whom this one takes neither messages nor offers.",
		Sample: func() *views.Blocks {
			return views.NewBlocks(&s.site, []*models.Member{{Handle: "kleine-blende", Name: "Kleine Blende"}})
		},
		Do: func(ctx context.Context, _ *struct{}) (*views.Blocks, error) { return s.readBlocks(ctx) },
	}.Operation()
}

func (s *Server) readBlocks(ctx context.Context) (*views.Blocks, error) {
	ids, err := s.store.Blocked(ctx, memberID(ctx))
	if err != nil {
		return nil, err
	}
	byID, err := s.store.MembersByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	members := make([]*models.Member, len(ids))
	for i, id := range ids {
		members[i] = byID[id]
	}
	return views.NewBlocks(&s.site, members), nil
}

func (s *Server) blockMember() Operation {
	return s.block(Op[blockInput, *views.Blocks]{
		Name: "block_member", Method: http.MethodPut, Page: "/account/blocks/{handle}", Done: "You take nothing from this member any more.",
		Title:       "Block a member",
		Summary:     "Stops messages and offers of a member.",
		Description: "From then on the member is refused who writes or offers. Answers with everybody who is blocked; unblock_member takes it back.",
		Errors:      []string{"member_not_found", "invalid_parameter"},
	}, true)
}

func (s *Server) unblockMember() Operation {
	return s.block(Op[blockInput, *views.Blocks]{
		Name: "unblock_member", Method: http.MethodDelete, Page: "/account/blocks/{handle}/remove", Done: "This member may write to you again.",
		Title:       "Unblock a member",
		Summary:     "Lets messages and offers of a member through again.",
		Description: "Takes back what block_member did, and answers with everybody who still is blocked.",
		Errors:      []string{"member_not_found"},
	}, false)
}

func (s *Server) block(op Op[blockInput, *views.Blocks], block bool) Operation {
	op.Path, op.Form, op.Access, op.Scope, op.Tag = "/api/blocks/{handle}", op.Page, Members, models.MessagesWrite, "Messages"
	op.Sample = func() *views.Blocks { return views.NewBlocks(&s.site, nil) }
	op.Do = func(ctx context.Context, in *blockInput) (*views.Blocks, error) {
		m, err := s.store.Member(ctx, strings.ToLower(in.Handle))
		if err != nil {
			return nil, err
		}
		if m.ID == memberID(ctx) {
			return nil, &models.Error{Kind: models.Invalid, Code: "invalid_parameter", Message: "That is you.", Hint: "Block others."}
		}
		if err := s.store.Block(ctx, memberID(ctx), m.ID, block); err != nil {
			return nil, err
		}
		return s.readBlocks(ctx)
	}
	return op.Operation()
}

// A conversation of invented people, for the documents.
func (s *Server) sampleConversation() *views.Conversation {
	parts := s.sampleParts()
	parts.Me = &models.Member{ID: "b", Handle: "ada-o", Name: "Ada Ortega"}
	parts.Messages = []models.Message{
		{ID: "019aa7d2-7c00-7000-8000-000000000002", SenderID: "b", Text: "Is the light meter accurate?", At: parts.Conversation.UpdatedAt - 3_600_000},
		{ID: "019aa7d2-7c00-7000-8000-000000000003", SenderID: "s", Text: "It is, I had it checked in May.", At: parts.Conversation.UpdatedAt},
	}
	return views.NewConversation(&s.site, parts)
}

func (s *Server) sampleConversations() *views.Conversations {
	return views.NewConversations(&s.site, "b", 1, []views.ConversationParts{s.sampleParts()}, "")
}

func (s *Server) sampleParts() views.ConversationParts {
	return views.ConversationParts{
		Conversation: &models.Conversation{ID: "019aa7d2-7c00-7000-8000-000000000001", ListingID: "019aa7d2-7c00-7000-8000-000000000000", BuyerID: "b", SellerID: "s",
			UpdatedAt: 1_795_251_600_000, Unread: 1, LastText: "It is, I had it checked in May."},
		With:  &models.Member{ID: "s", Handle: "kleine-blende", Name: "Kleine Blende"},
		About: &models.Listing{ID: "019aa7d2-7c00-7000-8000-000000000000", Title: "Leica M6 Classic 0.72", Price: 249900, Status: models.StatusActive},
	}
}
