package handlers

import (
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/secondlight/secondlight/handlers/web/limit"
	"go.yaml.in/yaml/v3"
)

// scrape requests some pages from a server and returns its metrics.
func scrape(t *testing.T) string {
	t.Helper()
	metrics := NewMetrics()
	s := newTestServer(t, func(cfg *Config) {
		cfg.Metrics, cfg.Redis = metrics, &limit.Redis{Network: "tcp", Addr: miniredis.RunT(t).Addr()}
	})
	for range 3 { // the third from the cache
		s.do(t, "GET", "/gear", "Accept", "text/html")
	}
	s.do(t, "GET", "/api/gear/nothing")
	s.do(t, "GET", "/favicon.ico")
	s.do(t, "GET", "/nothing")
	s.send(t, "POST", "/api/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_gear","arguments":{"keyword":"r6"}}}`,
		"Content-Type", "application/json", "Accept", "application/json, text/event-stream")
	answer := httptest.NewRecorder()
	s.MetricsHandler(metrics).ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	body, err := io.ReadAll(answer.Result().Body)
	if err != nil || answer.Code != 200 {
		t.Fatalf("metrics are %d %s, %v", answer.Code, body, err)
	}
	return string(body)
}

// TestMetrics checks that requests are counted by operation and format, and that the state
// of the server is measured.
func TestMetrics(t *testing.T) {
	t.Parallel()
	text := scrape(t)
	parser := expfmt.NewTextParser(model.UTF8Validation)
	if _, err := parser.TextToMetricFamilies(strings.NewReader(text)); err != nil {
		t.Error(err)
	}
	for _, want := range []string{
		`secondlight_request_duration_seconds_count{format="html",operation="find_gear",status="200"} 3`,
		`secondlight_request_duration_seconds_count{format="json",operation="get_brand",status="404"} 1`,
		`secondlight_request_duration_seconds_count{format="mcp",operation="find_gear",status="200"} 1`,
		`secondlight_request_duration_seconds_count{format="",operation="file",status="200"} 1`,
		`secondlight_request_duration_seconds_count{format="",operation="other",status="404"} 1`,
		`secondlight_cache_hits_total 1`,
		`secondlight_rate_limit_shared `,
		`secondlight_rate_limit_fallbacks_total `,
		`secondlight_ready 1`,
		`secondlight_database_up 1`,
		`secondlight_health_degraded 0`,
		`secondlight_backup_timestamp_seconds 0`,
		`secondlight_backup_checked_bytes 0`,
		`secondlight_photos_stored 0`,
		`secondlight_database_log_bytes `,
		`secondlight_queue_oldest_seconds{kind="mail"} `,
		`secondlight_queue_deliveries{kind="webhook",state="waiting"} 0`,
		`go_sql_max_open_connections{db_name="read"} `,
		`secondlight_index_listings `,
		`process_resident_memory_bytes `,
	} {
		if !strings.Contains(text, "\n"+want) {
			t.Errorf("no %s in\n%.6000s", want, text)
		}
	}
}

// TestMonitorDocument checks that the server has the metrics that its document names, but for
// those of jobs, which it has once they have run.
func TestMonitorDocument(t *testing.T) {
	t.Parallel()
	text := scrape(t)
	for _, name := range regexp.MustCompile(`secondlight_[a-ik-z][a-z_]+[a-z]`).FindAllString(readFile(t, "../docs/how-to/run/monitor.md"), -1) {
		if !strings.Contains(text, name) {
			t.Errorf("there is no metric %s", name)
		}
	}
}

// TestAlertRules checks that the alert rules and the dashboard in deploy are well formed and
// name only metrics that the server has.
func TestAlertRules(t *testing.T) {
	t.Parallel()
	text := scrape(t)
	var rules struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For string
				Labels           map[string]string
				Annotations      map[string]string
			}
		}
	}
	decodeFile(t, "../deploy/alerts.yaml", yaml.Unmarshal, &rules)
	var expressions []string
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			if _, err := model.ParseDuration(rule.For); err != nil || rule.Alert == "" || rule.Labels["severity"] == "" || rule.Annotations["summary"] == "" || rule.Annotations["runbook"] == "" {
				t.Errorf("the rule %+v lacks a name, a duration, a severity, a summary or a runbook: %v", rule, err)
			}
			document, anchor, _ := strings.Cut(rule.Annotations["runbook"], "#")
			if heading := strings.ReplaceAll(anchor, "-", " "); !strings.Contains(strings.ToLower(readFile(t, "../"+document)), "# "+heading+"\n") {
				t.Errorf("%s: no heading %q in %s", rule.Alert, heading, document)
			}
			expressions = append(expressions, rule.Expr)
		}
	}
	var dashboard struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	decodeFile(t, "../deploy/dashboard.json", json.Unmarshal, &dashboard)
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			expressions = append(expressions, target.Expr)
		}
	}
	if len(expressions) < 20 {
		t.Errorf("there are only %d expressions", len(expressions))
	}
	known := []string{"secondlight_queue_deliveries", "secondlight_job_failed", "secondlight_job_last_run_timestamp_seconds"} // of the queues and jobs that have run
	for _, m := range regexp.MustCompile(`(?m)^(\w+)[{ ]`).FindAllStringSubmatch(text, -1) {
		known = append(known, m[1])
	}
	name := regexp.MustCompile(`\b(?:secondlight|go|process)_\w+`)
	for _, expression := range expressions {
		if strings.Count(expression, "(") != strings.Count(expression, ")") || strings.Count(expression, "{") != strings.Count(expression, "}") {
			t.Errorf("%s: the brackets don't match", expression)
		}
		names := name.FindAllString(expression, -1)
		if len(names) == 0 && !strings.HasPrefix(expression, "up") {
			t.Errorf("%s names no metric", expression)
		}
		for _, n := range names {
			if !slices.Contains(known, n) {
				t.Errorf("%s: there is no metric %s", expression, n)
			}
		}
	}
}

func decodeFile(t *testing.T, name string, decode func([]byte, any) error, v any) {
	t.Helper()
	if err := decode([]byte(readFile(t, name)), v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
