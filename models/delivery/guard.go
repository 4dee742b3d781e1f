package delivery

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Guard keeps webhooks from reaching what is not public: this machine, its
// neighbours and the networks behind them. A name is looked up when it is dialled,
// and what counts is the address that is then connected to, so that a name which
// means something else the next time gains nothing.
type Guard struct {
	// Resolver looks names up; nil is the system's.
	Resolver Resolver
	// Allow says whether an address may be connected to; nil is Public.
	Allow func(netip.AddrPort) bool
}

// Resolver looks names up.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// refusal is an address webhooks do not go to.
type refusal struct{ message string }

func (r *refusal) Error() string { return r.message }

var errPrivate = &refusal{"the address is not public"}

// Check reports what keeps an address from being a webhook's, in words for whoever
// typed it. A name that cannot be looked up just now passes: it is looked up again
// whenever something is sent.
func (g *Guard) Check(ctx context.Context, address string) error {
	if err := checkURL(address); err != nil {
		return err
	}
	u, _ := url.Parse(address)
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	found, err := g.lookup(ctx, u.Hostname())
	var dns *net.DNSError
	if errors.As(err, &dns) && dns.IsNotFound {
		return &refusal{fmt.Sprintf("there is no host %q", u.Hostname())}
	}
	for _, addr := range found {
		if !g.allows(netip.AddrPortFrom(addr, portOf(u))) {
			return errPrivate
		}
	}
	return nil
}

// checkURL refuses what is no webhook whoever looks: other schemes, users in the
// address, and hosts written as a number that some resolvers take for an address.
func checkURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Opaque != "" {
		return &refusal{"a webhook is an address such as https://example.org/hook"}
	}
	host := u.Hostname()
	if _, err := netip.ParseAddr(host); err == nil {
		return nil // dialling decides
	}
	for _, r := range host {
		if !(r == '-' || r == '.' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return &refusal{"write the webhook's host in ASCII, such as xn--caf-dma.example"}
		}
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	last := strings.ToLower(labels[len(labels)-1])
	if _, err := strconv.ParseUint(last, 0, 64); err == nil || last == "" || last[0] >= '0' && last[0] <= '9' {
		return &refusal{"write the webhook's address as a host's name"}
	}
	if len(labels) == 1 || last == "localhost" || last == "local" || last == "internal" {
		return errPrivate
	}
	return nil
}

func portOf(u *url.URL) uint16 {
	if n, err := strconv.ParseUint(u.Port(), 10, 16); err == nil {
		return uint16(n)
	}
	if u.Scheme == "http" {
		return 80
	}
	return 443
}

func (g *Guard) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, nil
	}
	if g.Resolver != nil {
		return g.Resolver.LookupNetIP(ctx, "ip", host)
	}
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}

func (g *Guard) allows(to netip.AddrPort) bool {
	if g.Allow != nil {
		return g.Allow(to)
	}
	return Public(to)
}

// maxTried is how many addresses of a name are tried.
const maxTried = 4

// dial connects to a host. The check stands between the socket and the
// connection: whatever looked the name up, no other address is connected to.
func (g *Guard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	found, err := g.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	to, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, err
	}
	for _, addr := range found { // as it was written, which the socket may not tell
		if !g.allows(netip.AddrPortFrom(addr, uint16(to))) {
			return nil, errPrivate
		}
	}
	dialer := net.Dialer{Timeout: connectTime, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !g.allows(to) {
			return errPrivate
		}
		return nil
	}}
	err = errors.New("the name has no address")
	for _, addr := range found[:min(len(found), maxTried)] {
		var conn net.Conn
		if conn, err = dialer.DialContext(ctx, network, net.JoinHostPort(addr.String(), port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// Public reports whether an address is one of the public internet, and its port
// one where somebody receives webhooks: those of the web, and those anybody may open.
func Public(to netip.AddrPort) bool {
	addr := to.Addr()
	if p := to.Port(); p != 80 && p != 443 && p < 1024 {
		return false
	}
	if addr.Zone() != "" || addr.Is4In6() || !addr.IsGlobalUnicast() {
		return false
	}
	if addr.Is6() && !public6.Contains(addr) {
		return false
	}
	for _, p := range special {
		if p.Contains(addr) {
			return false
		}
	}
	return true
}

// public6 are the addresses of IPv6 given out so far; what translates IPv4 stands
// outside, but for what special names.
var public6 = netip.MustParsePrefix("2000::/3")

// special are the ranges of IANA's registries of special-purpose addresses.
var special = prefixes("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
	"198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}
