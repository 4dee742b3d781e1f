package handlers

import (
	"os/exec"
	"testing"

	"github.com/secondlight/secondlight/handlers/web/webtest"
)

// TestRecomputedMedians runs the published script against a server: all medians that it
// publishes follow from the prices that it publishes, to the cent.
func TestRecomputedMedians(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: python3 is not installed, so docs/recompute_medians.py is not tested")
	}
	now := testNow
	s := bulkServer(t, &now)
	out, err := exec.CommandContext(t.Context(), python, "../docs/recompute_medians.py", "http://"+webtest.ServeTCP(t, s.Server)).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
