package handlers

import (
	"strings"
	"testing"

	"github.com/secondlight/secondlight/content/languages"
)

func TestAccountEmailsInEveryLanguage(t *testing.T) {
	data := emailData{Site: "Secondlight", Handle: "jane", Link: "https://secondlight.test/x"}
	for _, email := range []accountEmail{emailSignUp, emailSignUpAgain, emailReset, emailNoReset, emailNewAddress, emailAddressTaken, emailAddressChanging,
		emailAddressChanged, emailUndone, emailTokenCreated, emailAppConnected, emailPasskeyAdded, emailPasswordChanged} {
		_, english := email.in(languages.English, data)
		subject, german := email.in(languages.German, data)
		if german == english || subject == email.subject {
			t.Errorf("%s is not in German", email.subject)
		}
		for _, text := range []string{english, german} {
			if strings.Contains(text, "{{") || strings.Count(text, data.Link) != 1 || strings.Contains(english, data.Handle) != strings.Contains(german, data.Handle) {
				t.Errorf("%s: %s", email.subject, text)
			}
		}
	}
}
