package admin

import "testing"

func TestAuditActionsHaveNames(t *testing.T) {
	for _, code := range AuditActions() {
		if actionNames[code] == "" || actionTexts[code] == "" {
			t.Errorf("%s has no name or no text", code)
		}
	}
}
