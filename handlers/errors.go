package handlers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// errorCodes is every code the site answers with, in the order /errors shows
// them. A code is promised: it is never given another meaning.
var errorCodes = []views.ErrorCode{
	{Code: "invalid_parameter", Status: 400, Title: "Invalid parameter", Meaning: "One or more parameters have a value the operation cannot use.", Repair: "Read errors: it names each field, what is wrong with it, and the values allowed."},
	{Code: "invalid_value", Status: 400, Title: "Invalid value", Meaning: "A field has a value outside the allowed ones. It stands in errors, beside the field.", Repair: "Use one of the values the message names."},
	{Code: "unknown_parameter", Status: 400, Title: "Unknown parameter", Meaning: "The API refuses parameters it does not know, so that a slip of the pen does not change what is found.", Repair: "Use the name the hint proposes, or leave the parameter out."},
	{Code: "missing_parameter", Status: 400, Title: "Missing parameter", Meaning: "A parameter the operation needs was not given.", Repair: "Add the parameter that errors names."},
	{Code: "duplicate_parameter", Status: 400, Title: "Duplicate parameter", Meaning: "A parameter that takes one value was given several times.", Repair: "Give it once. Parameters that may be repeated are marked as arrays in /openapi.json."},
	{Code: "invalid_cursor", Status: 400, Title: "Invalid cursor", Meaning: "The cursor was not made by this site, or for another search.", Repair: "Leave the cursor out to begin again, and pass next_cursor on as it is."},
	{Code: "invalid_encoding", Status: 400, Title: "Invalid encoding", Meaning: "The address is not percent-encoded UTF-8.", Repair: "Encode values as UTF-8, then percent-encode them."},
	{Code: "bad_request", Status: 400, Title: "Bad request", Meaning: "The request is not valid HTTP.", Repair: "Check the request line and the header fields."},
	{Code: "unauthenticated", Status: 401, Title: "Sign in first", Meaning: "Only members may do this.", Repair: "Sign in at /sign-in, or send a token as Authorization: Bearer sl_…; /auth.md says how to get one."},
	{Code: "invalid_token", Status: 401, Title: "Invalid token", Meaning: "The token is unknown, expired or revoked.", Repair: "Make a new one at /account/tokens and send it as Authorization: Bearer sl_…, or leave the field out to read what is public."},
	{Code: "sign_in_failed", Status: 401, Title: "Signing in failed", Meaning: "No account has this address and password.", Repair: "Try again, or reset the password at /reset-password."},
	{Code: "passkey_refused", Status: 401, Title: "Passkey refused", Meaning: "The passkey is not one that is known here, or it did not answer as it should.", Repair: "Try again, or sign in with the password at /sign-in."},
	{Code: "cross_site", Status: 403, Title: "Cross-site request refused", Meaning: "A page of another site tried to change something here.", Repair: "Send the request from a page of this site, or from a program that is not a browser."},
	{Code: "insufficient_scope", Status: 403, Title: "Insufficient scope", Meaning: "The token may not do this.", Repair: "Use a token with the scope the answer names; /account/tokens makes one."},
	{Code: "session_required", Status: 403, Title: "Not with a token", Meaning: "Only the member in a browser may do this, not a token.", Repair: "Sign in at /sign-in and do it there."},
	{Code: "operators_only", Status: 403, Title: "Operators only", Meaning: "Only an operator of the site may do this.", Repair: "Report what is wrong; an operator looks at it."},
	{Code: "account_suspended", Status: 403, Title: "Account suspended", Meaning: "The operator has suspended the account: it may read and leave, and change nothing.", Repair: "Write to the operator; /about says how."},
	{Code: "not_yours", Status: 403, Title: "Not yours", Meaning: "It belongs to another member.", Repair: "Change what is yours; GET /api/me/listings has your listings."},
	{Code: "own_listing", Status: 403, Title: "Your own listing", Meaning: "Nobody trades with themselves.", Repair: "Do it with the listing of another member."},
	{Code: "blocked", Status: 403, Title: "Blocked", Meaning: "One of you two has blocked the other.", Repair: "Leave it at that."},
	{Code: "not_your_turn", Status: 403, Title: "Not your turn", Meaning: "The offer waits for the other side, or is over.", Repair: "Read it with GET /api/offers; its steps say what you can do."},
	{Code: "passkey_not_found", Status: 404, Title: "Passkey not found", Meaning: "You have no passkey with this id.", Repair: "See yours at /account/passkeys."},
	{Code: "page_not_found", Status: 404, Title: "Page not found", Meaning: "Nothing is at this address.", Repair: "Start from / or /developers; /openapi.json lists every API address."},
	{Code: "listing_not_found", Status: 404, Title: "Listing not found", Meaning: "No public listing has this id.", Repair: "Search with GET /api/listings/search?keyword=…"},
	{Code: "gear_not_found", Status: 404, Title: "Gear not found", Meaning: "The catalogue has no gear with this brand and model.", Repair: "Use one of the links, or find its slug with GET /api/gear?keyword=…"},
	{Code: "brand_not_found", Status: 404, Title: "Brand not found", Meaning: "The catalogue has no brand with this slug.", Repair: "GET /api/gear lists every brand."},
	{Code: "seller_not_found", Status: 404, Title: "Seller not found", Meaning: "No seller has this handle.", Repair: "Follow the seller link of a listing."},
	{Code: "project_not_found", Status: 404, Title: "Project not found", Meaning: "The portfolio has no project with this slug.", Repair: "GET /api/portfolio lists every project."},
	{Code: "guide_not_found", Status: 404, Title: "Guide not found", Meaning: "There is no guide with this name.", Repair: "Use one of the links."},
	{Code: "entry_not_found", Status: 404, Title: "Journal entry not found", Meaning: "The journal has no piece with this name.", Repair: "Use one of the links; /journal lists every piece."},
	{Code: "error_not_found", Status: 404, Title: "Error code not found", Meaning: "No error has this code.", Repair: "/errors lists every code."},
	{Code: "photo_not_found", Status: 404, Title: "Photo not found", Meaning: "There is no photograph at this address.", Repair: "Use the addresses that a listing or a project gives its photographs."},
	{Code: "member_not_found", Status: 404, Title: "Member not found", Meaning: "No member has this handle.", Repair: "Take the handle from a listing, an offer or a conversation."},
	{Code: "offer_not_found", Status: 404, Title: "Offer not found", Meaning: "You have made and received no offer with this id.", Repair: "GET /api/offers lists yours."},
	{Code: "conversation_not_found", Status: 404, Title: "Conversation not found", Meaning: "You are in no conversation with this id.", Repair: "GET /api/conversations lists yours."},
	{Code: "report_not_found", Status: 404, Title: "Report not found", Meaning: "There is no report with this id.", Repair: "GET /api/reports lists those that wait."},
	{Code: "search_not_found", Status: 404, Title: "Saved search not found", Meaning: "You have saved no search with this id.", Repair: "GET /api/searches lists yours."},
	{Code: "token_not_found", Status: 404, Title: "Token not found", Meaning: "You have no token with this id.", Repair: "GET /api/tokens lists yours."},
	{Code: "code_invalid", Status: 404, Title: "Code not valid", Meaning: "The link was used already, is too old, or was cut off.", Repair: "Ask for a new one."},
	{Code: "method_not_allowed", Status: 405, Title: "Method not allowed", Meaning: "The address exists but does not take this method.", Repair: "Use a method the Allow field names."},
	{Code: "not_acceptable", Status: 406, Title: "Not acceptable", Meaning: "The Accept field refuses every face this address has.", Repair: "Ask for one of the types the message names, or leave Accept out."},
	{Code: "request_timeout", Status: 408, Title: "Request timeout", Meaning: "The request did not arrive in time.", Repair: "Send it again over a steadier connection."},
	{Code: "conflict", Status: 409, Title: "Conflict", Meaning: "What you want to change has changed meanwhile.", Repair: "Read it again, then decide."},
	{Code: "wrong_status", Status: 409, Title: "Wrong status", Meaning: "What it is now does not allow this step.", Repair: "Read it again; its status says what can be done."},
	{Code: "not_for_sale", Status: 409, Title: "Not for sale", Meaning: "The listing is not for sale.", Repair: "Search for another with GET /api/listings/search?keyword=…"},
	{Code: "offer_accepted", Status: 409, Title: "Offer accepted", Meaning: "An offer on the listing was accepted: it moves with its offer.", Repair: "Complete or withdraw the offer first."},
	{Code: "offer_exists", Status: 409, Title: "Offer exists", Meaning: "You have an open offer on this listing already.", Repair: "Answer that one, or withdraw it first."},
	{Code: "too_many_rounds", Status: 409, Title: "Too many rounds", Meaning: "The two of you have proposed as often as an offer allows.", Repair: "Accept or decline."},
	{Code: "rated_already", Status: 409, Title: "Rated already", Meaning: "You have rated this trade.", Repair: "A rating stands as it was given."},
	{Code: "reported_already", Status: 409, Title: "Reported already", Meaning: "You have reported this listing, and the report is open.", Repair: "Wait for the operator."},
	{Code: "handle_taken", Status: 409, Title: "Handle taken", Meaning: "Somebody else has this handle.", Repair: "Choose another."},
	{Code: "email_taken", Status: 409, Title: "Address taken", Meaning: "An account has this e-mail address.", Repair: "Use another, or reset the password of that account."},
	{Code: "too_many_passkeys", Status: 409, Title: "Too many passkeys", Meaning: "You have as many passkeys as a member may have, or this one already.", Repair: "Remove one you do not use at /account/passkeys."},
	{Code: "too_many_tokens", Status: 409, Title: "Too many tokens", Meaning: "You have as many tokens as a member may have.", Repair: "Revoke one you do not use."},
	{Code: "too_many_watches", Status: 409, Title: "Watchlist full", Meaning: "You watch as many listings as a member may.", Repair: "Take one off the list."},
	{Code: "too_many_searches", Status: 409, Title: "Too many saved searches", Meaning: "You keep as many searches as a member may.", Repair: "Delete one."},
	{Code: "too_many_offers", Status: 409, Title: "Too many offers", Meaning: "You have as many open offers as you may.", Repair: "Withdraw one, or wait for an answer."},
	{Code: "idempotency_in_progress", Status: 409, Title: "Under way", Meaning: "The first request with this Idempotency-Key is not finished.", Repair: "Wait a second and send the same request again; it is not done twice."},
	{Code: "idempotency_answer_lost", Status: 409, Title: "Answer lost", Meaning: "The request with this Idempotency-Key was done, and its answer was lost.", Repair: "Do not send it again: read what there is now."},
	{Code: "too_many_listings", Status: 409, Title: "Too many listings", Meaning: "You have as many open listings as you may.", Repair: "End or discard one."},
	{Code: "listing_changed", Status: 412, Title: "Listing changed", Meaning: "The listing is not any more what you read.", Repair: "Read it again and send the change with its new ETag in If-Match."},
	{Code: "search_changed", Status: 412, Title: "Saved search changed", Meaning: "The saved search is not any more what you read.", Repair: "Read it again and send the change with its new ETag in If-Match."},
	{Code: "body_too_large", Status: 413, Title: "Body too large", Meaning: "The request body is over the limit.", Repair: "Send less: a request takes 4 MB, and one of a member's photographs 32 MB."},
	{Code: "unsupported_media_type", Status: 415, Title: "Unsupported media type", Meaning: "The request body is not of a type this address reads.", Repair: "Send application/json."},
	{Code: "idempotency_key_reused", Status: 422, Title: "Key used before", Meaning: "The Idempotency-Key was used for another request.", Repair: "Make a new key for each write; send the same one only to send the same write again."},
	{Code: "precondition_required", Status: 428, Title: "Precondition required", Meaning: "A change must say what it is a change of.", Repair: "Read it first and send its ETag in If-Match."},
	{Code: "rate_limited", Status: 429, Title: "Too many requests", Meaning: "You have used up the requests of this minute.", Repair: "Wait as long as Retry-After says. The RateLimit fields of every answer say what is left."},
	{Code: "too_many_guesses", Status: 429, Title: "Too many guesses", Meaning: "There were too many failed tries.", Repair: "Wait as long as the message says, or reset the password."},
	{Code: "too_many_messages", Status: 429, Title: "Too many messages", Meaning: "You have sent as many messages as a member may in a day.", Repair: "Wait for answers."},
	{Code: "too_many_today", Status: 429, Title: "Too many for today", Meaning: "A new account may do this so many times within a day.", Repair: "Go on tomorrow; a week after you joined the limit falls away."},
	{Code: "too_many_keys", Status: 429, Title: "Too many keys", Meaning: "You have used as many Idempotency-Keys as a member may in a day.", Repair: "Leave the field out, or wait until the first of them are a day old."},
	{Code: "header_too_large", Status: 431, Title: "Header too large", Meaning: "The header fields or the address are longer than the server reads.", Repair: "Shorten the address, or clear the cookies of this site."},
	{Code: "internal_error", Status: 500, Title: "Internal error", Meaning: "Something is wrong on our side. The cause is in our log under the request id.", Repair: "Ask again in a moment; if it stays, tell us the request id."},
	{Code: "method_not_implemented", Status: 501, Title: "Method not implemented", Meaning: "The server does not know this method.", Repair: "Use GET to read."},
	{Code: "passkeys_unavailable", Status: 501, Title: "No passkeys here", Meaning: "The site is reached by a network address, and passkeys are made for names.", Repair: "Sign in with the password."},
	{Code: "unavailable", Status: 503, Title: "Not available now", Meaning: "The site cannot answer this at the moment.", Repair: "Ask again after the time Retry-After says."},
}

