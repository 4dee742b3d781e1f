package delivery

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/secondlight/secondlight/models/problem"
)

// Guard prevents requests to addresses that others chose, such as webhooks, from
// reaching anything but web servers on the public
// internet: not private networks, cloud metadata, this host or the ports of other
// services. It checks the address of the connection itself, which protects against
// DNS rebinding.
type Guard struct {
	Resolver Resolver                  // nil means net.DefaultResolver
	Own      func() []netip.Addr       // returns the addresses of this host; nil means those of its network interfaces
	Allow    func(netip.AddrPort) bool // reports whether an address may be dialled; nil means Public and not Own
	Roots    *x509.CertPool            // certificate authorities of HTTPS servers; nil means those of the system
}

// Resolver resolves host names. *net.Resolver implements it.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// errNotPublic is the error for every host that webhooks are not sent to: private or
// unknown, or one that cannot be resolved. It does not tell which, so that nobody can
// probe the network of this host.
var errNotPublic = problem.Errorf("The webhook's host wasn't found on the public internet.")

var errPort = problem.Errorf("The webhook's port must be 80, 443, or one above 1023 that no well-known service uses.")

// Check returns an error, worded for the member who entered it, if a webhook may
// not be sent to the URL address. The host is checked again on every connection.
func (g *Guard) Check(ctx context.Context, address string) error {
	if err := checkURL(address); err != nil {
		return err
	}
	u, _ := url.Parse(address)
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	if _, err := g.resolve(ctx, u.Hostname(), portOf(u)); err != nil {
		return errNotPublic
	}
	return nil
}

// resolve returns the addresses of a host. The error is errNotPublic if one of them may
// not be dialled.
func (g *Guard) resolve(ctx context.Context, host string, port uint16) ([]netip.Addr, error) {
	found, err := g.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, errors.New("the host has no address")
	}
	for _, addr := range found { // Control may see an IPv4-mapped address in another form
		if !g.allows(netip.AddrPortFrom(addr, port)) {
			return nil, errNotPublic
		}
	}
	return found, nil
}

// checkURL makes the checks that need no DNS lookup. It refuses schemes other than
// http and https, user information, ports of other services, and hosts written as a
// number, which some resolvers read as an IP address.
func checkURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Opaque != "" {
		return problem.Errorf("The webhook must be an address such as https://example.org/hook.")
	}
	if !webPort(portOf(u)) {
		return errPort
	}
	host := u.Hostname()
	if _, err := netip.ParseAddr(host); err == nil {
		return nil // resolve checks the address
	}
	for _, r := range host {
		if !(r == '-' || r == '.' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return problem.Errorf("The webhook's host must be in ASCII, such as xn--caf-dma.example.")
		}
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	last := strings.ToLower(labels[len(labels)-1])
	if _, err := strconv.ParseUint(last, 0, 64); err == nil || last == "" || last[0] >= '0' && last[0] <= '9' {
		return problem.Errorf("The webhook's host must be a host name.")
	}
	if len(labels) == 1 || last == "localhost" || last == "local" || last == "internal" {
		return errNotPublic
	}
	return nil
}

// portOf returns the port of a URL, or 0 if it is not a number.
func portOf(u *url.URL) uint16 {
	if n, err := strconv.ParseUint(u.Port(), 10, 16); err == nil {
		return uint16(n)
	}
	switch {
	case u.Port() != "":
		return 0
	case u.Scheme == "http":
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
	return Public(to) && !slices.Contains(g.own(), to.Addr())
}

// own returns the addresses of this host.
func (g *Guard) own() []netip.Addr {
	if g.Own != nil {
		return g.Own()
	}
	return interfaceAddresses()
}

// interfaceAddresses returns the addresses of the network interfaces. They are read
// each time, because they may change while the program runs.
func interfaceAddresses() (own []netip.Addr) {
	found, _ := net.InterfaceAddrs() // an error leaves only the checks of Public
	for _, a := range found {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			own = append(own, p.Addr().Unmap())
		}
	}
	return own
}

// client returns an HTTP client that connects only to what the guard allows, and does
// not follow redirects, because the member entered that address only.
func (g *Guard) client(timeout time.Duration) *http.Client {
	return &http.Client{
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                  nil,
			DialContext:            g.dial,
			TLSClientConfig:        &tls.Config{RootCAs: g.Roots},
			TLSHandshakeTimeout:    connectTimeout,
			MaxResponseHeaderBytes: maxResponseHeader,
			DisableKeepAlives:      true,
			DisableCompression:     true,
		},
	}
}

// fetchTimeout limits the time of Fetch, fileTimeout that of FetchFile.
const (
	fetchTimeout = 5 * time.Second
	fileTimeout  = time.Minute
)

// Fetch returns the body of the JSON document at an https address, of at most limit
// bytes.
func (g *Guard) Fetch(ctx context.Context, address string, limit int64) ([]byte, error) {
	body, mediaType, err := g.get(ctx, address, "application/json", limit, fetchTimeout)
	if err == nil && mediaType != "application/json" && !strings.HasSuffix(mediaType, "+json") {
		err = fmt.Errorf("the server sent %q instead of JSON", mediaType)
	}
	return body, err
}

