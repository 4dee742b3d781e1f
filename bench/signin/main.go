//go:build linux

// Command signin measures what readers notice while many people sign in at once, which costs 30 ms
// of a processor each. It prints how many sign in and how many are asked to try again, how long
// both and readers wait, and the most memory that the server has had.
//
//	go run ./bench/signin -rate 500
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/bench/program"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
)

const password = "correct horse battery staple"

func main() {
	rate := flag.Int("rate", 500, "sign-ins a second")
	reads := flag.Int("reads", 200, "pages that readers request a second")
	members := flag.Int("members", 500, "how many members sign in, in turn")
	period := flag.Duration("time", 20*time.Second, "how long readers are alone, and then beside sign-ins")
	flag.Parse()
	if err := run(context.Background(), *rate, *reads, *members, *period); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, rate, reads, members int, period time.Duration) error {
	dir, err := os.MkdirTemp("", "secondlight-signin-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	site, emails, err := start(ctx, dir, members)
	if err != nil {
		return err
	}
	defer func() { _ = site.Stop() }()
	client := &fasthttp.Client{MaxConnsPerHost: 1 << 14, ReadTimeout: time.Minute}
	address := "http://" + site.Address
	page := func(int) (int, error) {
		status, _, err := client.Get(nil, address+"/listings")
		return status, err
	}
	signIn := func(i int) (int, error) { return signIn(client, address, emails[i%len(emails)], i) }

	alone := program.Load(reads, period, page)
	before := site.Processor()
	var beside, signedIn program.Outcome
	var both sync.WaitGroup
	both.Go(func() { signedIn = program.Load(rate, period, signIn) })
	both.Go(func() { beside = program.Load(reads, period, page) })
	both.Wait()
	fmt.Printf("readers alone, %d a second: %s\n", reads, &alone)
	fmt.Printf("beside %d sign-ins a second: %s\n", rate, &beside)
	fmt.Printf("sign-ins: %s\n", &signedIn)
	fmt.Printf("signed in %.0f a second; processor time of the server %s; its most memory %s\n",
		float64(len(signedIn.Times[303]))/period.Seconds(), (site.Processor() - before).Round(time.Millisecond), site.Peak())
	return nil
}

// start starts a site with the demonstration data and members, and returns their addresses.
func start(ctx context.Context, dir string, members int) (*program.Server, []string, error) {
	file := filepath.Join(dir, "secondlight")
	if err := program.Build(ctx, file); err != nil {
		return nil, nil, err
	}
	address := program.FreeAddress()
	command := func() *exec.Cmd {
		cmd := exec.CommandContext(ctx, file)
		cmd.Env = append(os.Environ(), "DATA_DIR="+dir, "DATABASE_URL=", "LISTEN_ADDR="+address, "RATE_LIMIT=1000000", "TRUSTED_PROXIES=127.0.0.1", "ACCESS_LOG=0")
		return cmd
	}
	site, err := program.Start(ctx, address, "/readyz", command())
	if err != nil {
		return nil, nil, err
	}
	if err := site.Stop(); err != nil {
		return nil, nil, err
	}
	emails, err := addMembers(ctx, "sqlite:"+filepath.Join(dir, "secondlight.db"), members)
	if err != nil {
		return nil, nil, err
	}
	site, err = program.Start(ctx, address, "/readyz", command())
	return site, emails, err
}

// addMembers adds members with a password, and returns their addresses.
func addMembers(ctx context.Context, database string, n int) (emails []string, err error) {
	db, err := store.Open(ctx, database, time.Now)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	for i := range n {
		email := fmt.Sprintf("member%d@example.org", i)
		_, err := db.Accounts.CreateAccount(ctx, models.Registration{Handle: fmt.Sprintf("member-%d", i), Region: "DE", Email: email, Password: password}, models.RoleMember)
		if err != nil {
			return nil, err
		}
		emails = append(emails, email)
	}
	return emails, nil
}

// signIn signs a member in from an address of their own, and returns the status: 303 if it worked,
// 503 if they were asked to try again.
func signIn(client *fasthttp.Client, address, email string, i int) (int, error) {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(resp)
	req.Header.SetMethod("POST")
	req.SetRequestURI(address + "/sign-in")
	req.Header.Set("Accept", "text/html")
	req.Header.Set("X-Forwarded-For", fmt.Sprintf("198.18.%d.%d", i>>8&255, i&255))
	req.Header.SetContentType("application/x-www-form-urlencoded")
	req.SetBodyString(url.Values{"email": {email}, "password": {password}}.Encode())
	err := client.Do(req, resp)
	return resp.StatusCode(), err
}