// errorCode is what the catalogue says of a code; false when it has none.
func errorCode(code string) (views.ErrorCode, bool) {
	for _, c := range errorCodes {
		if c.Code == code {
			return c, true
		}
	}
	return views.ErrorCode{}, false
}

// Errors of the server itself that have no more to say than their code.
var (
	errUnknownMethod = fromCode("method_not_implemented")
	errCrossSite     = fromCode("cross_site")
)

// fromCode is an error that says what the catalogue says.
func fromCode(code string) *models.Error {
	c, ok := errorCode(code)
	if !ok {
		panic("error code " + code + " is not in the catalogue")
	}
	return &models.Error{Code: code, Message: c.Meaning, Hint: c.Repair}
}

// kindStatus and kindCode are what a kind means in HTTP where its code does not say.
var (
	kindStatus = map[models.Kind]int{models.Internal: 500, models.Invalid: 400, models.NotFound: 404, models.Conflict: 409, models.Unavailable: 503,
		models.Unauthenticated: 401, models.Forbidden: 403, models.TooMany: 429, models.Changed: 412}
	statusCode = map[int]string{
		400: "bad_request", 401: "unauthenticated", 403: "cross_site", 404: "page_not_found", 405: "method_not_allowed", 406: "not_acceptable", 408: "request_timeout",
		409: "conflict", 413: "body_too_large", 415: "unsupported_media_type", 429: "rate_limited", 431: "header_too_large", 501: "method_not_implemented", 503: "unavailable",
	}
)

