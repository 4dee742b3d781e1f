package handlers

import (
	"strings"
	"testing"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/handlers/mailer"
)

func TestAccountEmailsInEveryLanguage(t *testing.T) {
	data := mailer.EmailData{Site: "Secondlight", Handle: "jane", Link: "https://secondlight.test/x"}
	for _, email := range []mailer.AccountEmail{mailer.EmailSignUp, mailer.EmailSignUpAgain, mailer.EmailReset, mailer.EmailNoReset, mailer.EmailNewAddress, mailer.EmailAddressTaken, mailer.EmailAddressChanging,
		mailer.EmailAddressChanged, mailer.EmailUndone, mailer.EmailTokenCreated, mailer.EmailAppConnected, mailer.EmailPasskeyAdded, mailer.EmailPasswordChanged} {
		_, english := email.In(languages.English, data)
		subject, german := email.In(languages.German, data)
		if german == english || subject == email.Subject {
			t.Errorf("%s is not in German", email.Subject)
		}
		for _, text := range []string{english, german} {
			if strings.Contains(text, "{{") || strings.Count(text, data.Link) != 1 || strings.Contains(english, data.Handle) != strings.Contains(german, data.Handle) {
				t.Errorf("%s: %s", email.Subject, text)
			}
		}
	}
}
