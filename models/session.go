package models

// Identity is the authenticated sender of a request.
type Identity struct {
	Member  Member
	Account Account
	Scopes  Scopes // of the token; all scopes for a session
	Session bool   // authenticated by a session rather than a token
	TokenID string // "" for a session

	Audience string // resource that the token is for; "" for every one
}

// OpenSession describes a session for the member's list.
type OpenSession struct {
	Client    string // user agent
	CreatedAt Time
	SeenAt    Time // last use, within an hour
}
