package store

// Listings stores listings, their photos, and what is checked before they are public.
type Listings struct {
	*database
	prices *Prices
}

// Trades stores offers, agreements, hand-overs, conversations, sales and ratings.
type Trades struct {
	*database
	listings *Listings
}

// Accounts stores members and how they sign in: passwords, sessions, passkeys and emailed codes.
type Accounts struct {
	*database
}

// Tokens stores API tokens, grants of chat clients, and responses by idempotency key.
type Tokens struct {
	*database
	accounts *Accounts
}

// Watches stores what members are told about: saved searches, watched listings and gear, and the gear they own.
type Watches struct {
	*database
}

// Deliveries stores queued email and webhooks.
type Deliveries struct {
	*database
}

// Prices stores trends, estimates, the price index and exchange rates.
type Prices struct {
	*database
	listings *Listings
}

// Moderation stores reports, decisions of operators, and the queue of checks.
type Moderation struct {
	*database
	listings *Listings
}

// Site stores the site's settings, texts, messages to its owner, jobs, imports and leases.
type Site struct {
	*database
	accounts *Accounts
	listings *Listings
}

// newStore returns the stores on a database.
func newStore(db *database) *Store {
	s := &Store{database: db, Listings: &Listings{database: db}, Trades: &Trades{database: db}, Accounts: &Accounts{database: db}, Tokens: &Tokens{database: db}, Watches: &Watches{database: db}, Deliveries: &Deliveries{database: db}, Prices: &Prices{database: db}, Moderation: &Moderation{database: db}, Site: &Site{database: db}}
	s.Listings.prices = s.Prices
	s.Trades.listings = s.Listings
	s.Tokens.accounts = s.Accounts
	s.Prices.listings = s.Listings
	s.Moderation.listings = s.Listings
	s.Site.accounts, s.Site.listings = s.Accounts, s.Listings
	return s
}
