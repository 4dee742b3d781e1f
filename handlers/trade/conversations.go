package trade

import (
	"context"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	views "github.com/secondlight/secondlight/views/trade"
)

// conversationOps holds the operations on conversations.
type conversationOps struct{ Deps }

// Numbers of conversations and messages per page.
const (
	ConversationsShown = 30
	MessagesShown      = 50
)

type writeMessageInput struct {
	ID   string `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Text string `json:"text" jsonschema:"message text, plain text" maxlength:"4000" example:"Is the light meter accurate?"`
}

func (s conversationOps) writeMessage() web.Operation {
	return web.Op[writeMessageInput, *views.Conversation]{
		Name: "write_message", Method: http.MethodPost, Path: "/api/listings/{id}/messages", Page: "/listings/{id}/messages", Form: "/listings/{id}",
		Access: web.Members, Scope: string(models.MessagesWrite), Creates: true, Done: "Message sent.",
		Tag: "Messages", Title: "Message a seller",
		Summary: "Sends a message to the seller of a listing.",
		Description: "Sends a message to the seller of a listing and returns the conversation; the first message starts one. " +
			"Sellers reply with reply_message. To propose a price use make_offer. Email addresses are not shared.",
		Errors: []string{"listing_not_found", "own_listing", "blocked", "too_many_messages"},
		Sample: s.sampleConversation,
		Do: func(ctx context.Context, in *writeMessageInput) (*views.Conversation, error) {
			c, _, err := s.Trades.SendMessage(ctx, strings.ToLower(in.ID), caller.ID(ctx), in.Text)
			if err != nil {
				return nil, err
			}
			return s.readConversation(ctx, c.ID, 0)
		},
	}.Operation()
}

type messageTraderInput struct {
	offerInput
	Text string `json:"text" jsonschema:"message text, plain text" maxlength:"4000" example:"Would Saturday suit you?"`
}

func (s conversationOps) messageTrader() web.Operation {
	return web.Op[messageTraderInput, *views.Conversation]{
		Name: "message_trader", Method: http.MethodPost, Path: "/api/offers/{id}/messages", Page: "/account/offers/{id}/messages", Form: "/account/offers/{id}",
		Access: web.Members, Scope: string(models.MessagesWrite), Creates: true, Done: "Message sent.",
		Tag: "Messages", Title: "Message the other side of an offer",
		Summary: "Sends a message to the buyer or seller of one of your offers.",
		Description: "Sends a message to the other party of an offer and returns the conversation about the listing; the first message starts one. " +
			"A seller can write first, once: the buyer answers, makes another offer or agrees on a sale before the next message.",
		Errors: []string{"offer_not_found", "blocked", "not_answered", "too_many_messages"},
		Sample: s.sampleConversation,
		Do: func(ctx context.Context, in *messageTraderInput) (*views.Conversation, error) {
			c, err := s.Trades.MessageTrader(ctx, strings.ToLower(in.ID), caller.ID(ctx), in.Text)
			if err != nil {
				return nil, err
			}
			return s.readConversation(ctx, c.ID, 0)
		},
	}.Operation()
}

type conversationInput struct {
	ID     string `json:"id" in:"path" jsonschema:"UUID of the conversation" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page, for earlier messages"`
}

