//go:build linux

// Command people measures a site on PostgreSQL with very many members: how long it takes until all
// watchers of a listing are to be notified of a lower price, what readers notice meanwhile, and
// the first and the hundredth page of everything that a busy member and an operator page through.
//
//	go run ./bench/people -accounts 10000000
//
// One in ten members watches the same listing, half have a saved search. It needs the programs of
// PostgreSQL in /usr/lib/postgresql, and 2 to 5 GB of disk for each million accounts. With -plans it
// instead requests every page and every operation that only reads, runs every background job, and
// lists the statements that read more rows than 20 times those they return and 1,000.
package main

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"time"

	_ "github.com/lib/pq"

	"github.com/secondlight/secondlight/bench/program"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
)

func main() {
	s := &site{address: program.FreeAddress()}
	flag.IntVar(&s.accounts, "accounts", 100_000, "number of accounts")
	flag.IntVar(&s.watchers, "watchers", 0, "how many of them watch the same listing; a tenth when 0")
	data := flag.String("data", "", "folder for the database, which is used again; a temporary one when empty")
	plans := flag.Bool("plans", false, "check how many rows statements read, instead of measuring")
	flag.IntVar(&s.reads, "reads", 100, "searches and pages that readers request a second")
	flag.DurationVar(&s.alone, "alone", 20*time.Second, "how long readers are measured alone")
	flag.Parse()
	s.watchers = cmp.Or(s.watchers, s.accounts/10)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, s, *data, *plans); err != nil {
		fmt.Fprintln(os.Stderr, "people:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s *site, data string, plans bool) (err error) {
	if data == "" {
		if data, err = os.MkdirTemp("/var/tmp", "people"); err != nil {
			return err
		}
		defer os.RemoveAll(data)
		if err := os.Chmod(data, 0o755); err != nil { // PostgreSQL runs as another user
			return err
		}
	}
	if s.server, err = startServer(filepath.Join(data, "pg")); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.server.stop()) }()
	s.folder, s.program = filepath.Join(data, s.name()), filepath.Join(data, "secondlight")
	if err := errors.Join(os.MkdirAll(s.folder, 0o750), program.Build(ctx, s.program)); err != nil {
		return err
	}
	if err := s.prepare(ctx); err != nil {
		return err
	}
	defer s.db.Close()
	if plans {
		return s.checkPlans(ctx)
	}
	return s.measure(ctx)
}

// site is a database with many members, and the program that serves it.
type site struct {
	*server
	accounts, reads  int
	watchers         int
	alone            time.Duration
	program, folder  string
	address          string
	db               *sql.DB
	listing          string // that many watch
	seller, operator account
}

// account is a member with a token of all scopes.
type account struct{ id, handle, token string }

// name of the database.
func (s *site) name() string { return fmt.Sprint("people_", s.accounts) }

// start starts the program, with options of its sessions of PostgreSQL.
func (s *site) start(ctx context.Context, options string, environment ...string) (*program.Server, error) {
	cmd := s.command(ctx, options, "serve")
	cmd.Env = append(cmd.Env, environment...)
	return program.Start(ctx, s.address, "/readyz", cmd)
}

// command returns a command of the program.
func (s *site) command(ctx context.Context, options string, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, s.program, arguments...)
	cmd.Env = append(os.Environ(), "DATABASE_URL="+s.database(s.name(), options), "LISTEN_ADDR="+s.address, "DATA_DIR="+s.folder, "RATE_LIMIT=100000000", "DEMO=false", "LOG_LEVEL=error")
	return cmd
}

