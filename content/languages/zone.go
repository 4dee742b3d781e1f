package languages

import (
	"context"
	"sync"
	"time"
	_ "time/tzdata" // for machines without zoneinfo
)

// zone is the time zone of the readers of a context.
type zone struct {
	location *time.Location
	own      bool // of their browser, so that times need not name it
}

// zoneKey is the context key of the zone.
type zoneKey struct{}

// zones holds the time zones that were asked for, by name.
var zones sync.Map

// InZone returns a copy of ctx for readers whose time zone has an IANA name, such as
// "Europe/Berlin", or ctx if there is none.
func InZone(ctx context.Context, name string) context.Context {
	location, known := zones.Load(name)
	if !known {
		loaded, err := time.LoadLocation(name)
		if err != nil || name == "" {
			return ctx
		}
		location = loaded
		zones.Store(name, location)
	}
	return context.WithValue(ctx, zoneKey{}, zone{location: location.(*time.Location), own: true})
}

// WithZone returns a copy of ctx for readers whose own time zone is unknown: times are in
// another, which they name. It returns ctx for nil.
func WithZone(ctx context.Context, location *time.Location) context.Context {
	if location == nil {
		return ctx
	}
	return context.WithValue(ctx, zoneKey{}, zone{location: location})
}

// OwnZone returns the time zone in which the readers of ctx write times in forms: their own, or
// UTC if it is not known.
func OwnZone(ctx context.Context) *time.Location {
	if location, own := Zone(ctx); own {
		return location
	}
	return time.UTC
}

// Zone returns the time zone of the readers of ctx, UTC by default and for nil, and whether
// it is known to be their own.
func Zone(ctx context.Context) (location *time.Location, own bool) {
	if ctx != nil {
		if z, ok := ctx.Value(zoneKey{}).(zone); ok {
			return z.location, z.own
		}
	}
	return time.UTC, false
}
