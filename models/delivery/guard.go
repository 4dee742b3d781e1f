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

// Guard prevents webhooks from reaching addresses that are not public, such as
// loopback and private networks. It checks the address of the connection itself,
// which protects against DNS rebinding.
type Guard struct {
	Resolver Resolver                  // nil means net.DefaultResolver
	Allow    func(netip.AddrPort) bool // reports whether an address may be dialled; nil means Public
}

// Resolver resolves host names. *net.Resolver implements it.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// refusal is the error for an address that webhooks are not sent to.
type refusal struct{ message string }

func (r *refusal) Error() string { return r.message }

var errPrivate = &refusal{"the address is not public"}

// Check returns an error, worded for the member who entered it, if a webhook may
// not be sent to the URL address. A host that cannot be resolved right now passes:
// it is checked again before every delivery.
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
		return &refusal{fmt.Sprintf("the host %q does not exist", u.Hostname())}
	}
	for _, addr := range found {
		if !g.allows(netip.AddrPortFrom(addr, portOf(u))) {
			return errPrivate
		}
	}
	return nil
}

// checkURL makes the checks that need no DNS lookup. It refuses schemes other than
// http and https, user information, and hosts written as a number, which some
// resolvers read as an IP address.
func checkURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Opaque != "" {
		return &refusal{"the webhook must be an address such as https://example.org/hook"}
	}
	host := u.Hostname()
	if _, err := netip.ParseAddr(host); err == nil {
		return nil // dial checks the address
	}
	for _, r := range host {
		if !(r == '-' || r == '.' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return &refusal{"the webhook's host must be in ASCII, such as xn--caf-dma.example"}
		}
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	last := strings.ToLower(labels[len(labels)-1])
	if _, err := strconv.ParseUint(last, 0, 64); err == nil || last == "" || last[0] >= '0' && last[0] <= '9' {
		return &refusal{"the webhook's host must be a host name"}
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

// maxAddresses is how many addresses of a host are dialled before giving up.
const maxAddresses = 4

// dial connects to a host and port. It checks the resolved addresses, and again in
// the dialer's Control function, the one that is connected to.
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
	for _, addr := range found { // Control may see an IPv4-mapped address in another form
		if !g.allows(netip.AddrPortFrom(addr, uint16(to))) {
			return nil, errPrivate
		}
	}
	dialer := net.Dialer{Timeout: connectTimeout, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !g.allows(to) {
			return errPrivate
		}
		return nil
	}}
	err = errors.New("the host has no address")
	for _, addr := range found[:min(len(found), maxAddresses)] {
		var conn net.Conn
		if conn, err = dialer.DialContext(ctx, network, net.JoinHostPort(addr.String(), port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// Public reports whether to is an address on the public internet with port 80, 443
// or an unprivileged one.
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

// public6 is the IPv6 range allocated for global unicast.
var public6 = netip.MustParsePrefix("2000::/3")

// special lists the ranges in IANA's special-purpose address registries.
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
