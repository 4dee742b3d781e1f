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
		_, english, err := email.in(languages.English, data)
		if err != nil {
			t.Fatal(err)
		}
		subject, german, err := email.in(languages.German, data)
		if err != nil || german == english || subject == email.subject {
			t.Errorf("%s is not in German: %v", email.subject, err)
		}
		for _, text := range []string{english, german} {
			if strings.Count(text, data.Link) != 1 || strings.Contains(english, data.Handle) != strings.Contains(german, data.Handle) {
				t.Errorf("%s: %s", email.subject, text)
			}
		}
	}
}
