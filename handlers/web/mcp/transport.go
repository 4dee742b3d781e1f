package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/secondlight/secondlight/handlers/web"
)

// methods are the methods of requests that the endpoint implements. Notifications have no id.
var methods = []string{"initialize", "server/discover", "ping", "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read",
	"resources/subscribe", "resources/unsubscribe", "prompts/list", "prompts/get", "completion/complete", "logging/setLevel", listenMethod}

// statusVersion is the first version of the protocol in which an unknown method has an HTTP
// status of its own, which the SDK sends.
const statusVersion = "2026-07-28"

// tolerant serves clients that follow the transport loosely. A client that doesn't accept
// streams gets its response as JSON, from plain; an unknown method is a JSON-RPC error with the
// id of the request; an id with more digits than a floating-point number holds is returned
// unchanged.
func tolerant(stream, plain http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next := stream
		if !acceptsStream(r.Header.Values("Accept")) {
			next = plain
		}
		r.Header.Set("Accept", "application/json, text/event-stream")
		body, err := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		var message map[string]json.RawMessage
		if err != nil || json.Unmarshal(body, &message) != nil || message["id"] == nil {
			next.ServeHTTP(w, r) // a notification, or what the SDK refuses
			return
		}
		id := message["id"]
		var method string
		if json.Unmarshal(message["method"], &method) == nil && !slices.Contains(methods, method) && r.Header.Get("Mcp-Protocol-Version") < statusVersion {
			writeUnknownMethod(w, id, method)
			return
		}
		if isLongNumber(id) {
			alias, _ := json.Marshal(uuid.NewString())
			message["id"] = alias
			if body, err = json.Marshal(message); err == nil {
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
				w = &idWriter{w, alias, id}
			}
		}
		next.ServeHTTP(w, r)
	})
}

// acceptsStream reports whether an Accept field names streams of events.
func acceptsStream(accept []string) bool {
	for _, accepted := range strings.Split(strings.Join(accept, ","), ",") {
		if name, _, err := mime.ParseMediaType(accepted); err == nil && (name == "text/event-stream" || name == "text/*") {
			return true
		}
	}
	return false
}

// writeUnknownMethod sends the JSON-RPC error of a method that isn't implemented.
func writeUnknownMethod(w http.ResponseWriter, id json.RawMessage, method string) {
	reason := web.NewObject("code", jsonrpc.CodeMethodNotFound, "message", "There is no method "+method+".")
	text, err := web.EncodeJSON(web.NewObject("jsonrpc", "2.0", "id", id, "error", reason))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", web.JSON.ContentType())
	_, _ = w.Write(text) // the client has gone
}

// isLongNumber reports whether an id is a number that may have more digits than a
// floating-point number holds.
func isLongNumber(id json.RawMessage) bool {
	const digits = 15
	return len(id) > digits && id[0] != '"'
}

// idWriter replaces the id that stands for another in what is written.
type idWriter struct {
	http.ResponseWriter
	alias, id []byte
}

// Write implements http.ResponseWriter.
func (w *idWriter) Write(p []byte) (int, error) {
	_, err := w.ResponseWriter.Write(bytes.Replace(p, w.alias, w.id, 1))
	return len(p), err
}

// Unwrap returns the writer for http.ResponseController.
func (w *idWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
