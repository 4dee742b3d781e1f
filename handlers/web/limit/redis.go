package limit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/gomodule/redigo/redis"
)

// Redis is the address of a Redis or Valkey server.
type Redis struct {
	Network  string // tcp or unix
	Addr     string // host and port, or the path of a socket
	User     string
	Password string // "" to connect without signing in
	Database int
	TLS      bool
}

// ParseRedis parses redis://user:password@host:6379/0, rediss:// for TLS, or
// unix://user:password@/path?db=0. Everything but the host or the path is optional. Errors do
// not contain the URL, which may contain a password.
func ParseRedis(text string) (*Redis, error) {
	u, err := url.Parse(text)
	if err != nil || u.Opaque != "" {
		return nil, errors.New("not a URL")
	}
	r := &Redis{Network: "tcp", User: u.User.Username(), TLS: u.Scheme == "rediss"}
	r.Password, _ = u.User.Password()
	query := u.Query()
	database := query.Get("db")
	switch u.Scheme {
	case "redis", "rediss":
		r.Addr = net.JoinHostPort(cmp.Or(u.Hostname(), "localhost"), cmp.Or(u.Port(), "6379"))
		database = cmp.Or(database, strings.Trim(u.Path, "/"))
	case "unix":
		r.Network, r.Addr = "unix", u.Path
		if r.Addr == "" {
			return nil, errors.New("no path")
		}
	default:
		return nil, fmt.Errorf("unknown scheme %q", u.Scheme)
	}
	if query.Del("db"); len(query) > 0 {
		return nil, errors.New("unknown parameters")
	}
	if r.Database, err = strconv.Atoi(cmp.Or(database, "0")); err != nil || r.Database < 0 {
		return nil, errors.New("the database is not a number")
	}
	return r, nil
}

// Dial connects and signs in, before ctx ends. A command on the connection ends with its own
// context.
func (r *Redis) Dial(ctx context.Context) (redis.Conn, error) {
	return redis.DialContext(ctx, r.Network, r.Addr, redis.DialUsername(r.User), redis.DialPassword(r.Password), redis.DialDatabase(r.Database), redis.DialUseTLS(r.TLS))
}