// FetchFile returns the body of the file at an https address, of at most limit bytes,
// whatever its media type.
func (g *Guard) FetchFile(ctx context.Context, address string, limit int64) ([]byte, error) {
	body, _, err := g.get(ctx, address, "*/*", limit, fileTimeout)
	return body, err
}

// get returns the body and the media type of the document at an https address.
func (g *Guard) get(ctx context.Context, address, accept string, limit int64, timeout time.Duration) (body []byte, mediaType string, err error) {
	if err := checkURL(address); err != nil {
		return nil, "", err
	}
	if !strings.HasPrefix(address, "https://") {
		return nil, "", errors.New("the address is not https")
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, "", err
	}
	r.Header.Set("Accept", accept)
	resp, err := g.client(timeout).Do(r)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, "", fmt.Errorf("the server answered %d", resp.StatusCode)
	}
	mediaType, _, _ = mime.ParseMediaType(resp.Header.Get("Content-Type"))
	body, err = io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err == nil && int64(len(body)) > limit {
		err = fmt.Errorf("the document is larger than %d bytes", limit)
	}
	return body, mediaType, err
}

// maxAddresses is how many addresses of a host are dialled before giving up.
const maxAddresses = 4

// dial connects to a host and port. It checks the resolved addresses, and again in
// the dialer's Control function, the one that is connected to.
func (g *Guard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, portText, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil {
		return nil, err
	}
	found, err := g.resolve(ctx, host, uint16(port))
	if err != nil {
		return nil, err
	}
	dialer := net.Dialer{Timeout: connectTimeout, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !g.allows(to) {
			return errNotPublic
		}
		return nil
	}}
	for _, addr := range found[:min(len(found), maxAddresses)] {
		var conn net.Conn
		if conn, err = dialer.DialContext(ctx, network, net.JoinHostPort(addr.String(), portText)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// Public reports whether to is an address on the public internet with a port that
// web servers use.
func Public(to netip.AddrPort) bool {
	addr := to.Addr()
	if !webPort(to.Port()) || addr.Zone() != "" || addr.Is4In6() || !addr.IsGlobalUnicast() {
		return false
	}
	if addr.Is6() && !public6.Contains(addr) {
		return false
	}
	return !slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// webPort reports whether a webhook may be sent to a port: 80, 443, and unprivileged
// ones that are not those of a well-known service.
func webPort(port uint16) bool {
	return port == 80 || port == 443 || port >= 1024 && !slices.Contains(servicePorts, port)
}

// servicePorts lists unprivileged ports of databases, brokers, orchestrators and
// remote access, many of which read an HTTP request as commands or answer it without
// authentication. They are the defaults in the documentation of each, most of them
// in https://www.iana.org/assignments/service-names-port-numbers.
var servicePorts = []uint16{
	1080,                   // SOCKS
	1433, 1434, 1521, 3050, // SQL Server, Oracle, Firebird
	2049,             // NFS
	2181, 2888, 3888, // ZooKeeper
	2375, 2376, 2377, // Docker
	2379, 2380, // etcd
	3128,        // Squid
	3306, 33060, // MySQL
	3389,                           // RDP
	4369, 5671, 5672, 15672, 25672, // RabbitMQ
	4222, 6222, 8222, // NATS
	5432, 6432, // PostgreSQL, PgBouncer
	5601,       // Kibana
	5900, 5901, // VNC
	5984,       // CouchDB
	5985, 5986, // WinRM
	6000,               // X11
	6379, 16379, 26379, // Redis
	6443, 10248, 10249, 10250, 10255, 10256, 10257, 10259, // Kubernetes
	7000, 7001, 7199, 9042, 9160, // Cassandra
	7474, 7687, // Neo4j
	8086,       // InfluxDB
	8125,       // StatsD
	8200, 8201, // Vault
	8300, 8301, 8302, 8500, 8600, // Consul
	8123, 9000, 9009, // ClickHouse
	9090, 9093, 9100, // Prometheus; 9093 also Kafka
	9092, 9094, // Kafka
	9200, 9300, // Elasticsearch
	11211,               // Memcached
	27017, 27018, 27019, // MongoDB
	50000, 50070, // DB2, Hadoop
}

// public6 is the IPv6 range allocated for global unicast. It excludes the metadata
// addresses of AWS (fd00:ec2::254) and Google Cloud (fd20:ce::254), which are unique
// local addresses.
var public6 = netip.MustParsePrefix("2000::/3")

// special lists the ranges in IANA's special-purpose address registries,
// https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry,
// and addresses in public ranges that a cloud routes to its own services.
//
// Among the former are the metadata addresses 169.254.169.254 of most clouds,
// 169.254.170.2 of AWS containers, 100.100.100.200 of Alibaba Cloud and 192.0.0.192 of
// Oracle Cloud.
var special = prefixes("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
	"198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
	// Azure's host node: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
	"168.63.129.16/32")

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}
