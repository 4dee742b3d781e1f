# Targets for developers; `make help` lists them. `make check` is what a change must pass.
TOOL := go tool -modfile=.ci/tools.mod
# npm writes this file last; the folder alone may be an incomplete installation.
NODE_MODULES := e2e/node_modules/.package-lock.json

.PHONY: run
run: ## Start the site with demonstration data
	go run ./cmd/secondlight

.PHONY: generate
generate: templates css packed clients ## Generate templates, CSS, the archive of embedded files and the clients

.PHONY: packed
packed: css ## Write the archive of texts, documents, styles and scripts that the program embeds
	go test ./content/packed -run Archive -update

.PHONY: templates
templates:
	$(TOOL) templ generate

.PHONY: css
css: $(NODE_MODULES)
	npm --prefix e2e run --silent css

.PHONY: clients
clients: $(NODE_MODULES)
	node clients/document.mjs handlers/testdata/openapi.json >clients/openapi.json
	go -C clients/go tool oapi-codegen -generate types,client,skip-prune -package secondlight -o client.go ../openapi.json
	node e2e/node_modules/openapi-typescript/bin/cli.js clients/openapi.json --output clients/typescript/schema.ts >/dev/null

.PHONY: fresh
fresh: generate ## Fail if a committed generated file is stale
	$(FRESH)

FRESH := git diff --exit-code -- views static content clients

.PHONY: lint
lint: ## Run gofmt, go mod tidy, vet, staticcheck, govulncheck and oasdiff, and check the size of the program and the words and spelling of texts
	@! gofmt -l bench clients cmd content e2e/conformance e2e/session handlers migrations models static views | grep -v _templ.go
	go mod tidy -diff
	go vet ./...
	go -C bench/peers/servers vet .
	$(TOOL) staticcheck ./...
	go test ./content/languages -run '^Test(Terms|Patterns|Spelling)$$' -words
	.ci/linked
	.ci/vulnerabilities
	.ci/compatible

.PHONY: alerts
alerts: ## Check and test the alert rules with promtool, of the package prometheus
	promtool check rules deploy/alerts.yaml
	promtool test rules .ci/alerts.test.yaml .ci/alerts-days.test.yaml

.PHONY: test
test: ## Run the Go tests; needs only Go
	go test ./...

# Lint vets. Many tests wait for a database or a timer, so twice as many run at a time as
# a CI machine has processors.
CI_TESTS := -vet=off -timeout 30m -parallel 4

# Under the race detector, SQLite (translated from C), the codecs for images and responses,
# and what fits prices and draws the demonstration take most of the time. They share no memory
# between goroutines, so only their callers are instrumented.
UNINSTRUMENTED := modernc.org/sqlite/lib/... modernc.org/libc/... golang.org/x/image/... github.com/molecule-man/go-brrr/... github.com/secondlight/secondlight/models/picture/baseline github.com/secondlight/secondlight/models/demo/drawing github.com/secondlight/secondlight/models/prices github.com/secondlight/secondlight/models/pricing

# No debugger reads these programs, and they compile faster without the data for it.
RACE_FLAGS := -d=checkptr=0 -dwarf=false
RACE_BUILD := -race -gcflags='all=$(RACE_FLAGS)' $(UNINSTRUMENTED:%='-gcflags=%=$(RACE_FLAGS) -race=false')

.PHONY: race
race: ## Run the Go tests of packages with concurrency under the race detector, on SQLite, and those of concurrency on PostgreSQL too
	.ci/uninstrumented $(RACE_BUILD) -- $(UNINSTRUMENTED)
	go test $(RACE_BUILD) $(CI_TESTS) $$(.ci/concurrent)

.PHONY: doctest
doctest: ## Run the blocks of all documents in order, each document in an empty folder, and compare what they show
	go test ./cmd/secondlight -run '^TestDocumentsRun$$' -doctest -v

.PHONY: pictures
pictures: $(NODE_MODULES) ## Make the pictures of guides and help from the pages of a demonstration, in each language
	node e2e/pictures.mjs

.PHONY: tutorials
tutorials: $(NODE_MODULES) ## Do the tutorials of docs/start in an empty home without a network and in Chromium, timed, with screenshots of each step in e2e/tutorials; needs root
	node e2e/tutorials.mjs

.PHONY: browser
browser: $(NODE_MODULES) ## Test pages in Chromium, OpenAPI with linters, MCP with the conformance suite
	npm --prefix e2e test

.PHONY: screenshots
screenshots: $(NODE_MODULES) ## Write screenshots of every kind of page to e2e/screenshots
	npm --prefix e2e run --silent screenshots

