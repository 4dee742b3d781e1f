package limit

import "testing"

func TestParseRedis(t *testing.T) {
	for text, want := range map[string]Redis{
		"redis://cache":                          {Network: "tcp", Addr: "cache:6379"},
		"redis://":                               {Network: "tcp", Addr: "localhost:6379"},
		"redis://ada:se%3Acret@[::1]:7000/3":     {Network: "tcp", Addr: "[::1]:7000", User: "ada", Password: "se:cret", Database: 3},
		"rediss://:secret@cache.example/":        {Network: "tcp", Addr: "cache.example:6379", Password: "secret", TLS: true},
		"redis://cache?db=2":                     {Network: "tcp", Addr: "cache:6379", Database: 2},
		"unix:///run/redis.sock":                 {Network: "unix", Addr: "/run/redis.sock"},
		"unix://ada:secret@/run/redis.sock?db=4": {Network: "unix", Addr: "/run/redis.sock", User: "ada", Password: "secret", Database: 4},
	} {
		if r, err := ParseRedis(text); err != nil || *r != want {
			t.Errorf("%s: %+v, %v", text, r, err)
		}
	}
	for _, text := range []string{"", "cache:6379", "http://cache", "unix://", "redis://cache/shop", "redis://cache/-1", "redis://cache:port", "redis:cache", "redis://cache?timeout=3"} {
		if r, err := ParseRedis(text); err == nil {
			t.Errorf("%s: %+v", text, r)
		}
	}
}
