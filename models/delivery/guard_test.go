package delivery

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

// private lists addresses webhooks must not reach: IP addresses in every notation a
// resolver accepts, and names that resolve to private addresses.
var private = []string{
	"http://127.0.0.1/", "http://127.8.9.10:8080/", "http://0.0.0.0/", "http://0.1.2.3/",
	"http://10.0.0.1/", "http://172.16.0.1/", "http://172.31.255.255/", "http://192.168.1.1/", "http://169.254.169.254/latest/meta-data/",
	"http://100.64.0.1/", "http://100.127.255.254/", "http://192.0.0.8/", "http://198.18.0.1/", "http://224.0.0.1/", "http://239.255.255.250:1900/",
	"http://240.0.0.1/", "http://255.255.255.255/", "http://203.0.113.7/", "http://192.88.99.1/",
	"http://2130706433/", "http://0x7f000001/", "http://017700000001/", "http://0177.0.0.1/", "http://127.1/", "http://0x7f.1/", "http://127.0.0.1./",
	"http://[::1]/", "http://[::]/", "http://[fe80::1]/", "http://[fe80::1%25eth0]/", "http://[fc00::1]/", "http://[fd12:3456::1]/", "http://[ff02::1]/",
	"http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[::ffff:8.8.8.8]/", "http://[::127.0.0.1]/", "http://[64:ff9b::7f00:1]/", "http://[64:ff9b:1::a00:1]/",
	"http://[2002:7f00:1::]/", "http://[2001:0:7f00:1::1]/", "http://[2001:db8::1]/", "http://[fec0::1]/", "http://[100::1]/", "http://[5f00::1]/",
	"http://localhost/", "http://LOCALHOST:8080/", "http://db.localhost/", "http://intranet/", "http://printer.local/", "http://metadata.google.internal/",
	"http://inside.example/", "http://mixed.example/", "http://six.example/", "http://mapped.example/",
	"http://example.org:22/", "http://example.org:25/", "https://8.8.8.8:6/", "http://example.org:6379/", "http://example.org:9200/", "http://8.8.8.8:5432/",
	"http://example.org:3306/", "http://example.org:11211/", "http://example.org:27017/", "http://example.org:2375/", "http://example.org:2379/", "http://example.org:8500/",
	"http://example.org:9092/", "http://example.org:15672/", "http://example.org:5984/", "http://example.org:6443/", "http://example.org:10250/",
	"http://example.org:0/", "http://example.org:70000/",
	// Cloud metadata.
	"http://169.254.169.254/", "http://169.254.170.2/", "http://[fd00:ec2::254]/", "http://[fd20:ce::254]/", "http://168.63.129.16/", "http://100.100.100.200/", "http://192.0.0.192/",
	"http://azure.example/",
	// Addresses of this host.
	"http://93.184.215.99/", "http://[2606:2800:21f::99]/", "http://self.example/",
	"http://127.0.0.1\u3002example/", "http://①②⑦.0.0.1/", "http://jane@127.0.0.1/", "gopher://example.org/", "file:///etc/passwd", "//example.org/", "http:example.org", "http://", "",
}

var resolver = names{
	"inside.example": {{"10.1.2.3"}}, "mixed.example": {{"93.184.215.14", "127.0.0.1"}}, "six.example": {{"fd00::1"}}, "mapped.example": {{"::ffff:10.0.0.1"}},
	"azure.example": {{"168.63.129.16"}}, "self.example": {{"93.184.215.99"}}, "empty.example": {{}},
	"example.org": {{"93.184.215.14"}}, "six.example.org": {{"2606:2800:21f:cb07:6820:80da:af6b:8b2c"}},
}

func ownAddresses() []netip.Addr {
	return []netip.Addr{netip.MustParseAddr("93.184.215.99"), netip.MustParseAddr("2606:2800:21f::99")}
}

func TestGuardRefusesPrivateAddresses(t *testing.T) {
	b := newBench(t, storetest.SQLite(t), func(cfg *Config) { cfg.Guard = &Guard{Resolver: resolver, Own: ownAddresses} })
	for _, address := range private {
		if err := b.Guard.Check(t.Context(), address); err == nil {
			t.Errorf("Check(%q) = nil, want an error", address)
		}
		err := b.hooks.post(t.Context(), &models.Delivery{Recipient: address, Body: "{}"})
		if err == nil || !strings.HasSuffix(err.Error(), errPermanent.Error()) {
			t.Errorf("post to %q = %v, want a permanent failure", address, err)
		}
	}
	for _, address := range []string{"https://example.org/hook", "http://example.org:8080/", "http://example.org:8443/", "http://example.org:3000/", "https://six.example.org/", "https://93.184.215.14/", "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/"} {
		if err := b.Guard.Check(t.Context(), address); err != nil {
			t.Errorf("Check(%q) = %v", address, err)
		}
	}
}