.PHONY: plain
plain: ## Run the tests which race does not run, or runs shortened or on SQLite only
	packages=$$(.ci/concurrent -v) && go test $(CI_TESTS) $$packages
	tests=$$(.ci/norace) && go test $(CI_TESTS) $$tests

.PHONY: go
go: ## Run plain and race
	$(MAKE) plain
	$(MAKE) race

# Lint compiles what the tests and the browser tests need, so it runs before both, beside
# the CSS and the clients. Templates are written first, because it reads them. Tests wait a
# third of their time, for programs, databases and pages, so two suites run side by side; more
# would make servers miss their deadlines.
.PHONY: check
check: templates ## Run everything a change must pass
	$(MAKE) --jobs=2 --output-sync=target lint css clients
	$(FRESH)
	$(MAKE) --jobs=2 --output-sync=target race plain browser budget

# An update lowers what has become less; WHY='…' also raises what costs more.
.PHONY: budget
budget: ## Count what requests cost and compare it with bench/budget.txt; UPDATE=1 and WHY='what readers get for it' store it
	go test -c -o $(or $(TMPDIR),/tmp)/secondlight-budget ./bench/budget # go test would leave out the names of functions
	cd bench/budget && $(or $(TMPDIR),/tmp)/secondlight-budget -test.timeout 15m -test.run '^TestBudget$$' -test.v $(if $(UPDATE)$(WHY),-update -why '$(WHY)',-check)

.PHONY: soak
soak: tutorials empty-folder fuzz full requests payloads oracle limits costs sequences model feed mirror tarpit crashes faults outages cluster clean-machine restore-drill trades screens prices forgers lighthouse ## Run the long checks before a release, about eight hours

.PHONY: empty-folder
empty-folder: $(NODE_MODULES) ## Make a shop and a portfolio from an empty folder in a browser alone, about ten minutes, with a picture of each step
	cd e2e && node --test empty-folder.mjs

.PHONY: fuzz
fuzz: ## Run every fuzz target, FUZZTIME=1m each
	.ci/fuzz $(or $(FUZZTIME),1m)

.PHONY: requests
requests: ## Send 50,000 requests generated from the OpenAPI document
	go test -timeout 1h ./handlers -run '^TestRequestsFromTheDocument$$' -rapid.checks=50000 -v

.PHONY: payloads
payloads: ## Put every injection payload into every field and parameter
	go test -timeout 1h ./handlers -run '^TestCorpus' -payloads

.PHONY: oracle
oracle: ## Compare 100,000 random searches with a plain implementation
	go test -timeout 2h ./models/search -run '^TestOracle$$' -oracle 100000 -v

.PHONY: tarpit
tarpit: ## Check that 10,000 webhooks to hosts that never answer delay others by less than 5 s
	go test -run '^$$' -bench Tarpit -benchtime 1x ./models/delivery

.PHONY: crashes
crashes: ## Kill the program 850 times on each engine during writes, and as often during migrate, backup, restore, import and sweep: 10,200 kills in about five hours, CRASHES=850
	go test -c -o $(or $(TMPDIR),/tmp)/secondlight-crashes ./cmd/secondlight
	for seed in $$(seq $$(($(or $(CRASHES),850) / 50))); do (cd cmd/secondlight && $(or $(TMPDIR),/tmp)/secondlight-crashes -test.timeout 2h -test.run '^TestNothingIsLostWhenKilled$$' -crashes 50 -crash-seed $$seed -test.v) || exit 1; done

.PHONY: faults
faults: ## Fail the disk of the program during writes, 20 times for every operation, and cut the power, on both engines; mounts a folder with FUSE, FAULTS=20
	go -C bench/faultfs build -o $(or $(TMPDIR),/tmp)/secondlight-faultfs .
	FAULTFS=$(or $(TMPDIR),/tmp)/secondlight-faultfs go test -timeout 4h ./cmd/secondlight -run '^TestFaultyDisk$$' -faults $(or $(FAULTS),20) -v

.PHONY: outages
outages: ## Kill and pause PostgreSQL, Redis and S3 under two servers with load, fail over and replace PostgreSQL, about eight minutes, HANG=40s
	go test -timeout 1h ./cmd/secondlight -run '^Test(Service)?Outages$$' -hang $(or $(HANG),40s) -v

.PHONY: cluster
cluster: ## Restart three servers behind nginx and HAProxy one after the other during 500,000 requests, 25 minutes, LISTINGS=1000 RATE=350 REQUESTS=500000
	go test -timeout 2h ./cmd/secondlight -run '^TestCluster$$' -requests $(or $(REQUESTS),500000) -listings $(or $(LISTINGS),1000) -rate $(or $(RATE),350) -v