// public is what the reader may know of any error. What is not a *models.Error
// with a known kind is ours: the reader gets internal_error and nothing of the cause.
func public(err error) *models.Error {
	var told *models.Error
	if errors.As(err, &told) {
		if _, known := errorCode(told.Code); known || told.Kind != models.Internal {
			return told
		}
	}
	var http *fiber.Error
	if errors.As(err, &http) {
		if code, ok := statusCode[http.Code]; ok {
			return fromCode(code)
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fromCode("unavailable")
	}
	return fromCode("internal_error")
}

// problem is an error as the faces tell it.
func (s *Server) problem(err error, requestID string) *views.Error {
	told := public(err)
	known, ok := errorCode(told.Code)
	if !ok {
		known = views.ErrorCode{Status: kindStatus[told.Kind], Title: sentenceCase(told.Code), Repair: "Correct the request and ask again."}
	}
	p := &views.Error{
		Type:      s.site.BaseURL + "/errors/" + told.Code,
		Title:     known.Title,
		Status:    known.Status,
		Code:      told.Code,
		Message:   told.Message,
		Hint:      told.Hint,
		RequestID: requestID,
	}
	if p.Hint == "" {
		p.Hint = known.Repair
	}
	for _, f := range told.Fields {
		p.Errors = append(p.Errors, views.FieldError(f))
	}
	for _, l := range told.Links {
		p.Links = append(p.Links, views.Link(l))
	}
	return p
}

// fail answers with an error, in the face the request wants. It cannot fail
// itself: when the face does not render, the JSON is sent.
func (s *Server) fail(ctx *fasthttp.RequestCtx, x *exchange, err error) {
	allow := string(ctx.Response.Header.Peek("Allow"))
	ctx.Response.Reset()
	p := s.problem(err, x.id)
	s.logFailure(ctx, x, p, err)

	face := errorFace(ctx, x)
	body, renderErr := s.renderSafely(p, face)
	if renderErr != nil {
		s.log.Error("error page does not render", "request_id", x.id, "err", renderErr)
		face, body = JSON, encodeJSON(p)
	}
	contentType := face.ContentType()
	if face == JSON {
		contentType = problemType
	}
	h := &ctx.Response.Header
	ctx.Response.SetStatusCode(p.Status)
	h.SetContentType(contentType)
	h.Set("Cache-Control", cacheNever)
	countTokens(h, contentType, body)
	h.Set("Link", "<"+p.Type+`>; rel="help", </openapi.json>; rel="service-desc"; type="application/json"`)
	if allow != "" {
		h.Set("Allow", allow)
	}
	if p.Status == fasthttp.StatusUnauthorized || p.Code == "insufficient_scope" {
		h.Set("WWW-Authenticate", s.challenge(p.Code, x.scope))
	}
	if p.Status == fasthttp.StatusTooManyRequests {
		h.Set("Retry-After", strconv.Itoa(cmp.Or(public(err).Wait, x.quota.reset)))
	}
	if p.Status == fasthttp.StatusServiceUnavailable {
		h.Set("Retry-After", "5")
	}
	ctx.Response.SetBodyRaw(body)
}

// errorFace is the face an error is told in: the one the suffix or Accept asks
// for, else the first of that side of the site.
func errorFace(ctx *fasthttp.RequestCtx, x *exchange) Face {
	offers := []Face{HTML, Markdown, JSON}
	if x.side == api {
		offers = []Face{JSON, Markdown, HTML}
	}
	switch {
	case x.suffixed && x.face <= JSON:
		return x.face
	case x.suffixed:
		return JSON
	}
	if face, ok := choose(ctx.Request.Header.PeekAll("Accept"), offers); ok {
		return face
	}
	return offers[0]
}

// failEarly answers a request that could not be read, which therefore never
// came past the front.
func (s *Server) failEarly(ctx *fasthttp.RequestCtx, err error) {
	x := exchange{at: s.clock(), side: api, client: client{addr: s.clientAddr(ctx)}}
	x.id = s.requestID(ctx)
	x.quota = s.limiter.take(x.client, s.apiPolicy, 1, x.at)
	s.fail(ctx, &x, err)
	s.complete(ctx)
	s.sign(ctx, &x)
	s.logAccess(ctx, &x)
}

// onError is where every error of a handler ends.
func (s *Server) onError(c *fiber.Ctx, err error) error {
	ctx := c.Context()
	x := exchangeOf(ctx)
	if x == nil {
		s.failEarly(ctx, err)
		return nil
	}
	var http *fiber.Error
	if errors.As(err, &http) && http.Code == fiber.StatusMethodNotAllowed {
		if ctx.IsOptions() {
			s.options(ctx)
			return nil
		}
		allow := string(ctx.Response.Header.Peek("Allow"))
		ctx.Response.Header.Set("Allow", allow+", OPTIONS")
		err = &models.Error{Code: "method_not_allowed",
			Message: fmt.Sprintf("%s is not allowed here; allowed: %s, OPTIONS.", ctx.Method(), allow)}
	}
	s.fail(ctx, x, err)
	return nil
}

// options answers which methods an address has, and a browser that asks
// whether a script of another site may read it.
func (s *Server) options(ctx *fasthttp.RequestCtx) {
	h := &ctx.Response.Header
	allow := string(h.Peek("Allow")) + ", OPTIONS"
	ctx.Response.SetStatusCode(fasthttp.StatusNoContent)
	ctx.Response.ResetBody()
	h.Set("Allow", allow)
	h.Set("Cache-Control", cacheShort)
	if len(ctx.Request.Header.Peek("Access-Control-Request-Method")) > 0 {
		h.Set("Access-Control-Allow-Methods", allow)
		h.Set("Access-Control-Allow-Headers", "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Traceparent")
		h.Set("Access-Control-Max-Age", "86400")
	}
}

// panicked is a panic as an error, with its stack for the log.
func panicked(value any) error { return fmt.Errorf("panic: %v\n%s", value, debug.Stack()) }

// logFailure writes down what went wrong on our side, under the request id.
func (s *Server) logFailure(ctx *fasthttp.RequestCtx, x *exchange, p *views.Error, err error) {
	if p.Status < 500 || p.Status == 501 {
		return
	}
	s.log.Error("request failed", append(s.logFields(ctx, x), slog.String("code", p.Code), slog.Any("err", err))...)
}

// logAccess writes one line for each request at level debug.
func (s *Server) logAccess(ctx *fasthttp.RequestCtx, x *exchange) {
	if !s.log.Enabled(context.Background(), slog.LevelDebug) {
		return
	}
	s.log.Debug("request", append(s.logFields(ctx, x), slog.Int("status", ctx.Response.StatusCode()),
		slog.Int("bytes", bodyLength(ctx)), slog.Duration("took", s.clock().Sub(x.at)))...)
}

// bodyLength is the size of a response's body, -1 when it is a stream, which
// nobody but its reader may read.
func bodyLength(ctx *fasthttp.RequestCtx) int {
	if ctx.Response.IsBodyStream() {
		return -1
	}
	return len(ctx.Response.Body())
}

// traceParent is the form of a traceparent field (W3C Trace Context): version,
// trace, parent and flags. Later versions may append what this one cannot read.
var traceParent = regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-[!-~]*)?$`)

// traceOf is the trace a caller says its request is part of, else "". A field
// that does not keep the standard counts for nothing.
func traceOf(ctx *fasthttp.RequestCtx) string {
	lines := ctx.Request.Header.PeekAll("Traceparent")
	if len(lines) != 1 || len(lines[0]) > 512 || !traceParent.Match(lines[0]) {
		return ""
	}
	trace := string(lines[0])
	switch {
	case strings.HasPrefix(trace, "ff"), strings.HasPrefix(trace, "00-") && len(trace) != 55,
		trace[3:35] == strings.Repeat("0", 32), trace[36:52] == strings.Repeat("0", 16):
		return ""
	}
	return trace
}

// logFields say which request it was. A traceparent joins it to the caller's trace.
func (s *Server) logFields(ctx *fasthttp.RequestCtx, x *exchange) []any {
	fields := []any{slog.String("request_id", x.id), slog.String("client", x.client.String()),
		slog.String("method", string(ctx.Method())), slog.String("uri", string(ctx.RequestURI()))}
	if trace := traceOf(ctx); trace != "" {
		fields = append(fields, slog.String("traceparent", trace))
	}
	return fields
}

// listErrors is the catalogue of error codes.
func (s *Server) listErrors() Operation {
	return Op[struct{}, *views.ErrorIndex]{
		Name:        "list_errors",
		Page:        "/errors",
		Tag:         "Service",
		Title:       "Error codes",
		Summary:     "Every error code and what it means.",
		Description: "Lists every code an answer can fail with, its status and its meaning.",
		Text:        true,
		Do: func(context.Context, *struct{}) (*views.ErrorIndex, error) {
			return views.NewErrorIndex(&s.site, errorCodes), nil
		},
	}.Operation()
}

type getErrorIn struct {
	Code string `json:"code" in:"path" jsonschema:"error code" example:"listing_not_found"`
}

// getError explains one code.
func (s *Server) getError() Operation {
	return Op[getErrorIn, *views.ErrorCode]{
		Name:        "get_error",
		Page:        "/errors/{code}",
		Tag:         "Service",
		Title:       "Error code",
		Summary:     "What an error code means and how to repair the request.",
		Description: "Explains one error code: its status, its meaning, and what to do about it.",
		Errors:      []string{"error_not_found"},
		Do: func(_ context.Context, in *getErrorIn) (*views.ErrorCode, error) {
			if code, ok := errorCode(in.Code); ok {
				return code.On(&s.site), nil
			}
			e := &models.Error{Kind: models.NotFound, Code: "error_not_found", Message: fmt.Sprintf("No error has the code %q.", in.Code),
				Links: []models.ErrorLink{{Href: "/errors", Label: "All errors"}}}
			if near := nearest(in.Code, codeNames()); near != "" {
				e.Hint = "Did you mean " + near + "?"
			}
			return nil, e
		},
	}.Operation()
}

func codeNames() []string {
	var names []string
	for _, c := range errorCodes {
		names = append(names, c.Code)
	}
	return names
}

// sentenceCase turns a code into words: "listing_not_found" is "Listing not found".
func sentenceCase(code string) string {
	words := strings.ReplaceAll(code, "_", " ")
	if words == "" {
		return "Error"
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