func (s conversationOps) getConversation() web.Operation {
	return web.Op[conversationInput, *views.Conversation]{
		Name: "get_conversation", Path: "/api/conversations/{id}", Page: "/account/messages/{id}",
		Access: web.Members, Scope: string(models.AccountRead),
		Tag: "Messages", Title: "Read a conversation",
		Summary: "Returns the messages of a conversation.",
		Description: "Returns the latest messages of one of your conversations in chronological order. " +
			"Get the id from list_conversations; use cursor for earlier messages. It doesn't mark messages as read; mark_conversation_read does.",
		Errors: []string{"conversation_not_found", "invalid_cursor"},
		Sample: s.sampleConversation,
		Do: func(ctx context.Context, in *conversationInput) (*views.Conversation, error) {
			before, _, err := input.ReadCursor(in.Cursor)
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

func (s conversationOps) markConversationRead() web.Operation {
	return web.Op[markReadInput, *views.Conversation]{
		Name: "mark_conversation_read", Method: http.MethodPost, Path: "/api/conversations/{id}/read", Page: "/account/messages/{id}/read", Form: "/account/messages/{id}",
		Access: web.Members, Scope: string(models.MessagesWrite), Done: "Marked as read.",
		Tag: "Messages", Title: "Mark a conversation as read",
		Summary:     "Marks the messages of a conversation as read.",
		Description: "Marks every message of one of your conversations as read and returns the conversation. Sending a message does the same.",
		Errors:      []string{"conversation_not_found"},
		Sample:      s.sampleConversation,
		Do: func(ctx context.Context, in *markReadInput) (*views.Conversation, error) {
			id := strings.ToLower(in.ID)
			if err := s.Trades.MarkRead(ctx, id, caller.ID(ctx)); err != nil {
				return nil, err
			}
			return s.readConversation(ctx, id, 0)
		},
	}.Operation()
}

type replyInput struct {
	ID   string `json:"id" in:"path" jsonschema:"UUID of the conversation" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Text string `json:"text" jsonschema:"message text, plain text" maxlength:"4000" example:"It is, I had it checked in May."`
}

func (s conversationOps) replyMessage() web.Operation {
	return web.Op[replyInput, *views.Conversation]{
		Name: "reply_message", Method: http.MethodPost, Path: "/api/conversations/{id}/messages", Page: "/account/messages/{id}",
		Access: web.Members, Scope: string(models.MessagesWrite), Creates: true, Done: "Message sent.",
		Tag: "Messages", Title: "Reply",
		Summary:     "Sends a message in a conversation.",
		Description: "Sends a message in one of your conversations, as buyer or seller, and returns the conversation.",
		Errors:      []string{"conversation_not_found", "blocked", "not_answered", "too_many_messages"},
		Sample:      s.sampleConversation,
		Do: func(ctx context.Context, in *replyInput) (*views.Conversation, error) {
			c, _, err := s.Trades.Reply(ctx, strings.ToLower(in.ID), caller.ID(ctx), in.Text)
			if err != nil {
				return nil, err
			}
			return s.readConversation(ctx, c.ID, 0)
		},
	}.Operation()
}

// readConversation returns a page of messages before a time, or the latest if it is 0.
func (s conversationOps) readConversation(ctx context.Context, id string, before models.Time) (*views.Conversation, error) {
	me := caller.ID(ctx)
	c, messages, err := s.Trades.Messages(ctx, id, me, before, MessagesShown+1)
	if err != nil {
		return nil, err
	}
	parts := views.ConversationParts{Conversation: c, Me: &caller.Identity(ctx).Member}
	if len(messages) > MessagesShown {
		messages = messages[1:]
		parts.NextCursor = input.WriteCursor(messages[0].At, "")
	}
	parts.Messages = messages
	if parts.With, err = s.Accounts.MemberByID(ctx, c.Other(me)); err != nil {
		return nil, err
	}
	if parts.About, err = s.Moderation.ListingInAnyStatus(ctx, c.ListingID); err != nil {
		return nil, err
	}
	blocked, err := s.Trades.Blocked(ctx, me)
	if err != nil {
		return nil, err
	}
	for _, id := range blocked {
		parts.Blocked = parts.Blocked || id == parts.With.ID
	}
	return views.NewConversation(s.Site, parts), nil
}

type conversationsInput struct {
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page"`
}

func (s conversationOps) listConversations() web.Operation {
	return web.Op[conversationsInput, *views.Conversations]{
		Name: "list_conversations", Path: "/api/conversations", Page: "/account/messages",
		Access: web.Members, Scope: string(models.AccountRead),
		Tag: "Messages", Title: "Conversations",
		Summary:     "Lists your conversations, most recently active first.",
		Description: "Returns your conversations as buyer and seller: the other member, the listing, the last message and the number of unread messages. Read one with get_conversation.",
		Errors:      []string{"invalid_cursor"},
		Sample:      s.sampleConversations,
		Do:          s.readConversations,
	}.Operation()
}

func (s conversationOps) readConversations(ctx context.Context, in *conversationsInput) (*views.Conversations, error) {
	at, id, err := input.ReadCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	me := caller.ID(ctx)
	found, err := s.Trades.Conversations(ctx, me, store.ConversationKey{UpdatedAt: at, ID: id}, ConversationsShown+1)
	if err != nil {
		return nil, err
	}
	unread, err := s.Trades.CountUnread(ctx, me)
	if err != nil {
		return nil, err
	}
	found, next := input.CutPage(found, ConversationsShown, func(r models.Conversation) (models.Time, string) { return r.UpdatedAt, r.ID })
	var memberIDs, listingIDs []string
	for i := range found {
		memberIDs, listingIDs = append(memberIDs, found[i].Other(me)), append(listingIDs, found[i].ListingID)
	}
	members, err := s.Accounts.MembersByID(ctx, memberIDs)
	if err != nil {
		return nil, err
	}
	listings, err := s.Listings.AllListingsByID(ctx, listingIDs)
	if err != nil {
		return nil, err
	}
	parts := make([]views.ConversationParts, len(found))
	for i := range found {
		parts[i] = views.ConversationParts{Conversation: &found[i], With: members[memberIDs[i]], About: listings[listingIDs[i]]}
	}
	return views.NewConversations(s.Site, me, unread, parts, next), nil
}

// sampleConversation returns an example conversation.
func (s conversationOps) sampleConversation() *views.Conversation {
	parts := s.sampleParts()
	parts.Me = &models.Member{ID: "b", Handle: "ada-o", Name: "Ada Ortega"}
	parts.Messages = []models.Message{
		{ID: "019aa7d2-7c00-7000-8000-000000000002", SenderID: "b", Text: "Is the light meter accurate?", At: parts.Conversation.UpdatedAt - 3_600_000},
		{ID: "019aa7d2-7c00-7000-8000-000000000003", SenderID: "s", Text: "It is, I had it checked in May.", At: parts.Conversation.UpdatedAt},
	}
	return views.NewConversation(s.Site, parts)
}

// sampleConversations returns an example list of conversations.
func (s conversationOps) sampleConversations() *views.Conversations {
	return views.NewConversations(s.Site, "b", 1, []views.ConversationParts{s.sampleParts()}, "")
}

// sampleParts returns the parts of an example conversation.
func (s Deps) sampleParts() views.ConversationParts {
	return views.ConversationParts{
		Conversation: &models.Conversation{ID: "019aa7d2-7c00-7000-8000-000000000001", ListingID: "019aa7d2-7c00-7000-8000-000000000000", BuyerID: "b", SellerID: "s",
			UpdatedAt: 1_795_251_600_000, Unread: 1, LastText: "It is, I had it checked in May."},
		With:  &models.Member{ID: "s", Handle: "kleine-blende", Name: "Kleine Blende"},
		About: &models.Listing{ID: "019aa7d2-7c00-7000-8000-000000000000", Title: "Leica M6 Classic 0.72", Price: 249900, Status: models.StatusActive},
	}
}
