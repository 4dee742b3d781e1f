# Everything a developer does, by name. `make check` is what a change must pass.
TOOL := go tool -modfile=.ci/tools.mod
# What npm writes last: a folder alone may be half an installation.
NODE_MODULES := e2e/node_modules/.package-lock.json

.PHONY: run
run: ## Start the site with demonstration data
	go run ./cmd/secondlight

.PHONY: generate
generate: $(NODE_MODULES) ## Write the generated files: templates and CSS
	$(TOOL) templ generate
	npm --prefix e2e run --silent css

.PHONY: fresh
fresh: generate ## Fail when a committed generated file is stale
	git diff --exit-code -- views static content

.PHONY: lint
lint: ## gofmt, go mod tidy, vet, staticcheck and govulncheck
	@! gofmt -l bench cmd content e2e/conformance e2e/session handlers migrations models static views | grep -v _templ.go
	go mod tidy -diff
	go vet ./...
	$(TOOL) staticcheck ./...
	.ci/vulnerabilities

.PHONY: test
test: ## What passes on a machine with only Go
	go test ./...

# Under the race detector SQLite, which is translated from C, and the codecs for
# images and responses take most of the time. They share nothing with other
# goroutines, so only their callers are instrumented. libopenapi is used by tests
# alone, and has a data race of its own.
UNINSTRUMENTED := modernc.org/... golang.org/x/image/... github.com/andybalholm/brotli/... github.com/pb33f/...

.PHONY: race
race: ## The tests on both engines under the race detector
	go test -race -timeout 30m -gcflags=all=-d=checkptr=0 $(UNINSTRUMENTED:%='-gcflags=%=-d=checkptr=0 -race=false') ./...

.PHONY: browser
browser: $(NODE_MODULES) ## The pages in Chromium, the OpenAPI document through its linters, MCP through its suite
	npm --prefix e2e test

.PHONY: screenshots
screenshots: $(NODE_MODULES) ## Pictures of every kind of page, into e2e/screenshots
	npm --prefix e2e run --silent screenshots

.PHONY: check
check: fresh lint ## Everything a change must pass
	$(MAKE) --jobs=2 --output-sync=target race browser

.PHONY: soak
soak: fuzz requests lighthouse ## The long checks before a release: about an hour

.PHONY: fuzz
fuzz: ## Fuzz every parser, FUZZTIME=1m each
	.ci/fuzz $(or $(FUZZTIME),1m)

.PHONY: requests
requests: ## 50,000 requests made from the OpenAPI document
	go test -timeout 1h ./handlers -run '^TestRequestsFromTheDocument$$' -rapid.checks=50000 -v

.PHONY: lighthouse
lighthouse: $(NODE_MODULES) ## Lighthouse's scores on a desktop and on a phone
	node --test e2e/lighthouse.mjs

.PHONY: bench
bench: ## Search, trends and rendering inside the process
	go test -run '^$$' -bench . -benchmem ./bench

.PHONY: bench-http
bench-http: ## The real binary beside a fixed body of the same size, in one run
	go run ./bench/http

$(NODE_MODULES): e2e/package-lock.json
	npm --prefix e2e install --no-save --no-audit --no-fund
	@touch $@

.PHONY: help
help:
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14