.PHONY: release
release: ## Build a release into dist, signed with SIGNING_KEY, for PLATFORMS=linux/amd64 only (default: all)
	.ci/release

.PHONY: reproducible
reproducible: ## Build the release twice in two folders, and compare the bytes of all files, PLATFORMS=…
	.ci/reproducible

.PHONY: clean-machine
clean-machine: ## Boot a clean Debian in a container and install the site by the commands of docs/how-to/run/install.md, PACKAGE=FILE.deb
	PACKAGE='$(PACKAGE)' .ci/clean-machine

.PHONY: restore-drill
restore-drill: ## Run the commands of docs/how-to/run/backup.md and restore.md with the shipped units, then lose a site with 10,000 photographs under writes and restore it, on both engines, PHOTOS=10000
	go -C bench/litestream build -o $(or $(TMPDIR),/tmp)/secondlight-litestream .
	go test -timeout 1h ./cmd/secondlight -run '^TestDocumentedCommands$$' -documented -v
	LITESTREAM=$(or $(TMPDIR),/tmp)/secondlight-litestream go test -timeout 1h ./cmd/secondlight -run '^TestRestoreDrill$$' -drill $(or $(PHOTOS),10000) -v

.PHONY: full
full: ## Run every case of the tests of which `go test` runs a fifth
	go test -timeout 1h ./models/store -run '^Test(UnappliedMigration|WrongRecord|ForgedSales|BlockedLoginsLockNobodyOut)$$' -full -v

.PHONY: sequences
sequences: ## Take 10,000 random sequences of steps from an offer to its sale, on both engines
	go test -timeout 3h ./models/store -run '^TestSaleSequences$$' -rapid.checks=10000 -v

.PHONY: model
model: ## Search all states of listings, offers, hand-overs and sales with Spin (apt-get install spin), and try every guard on both engines
	go test -timeout 1h ./models/store -run '^TestSale(Model|Guards)$$' -spin -v

.PHONY: feed
feed: ## Follow the change feed while 8 writers make 1,000,000 changes, on both engines, CHANGES=1000000
	go test -timeout 6h ./models/store -run '^TestChangeFeed$$' -changes $(or $(CHANGES),1000000) -v

.PHONY: mirror
mirror: $(NODE_MODULES) ## Keep copies of a site with the offered programs under 50 writes a second for 10 minutes, on both engines
	go test -timeout 1h ./handlers -run '^TestMirror$$' -mirror 10m -v

.PHONY: limits
limits: ## Check what a hostile client can cost: processor time, memory, connections
	go run ./bench/limits
	go test -run '^$$' -bench '^BenchmarkCost$$' -benchtime 1x ./models/picture

.PHONY: costs
costs: ## Measure the processor time of every operation's dearest input
	go test -timeout 1h ./handlers -run '^TestCosts$$' -costs

.PHONY: trades
trades: $(NODE_MODULES) ## Trade in Chromium in every combination of ending, screen and JavaScript, about five minutes
	TRADES=all node --test e2e/trades.test.mjs

.PHONY: screens
screens: $(NODE_MODULES) ## Test every page in Chromium on every screen, in German too
	SCREENS=all node --test e2e/pages.test.mjs

.PHONY: prices
prices: ## Back-test price estimates on 12 months of the demonstration market, about three minutes
	go test -timeout 1h ./models/pricing -run '^TestDemonstrationMarket$$' -months 12 -v

.PHONY: forgers
forgers: ## Forge sales over the API on 60 markets of both engines, about ten minutes
	go test -timeout 1h ./handlers -run '^TestForgers$$' -forgeries 60 -v

.PHONY: lighthouse
lighthouse: $(NODE_MODULES) ## Check Lighthouse scores on desktop and mobile
	node --test e2e/lighthouse.mjs

.PHONY: bench
bench: ## Benchmark search, trends and rendering in the process
	go test -run '^$$' -bench . -benchmem ./bench

.PHONY: bench-http
bench-http: ## Benchmark the real binary against a fixed body of the same size
	go run ./bench/http

.PHONY: bench-peers
bench-peers: ## Benchmark the site and other programs with the same listings and searches, about ten minutes
	go run ./bench/peers

$(NODE_MODULES): e2e/package-lock.json
	npm --prefix e2e install --no-save --no-audit --no-fund
	@touch $@

.PHONY: help
help:
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14