// TestGuardDoesNotRevealPrivateNames checks that a private name, an unknown one and one
// that can't be resolved are refused with the same error.
func TestGuardDoesNotRevealPrivateNames(t *testing.T) {
	g := &Guard{Resolver: resolver, Own: ownAddresses}
	want := g.Check(t.Context(), "http://unknown.example/")
	for _, host := range []string{"inside.example", "mixed.example", "six.example", "azure.example", "self.example", "empty.example", "10.0.0.1", "[::1]", "localhost", "db.internal", "93.184.215.99"} {
		if err := g.Check(t.Context(), "http://"+host+"/"); err == nil || err.Error() != want.Error() {
			t.Errorf("%s is refused with %v, an unknown host with %v", host, err, want)
		}
	}
}

// TestGuardRefusesInterfaces checks that the addresses of the network interfaces count
// as this host's own.
func TestGuardRefusesInterfaces(t *testing.T) {
	own := (&Guard{}).own()
	if !slices.Contains(own, netip.MustParseAddr("127.0.0.1")) {
		t.Errorf("own addresses %v lack the loopback interface", own)
	}
}

// TestDNSRebinding resolves a host to a public address when it is checked and to a
// private one when it is dialled.
func TestDNSRebinding(t *testing.T) {
	got, address := newReceiver(t)
	rebound := names{"hook.example": {{"93.184.215.14"}, {"127.0.0.1"}}}
	b := newBench(t, storetest.SQLite(t), func(cfg *Config) { cfg.Guard = &Guard{Resolver: rebound} })
	if err := b.Guard.Check(t.Context(), address); err != nil {
		t.Fatal(err)
	}
	b.queue(t, models.Delivery{Kind: models.Webhook, Recipient: address, Body: "{}"})
	for range 3 {
		b.send(t)
		b.now = b.now.Add(time.Hour)
	}
	if len(got.bodies) != 0 || !strings.Contains(b.log.String(), "public internet") {
		t.Errorf("%d arrived; %s", len(got.bodies), b.log.String())
	}
}

// TestRedirectsAreNotFollowed has a public receiver redirect to a private one.
func TestRedirectsAreNotFollowed(t *testing.T) {
	inner, private := newReceiver(t)
	outer, public := newReceiver(t)
	outer.status = 307
	b := newBench(t, storetest.SQLite(t), func(cfg *Config) {
		cfg.Guard = &Guard{Resolver: names{"hook.example": {{"127.0.0.1"}}}, Allow: func(to netip.AddrPort) bool { return strings.HasSuffix(public, ":"+portText(to)) }}
	})
	outer.location = strings.Replace(private, "hook.example", "127.0.0.1", 1)
	b.queue(t, models.Delivery{Kind: models.Webhook, Recipient: public, Body: "{}"})
	b.send(t)
	if len(outer.bodies) != 1 || len(inner.bodies) != 0 {
		t.Errorf("%d outside, %d inside", len(outer.bodies), len(inner.bodies))
	}
	// The private receiver is not reached by its own address either.
	b.queue(t, models.Delivery{Kind: models.Webhook, Recipient: private, Body: "{}"})
	b.send(t)
	if len(inner.bodies) != 0 {
		t.Error("the private receiver was reached")
	}
}

func TestParseSMTP(t *testing.T) {
	for address, want := range map[string]SMTP{
		"smtp://mail.example":             {host: "mail.example", port: 587},
		"smtp://jane:p%40ss@mail.example": {host: "mail.example", port: 587, user: "jane", password: "p@ss"},
		"smtps://mail.example":            {host: "mail.example", port: 465, implicit: true},
		"smtp://[::1]:2525/":              {host: "::1", port: 2525},
	} {
		got, err := ParseSMTP(address)
		if err != nil || *got != want {
			t.Errorf("%s is %+v, %v", address, got, err)
		}
	}
	for _, address := range []string{"mail.example", "http://mail.example", "smtp://", "smtp://mail.example/inbox", "smtp://mail.example:99999", "smtp://jane:secret@mail.example:port"} {
		if _, err := ParseSMTP(address); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("ParseSMTP(%q) = %v, want an error without the password", address, err)
		}
	}
}
