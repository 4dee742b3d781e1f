# Targets for developers; `make help` lists them. `make check` is what a change must pass.
TOOL := go tool -modfile=.ci/tools.mod
# npm writes this file last; the folder alone may be an incomplete installation.
NODE_MODULES := e2e/node_modules/.package-lock.json

.PHONY: run
run: ## Start the site with demonstration data
	go run ./cmd/secondlight

.PHONY: generate
generate: $(NODE_MODULES) ## Generate templates and CSS
	$(TOOL) templ generate
	npm --prefix e2e run --silent css

.PHONY: fresh
fresh: generate ## Fail if a committed generated file is stale
	git diff --exit-code -- views static content

.PHONY: lint
lint: ## Run gofmt, go mod tidy, vet, staticcheck and govulncheck
	@! gofmt -l bench cmd content e2e/clients e2e/conformance e2e/session handlers migrations models static views | grep -v _templ.go
	go mod tidy -diff
	go vet ./...
	$(TOOL) staticcheck ./...
	.ci/vulnerabilities

.PHONY: test
test: ## Run the Go tests; needs only Go
	go test ./...

# Under the race detector, SQLite (translated from C) and the codecs for images and
# responses take most of the time. They share no memory between goroutines, so only
# their callers are instrumented. libopenapi is used by tests only and has a data race.
UNINSTRUMENTED := modernc.org/... golang.org/x/image/... github.com/andybalholm/brotli/... github.com/pb33f/...

.PHONY: race
race: ## Run the Go tests on both engines under the race detector
	go test -race -timeout 30m -gcflags=all=-d=checkptr=0 $(UNINSTRUMENTED:%='-gcflags=%=-d=checkptr=0 -race=false') ./...

.PHONY: browser
browser: $(NODE_MODULES) ## Test pages in Chromium, OpenAPI with linters, MCP with the conformance suite
	npm --prefix e2e test

.PHONY: screenshots
screenshots: $(NODE_MODULES) ## Write screenshots of every kind of page to e2e/screenshots
	npm --prefix e2e run --silent screenshots

.PHONY: check
check: fresh lint ## Run everything a change must pass
	$(MAKE) --jobs=2 --output-sync=target race browser

.PHONY: soak
soak: fuzz requests lighthouse ## Run the long checks before a release, about an hour

.PHONY: fuzz
fuzz: ## Run every fuzz target, FUZZTIME=1m each
	.ci/fuzz $(or $(FUZZTIME),1m)

.PHONY: requests
requests: ## Send 50,000 requests generated from the OpenAPI document
	go test -timeout 1h ./handlers -run '^TestRequestsFromTheDocument$$' -rapid.checks=50000 -v

.PHONY: lighthouse
lighthouse: $(NODE_MODULES) ## Check Lighthouse scores on desktop and mobile
	node --test e2e/lighthouse.mjs

.PHONY: bench
bench: ## Benchmark search, trends and rendering in the process
	go test -run '^$$' -bench . -benchmem ./bench

.PHONY: bench-http
bench-http: ## Benchmark the real binary against a fixed body of the same size
	go run ./bench/http

$(NODE_MODULES): e2e/package-lock.json
	npm --prefix e2e install --no-save --no-audit --no-fund
	@touch $@

.PHONY: help
help:
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14
