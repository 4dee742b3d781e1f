package languages

import (
	"context"
	"sync"
	"time"
	_ "time/tzdata" // for machines without zoneinfo
)

// zoneKey is the context key of the *time.Location.
type zoneKey struct{}

// zones holds the time zones that were asked for, by name.
var zones sync.Map

// InZone returns a copy of ctx for readers in a time zone with an IANA name, such as
// "Europe/Berlin", or ctx if there is none.
func InZone(ctx context.Context, name string) context.Context {
	zone, known := zones.Load(name)
	if !known {
		loaded, err := time.LoadLocation(name)
		if err != nil {
			return ctx
		}
		zone = loaded
		zones.Store(name, zone)
	}
	return context.WithValue(ctx, zoneKey{}, zone)
}

// Zone returns the time zone of the readers of ctx, UTC by default and for nil.
func Zone(ctx context.Context) *time.Location {
	if ctx == nil {
		return time.UTC
	}
	if zone, ok := ctx.Value(zoneKey{}).(*time.Location); ok {
		return zone
	}
	return time.UTC
}