// prepare opens the database, which it makes and fills if it isn't there.
func (s *site) prepare(ctx context.Context) error {
	server, err := sql.Open("postgres", s.database("postgres", ""))
	if err != nil {
		return err
	}
	defer server.Close()
	var there bool
	if err := server.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)`, s.name()).Scan(&there); err != nil {
		return err
	}
	if !there {
		if _, err := server.ExecContext(ctx, `CREATE DATABASE `+s.name()); err != nil {
			return err
		}
	}
	if s.db, err = sql.Open("postgres", s.database(s.name(), "")); err != nil {
		return err
	}
	if err := s.demonstrate(ctx, !there); err != nil {
		return err
	}
	if err := s.addUsers(ctx); err != nil {
		return err
	}
	return s.fill(ctx)
}

// demonstrate starts the program once, so that the database has the tables, and the demonstration
// data if it is new.
func (s *site) demonstrate(ctx context.Context, demo bool) error {
	if out, err := s.command(ctx, "", "migrate").CombinedOutput(); err != nil {
		return fmt.Errorf("migrate: %w\n%s", err, out)
	}
	p, err := s.start(ctx, "", fmt.Sprint("DEMO=", demo))
	if err != nil {
		return err
	}
	return p.Stop()
}

// addUsers adds the seller of the listing that many watch and an operator, or finds those of an
// earlier run and gives them new tokens. Alerts wait, so that nothing is sent.
func (s *site) addUsers(ctx context.Context) error {
	db, err := store.Open(ctx, s.database(s.name(), ""), time.Now)
	if err != nil {
		return err
	}
	defer db.Close()
	for _, u := range []struct {
		*account
		handle string
		role   models.Role
	}{{&s.seller, "busy-seller", models.RoleMember}, {&s.operator, "busy-operator", models.RoleOperator}} {
		u.account.handle = u.handle
		err := s.db.QueryRowContext(ctx, `SELECT id FROM members WHERE handle = $1`, u.handle).Scan(&u.id)
		if errors.Is(err, sql.ErrNoRows) {
			var member *models.Member
			member, err = db.Accounts.CreateAccount(ctx, models.Registration{Handle: u.handle, Email: u.handle + "@example.org", Region: "DE", Password: "four words in a row"}, u.role)
			if err == nil {
				u.id = member.ID
			}
		}
		if err != nil {
			return err
		}
		if u.token, err = db.Tokens.CreateToken(ctx, u.id, &models.Token{Name: "people " + time.Now().Format(time.RFC3339Nano), Scopes: u.role.Scopes()}); err != nil {
			return err
		}
	}
	if s.listing, err = s.sellersListing(ctx, db); err != nil {
		return err
	}
	return db.Deliveries.PauseDeliveries(ctx)
}

// sellersListing returns the listing of the seller, which it inserts if there is none.
func (s *site) sellersListing(ctx context.Context, db *store.Store) (id string, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT id FROM listings WHERE seller_id = $1`, s.seller.id).Scan(&id)
	if !errors.Is(err, sql.ErrNoRows) {
		return id, err
	}
	now := models.TimeOf(time.Now())
	one := []models.Listing{{
		SellerID: s.seller.id, Gear: "canon/eos-r6", Category: "mirrorless", Title: "Canon EOS R6", Text: "Used on weekends.", Region: "DE",
		Item:  models.Item{Condition: models.ConditionGood, Functional: models.FullyWorking},
		Price: 100_000, Status: models.StatusActive, PublishedAt: now, UpdatedAt: now, ExpiresAt: now.Add(60 * 24 * time.Hour),
	}}
	if err := db.Listings.InsertListings(ctx, one); err != nil {
		return "", err
	}
	return one[0].ID, nil
}

// measure measures the program on the filled database.
func (s *site) measure(ctx context.Context) error {
	p, err := s.start(ctx, "")
	if err != nil {
		return err
	}
	var size string
	if err := s.db.QueryRowContext(ctx, `SELECT pg_size_pretty(pg_database_size(current_database()))`).Scan(&size); err != nil {
		return err
	}
	fmt.Printf("%d accounts, %s on disk, %s, %d processors shared by readers, server and PostgreSQL; %s resident after the start\n",
		s.accounts, size, runtime.Version(), runtime.GOMAXPROCS(0), p.Resident())
	err = s.drop(ctx, p)
	if err == nil {
		err = s.pages(ctx)
	}
	fmt.Printf("resident memory %s, at most %s\n", p.Resident(), p.Peak())
	return errors.Join(err, p.Stop())
}
