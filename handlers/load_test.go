package handlers

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/secondlight/secondlight/handlers/web/webtest"
)

// TestManyClients lets 100 clients, 30 under the race detector, mix every operation,
// format and mistake. Nothing may fail, and no goroutine may be left when the server
// is gone.
func TestManyClients(t *testing.T) {
	clients := 100
	if raceEnabled {
		clients = 30
	}
	m() // shared with other tests: it stays open
	before := goleak.IgnoreCurrent()
	t.Run("clients", func(t *testing.T) {
		s := newTestServer(t)
		must(s.bulk.MakeFiles(t.Context()))
		var addresses []string
		for _, target := range s.targets() {
			addresses = append(addresses, target.address, target.address+"?nope=1")
		}
		addresses = append(addresses, s.documents()...)
		addresses = append(addresses, "/nothing", "/robots.txt", "/probes/long", "/probes/long.md", "/probes/panic")
		var wg sync.WaitGroup
		for client := range clients {
			wg.Go(func() {
				for i := range 20 {
					address := addresses[(client+i*7)%len(addresses)]
					req, err := http.NewRequest("GET", "http://secondlight.example"+address, nil)
					if err != nil {
						t.Error(err)
						return
					}
					req.Header.Set("Accept", []string{"text/html", "text/markdown", "application/json", "image/png"}[(client+i)%4])
					req.Header.Set("Accept-Encoding", []string{"br", "gzip", "identity"}[i%3])
					resp, err := s.client.Do(req)
					if err != nil {
						t.Error(err)
						return
					}
					if _, err := io.Copy(io.Discard, resp.Body); err != nil {
						t.Error(err)
					}
					resp.Body.Close()
					if resp.StatusCode >= 500 && address != "/probes/panic" {
						t.Error(fmt.Errorf("GET %s: %d", address, resp.StatusCode))
					}
				}
			})
		}
		wg.Wait()
	})
	webtest.CheckGoroutines(t, before)
}
