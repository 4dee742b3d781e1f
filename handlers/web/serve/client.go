package serve

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"net"
	"net/netip"
	"strings"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/handlers/web"
)

// Addr returns the address of the client: that of the peer or, if the peer is
// a trusted proxy, the rightmost address in X-Forwarded-For that is not. Addresses
// to its left are written by the client and cannot be trusted.
func (s *Server) clientAddr(ctx *fasthttp.RequestCtx) netip.Addr {
	var addr netip.Addr
	if tcp, ok := ctx.RemoteAddr().(*net.TCPAddr); ok {
		addr = tcp.AddrPort().Addr().Unmap()
	}
	if !s.trusts(addr) {
		return addr
	}
	lines := ctx.Request.Header.PeekAll("X-Forwarded-For")
	for i := len(lines) - 1; i >= 0; i-- {
		for hops := string(lines[i]); hops != ""; {
			var hop string
			if cut := strings.LastIndexByte(hops, ','); cut >= 0 {
				hops, hop = hops[:cut], hops[cut+1:]
			} else {
				hops, hop = "", hops
			}
			next, ok := parseHop(hop)
			if !ok {
				return addr
			}
			addr = next
			if !s.trusts(addr) {
				return addr
			}
		}
	}
	return addr
}

// parseHop parses an IP address with or without a port.
func parseHop(hop string) (netip.Addr, bool) {
	hop = strings.TrimSpace(hop)
	if a, err := netip.ParseAddr(strings.Trim(hop, "[]")); err == nil {
		return a.Unmap().WithZone(""), true
	}
	if ap, err := netip.ParseAddrPort(hop); err == nil {
		return ap.Addr().Unmap().WithZone(""), true
	}
	return netip.Addr{}, false
}

// trusts reports whether an address is that of a trusted proxy.
func (s *Server) trusts(addr netip.Addr) bool {
	for _, p := range s.TrustedProxies {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// requestID returns the request id that a trusted proxy has set, or a new one.
func (s *Server) requestID(ctx *fasthttp.RequestCtx) string {
	if len(s.TrustedProxies) > 0 {
		if tcp, ok := ctx.RemoteAddr().(*net.TCPAddr); ok && s.trusts(tcp.AddrPort().Addr().Unmap()) {
			if id := ctx.Request.Header.PeekBytes(web.HdrRequestID); len(id) > 0 && len(id) <= 64 && web.Token(id) {
				return string(id)
			}
		}
	}
	var raw [8]byte
	binary.LittleEndian.PutUint64(raw[:], rand.Uint64())
	return hex.EncodeToString(raw[:])
}
