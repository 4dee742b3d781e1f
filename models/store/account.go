package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// CreateAccount creates a member with an account, without confirming the email
// address. If the handle or the address is taken it returns a Conflict error,
// handle_taken or email_taken.
func (s *Accounts) CreateAccount(ctx context.Context, r models.Registration, role models.Role) (*models.Member, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	hash, err := models.HashPassword(ctx, r.Password)
	if err != nil {
		return nil, err
	}
	var m *models.Member
	err = s.update(ctx, func(t *tx) (err error) {
		m, err = addAccount(ctx, t, pendingAccount{r.Handle, r.Name, r.Region, r.Email, hash, r.Language, r.Next, ""}, role)
		return err
	})
	return m, err
}

// pendingAccount is a registration whose email address is not confirmed yet. It
// is stored as JSON.
type pendingAccount struct {
	Handle       string        `json:"handle"`
	Name         string        `json:"name"`
	Region       models.Region `json:"region"`
	Email        string        `json:"email"`
	PasswordHash string        `json:"password_hash"`
	Language     string        `json:"language,omitempty"`
	Next         string        `json:"next,omitempty"`
	DeviceHash   string        `json:"device_hash,omitempty"` // of Device of the registration
}

// from reports whether the registration was sent by a device.
func (p *pendingAccount) from(device string) bool {
	return device != "" && p.DeviceHash == models.SecretHash(device)
}

func addAccount(ctx context.Context, t *tx, p pendingAccount, role models.Role) (*models.Member, error) {
	m := &models.Member{ID: t.db.newID(), Handle: p.Handle, Name: p.Name, Region: p.Region, JoinedAt: t.db.now()}
	if err := insertMembers(ctx, t, []models.Member{*m}); err != nil {
		return nil, err
	}
	n, err := t.affected(ctx, `INSERT INTO accounts (member_id, email, password, role, created_at, suspended_at, language)
		VALUES ($1, $2, $3, $4, $5, 0, $6) ON CONFLICT DO NOTHING`, m.ID, p.Email, p.PasswordHash, role, m.JoinedAt, p.Language)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, errEmailTaken
	}
	return m, nil
}

var errEmailTaken = &problem.Error{Kind: problem.Conflict, Code: "email_taken",
	Message: problem.Textf("This email address already has an account."), Hint: problem.Textf("Sign in, or use another address.")}

// SignUp stores a registration until its email address is confirmed and returns
// the code to send to that address. The code is empty if the address already
// has an account; callers must then respond as usual, so that nobody learns who
// has an account. The handle is not reserved until ConfirmSignUp.
func (s *Accounts) SignUp(ctx context.Context, r models.Registration) (code string, err error) {
	if err := r.Check(); err != nil {
		return "", err
	}
	if _, err := memberBy(ctx, s.read, "handle", r.Handle); err == nil {
		return "", errHandleTaken
	}
	hash, err := models.HashPassword(ctx, r.Password)
	if err != nil {
		return "", err
	}
	payload, err := json.Marshal(pendingAccount{r.Handle, r.Name, r.Region, r.Email, hash, r.Language, r.Next, models.SecretHash(r.Device)})
	if err != nil {
		return "", err
	}
	account, err := s.accountBy(ctx, "email", r.Email)
	if err != nil {
		return "", err
	}
	code = models.NewSecret()
	c := oneTimeCode{Purpose: codeSignUp, Email: r.Email, Payload: string(payload)}
	if account != nil {
		c.Purpose = codeNone
		return "", s.addCode(ctx, code, c, signUpCodeLifetime)
	}
	return code, s.addCode(ctx, code, c, signUpCodeLifetime)
}

// registration returns the registration that a code was emailed for.
func registration(ctx context.Context, s *Accounts, code string) (p pendingAccount, err error) {
	c, err := s.code(ctx, code, codeSignUp)
	if err == nil {
		err = json.Unmarshal([]byte(c.Payload), &p)
	}
	return p, err
}

// SignedUpFrom reports whether the registration that a code was emailed for was sent by a device.
func (s *Accounts) SignedUpFrom(ctx context.Context, code, device string) bool {
	if device == "" {
		return false
	}
	p, err := registration(ctx, s, code)
	return err == nil && p.from(device)
}

// ConfirmSignUp creates the account of a registration from the emailed code and the
// device that sent the registration, or else its password: whoever receives the code
// must not get an account whose password another person knows. It also returns Next of
// the registration. Attempts are limited as in SignIn. All other registrations with the
// email address end. If the code is unknown, used or expired it returns a NotFound
// error, code_invalid.
func (s *Accounts) ConfirmSignUp(ctx context.Context, code, password, device, client string) (m *models.Member, next string, err error) {
	p, err := registration(ctx, s, code)
	if err != nil {
		return nil, "", err
	}
	if !p.from(device) {
		ok, err := s.tryPassword(ctx, login{email: p.Email, client: client}, password, p.PasswordHash)
		if err != nil {
			return nil, "", err
		}
		if !ok {
			return nil, "", models.InvalidField("password", "invalid_value", "This isn't the password you chose when you signed up.")
		}
	}
	err = s.update(ctx, func(t *tx) error {
		if _, err := useCode(ctx, t, code, codeSignUp); err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM codes WHERE email = $1 AND purpose IN ('sign_up', 'email')`, p.Email); err != nil {
			return err
		}
		m, err = addAccount(ctx, t, p, models.RoleMember)
		return err
	})
	return m, p.Next, err
}

// SignIn verifies an email address and password. Attempts are limited by client,
// such as a network address, and by account. A wrong address and a wrong password
// both return sign_in_failed and take the same time.
func (s *Accounts) SignIn(ctx context.Context, email, password, client string) (*models.Account, error) {
	email, ok := models.ParseEmail(email)
	if !ok {
		email = ""
	}
	account, err := s.accountBy(ctx, "email", email)
	if err != nil {
		return nil, err
	}
	by, hash := login{email: email, client: client}, ""
	if account != nil {
		by.memberID, hash = account.MemberID, account.Password
	}
	ok, err = s.tryPassword(ctx, by, password, hash)
	if err == nil && !ok {
		err = &problem.Error{Kind: problem.Unauthenticated, Code: "sign_in_failed", Message: problem.Textf("The email address or password is incorrect."),
			Hint: problem.Textf("Try again, or reset your password.")}
	}
	return account, err
}

// CheckPassword verifies a member's password before an operation that changes the
// account. Attempts are limited as in SignIn. A wrong password is an error of the
// given field.
func (s *Accounts) CheckPassword(ctx context.Context, a *models.Account, field, password, client string) error {
	ok, err := s.tryPassword(ctx, login{a.Email, a.MemberID, client}, password, a.Password)
	if err == nil && !ok {
		err = models.InvalidField(field, "invalid_value", "The password is incorrect.")
	}
	return err
}

// Account returns the account of a member. If there is none it returns a
// NotFound error, member_not_found.
func (s *Accounts) Account(ctx context.Context, memberID string) (*models.Account, error) {
	a, err := s.accountBy(ctx, "member_id", memberID)
	if err == nil && a == nil {
		err = memberNotFound("id", memberID)
	}
	return a, err
}

// SetLanguage stores the language that a member reads, a BCP 47 tag.
func (s *Accounts) SetLanguage(ctx context.Context, memberID, language string) error {
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `UPDATE accounts SET language = $2 WHERE member_id = $1`, memberID, language)
		return err
	})
}

// AccountsByID returns accounts by member id. Members without an account are
// omitted.
func (s *Accounts) AccountsByID(ctx context.Context, memberIDs []string) (map[string]*models.Account, error) {
	accounts := make(map[string]*models.Account, len(memberIDs))
	for part := range chunks(models.KeepStorable(memberIDs)) {
		rows, err := s.read.QueryxContext(ctx, `SELECT `+accountColumns+` FROM accounts WHERE member_id IN (`+parameters(1, len(part))+`)`, toAny(part)...)
		if err != nil {
			return nil, err
		}
		err = eachRow(rows, func(r *sqlx.Rows) error {
			a, err := scanAccount(r)
			if err == nil {
				accounts[a.MemberID] = a
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return accounts, nil
}

// accountBy returns the account whose column has the given value, or nil.
func (s *Accounts) accountBy(ctx context.Context, column, value string) (*models.Account, error) {
	if !models.Storable(value) {
		return nil, nil
	}
	a, err := scanAccount(s.read.QueryRowxContext(ctx, `SELECT `+accountColumns+` FROM accounts WHERE `+column+` = $1`, value))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return a, err
}

const accountColumns = `member_id, email, password, role, created_at, suspended_at, generation, language`

// scanAccount scans a row of accountColumns.
func scanAccount(row interface{ Scan(...any) error }) (*models.Account, error) {
	var a models.Account
	err := row.Scan(&a.MemberID, &a.Email, &a.Password, &a.Role, &a.CreatedAt, &a.SuspendedAt, &a.Generation, &a.Language)
	return &a, err
}

// suspend suspends a member: it ends their sessions and grants, withdraws their offers
// and removes their listings. It does nothing if they are already suspended.
func (t *tx) suspend(ctx context.Context, memberID string, at models.Time) error {
	since, err := suspendedSince(ctx, t, memberID)
	if err != nil || since != 0 {
		return err
	}
	if err := setSuspended(ctx, t, memberID, at); err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, `DELETE FROM sessions WHERE member_id = $1`, memberID); err != nil {
		return err
	}
	if err := endGrants(ctx, t, memberID); err != nil {
		return err
	}
	if err := withdrawOffers(ctx, t, memberID, at); err != nil {
		return err
	}
	return advanceAll(ctx, t, models.Move{Step: models.Remove, At: at}, `seller_id = $1 AND status IN ('active', 'reserved')`, memberID)
}

// reinstate ends a suspension and restores the listings that it removed.
func (t *tx) reinstate(ctx context.Context, memberID string, at models.Time) error {
	since, err := suspendedSince(ctx, t, memberID)
	if err != nil || since == 0 {
		return err
	}
	if err := setSuspended(ctx, t, memberID, 0); err != nil {
		return err
	}
	return advanceAll(ctx, t, models.Move{Step: models.Restore, At: at}, `seller_id = $1 AND status = 'removed' AND updated_at = $2`, memberID, since)
}

func suspendedSince(ctx context.Context, t *tx, memberID string) (since models.Time, err error) {
	err = t.GetContext(ctx, &since, `SELECT suspended_at FROM accounts WHERE member_id = $1 AND role = 'member'`, memberID)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("This account can't be suspended or reinstated."),
			Hint: problem.Textf("Operators are managed on the server, and former members have no account.")}
	}
	return since, err
}

func setSuspended(ctx context.Context, t *tx, memberID string, since models.Time) error {
	_, err := t.ExecContext(ctx, `UPDATE accounts SET suspended_at = $2 WHERE member_id = $1`, memberID, since)
	t.sellerUpdated(memberID)
	return err
}

// advanceAll applies a move to every listing that matches a condition.
func advanceAll(ctx context.Context, t *tx, move models.Move, where string, args ...any) error {
	var ids []string
	if err := t.SelectContext(ctx, &ids, `UPDATE listings SET version = version WHERE `+where+` RETURNING id`, args...); err != nil {
		return err // the UPDATE locks the rows
	}
	for _, id := range ids {
		l, err := listingByID(ctx, t, id)
		if err == nil {
			err = advance(ctx, t, l, move)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// DeleteAccount deletes a member's account, searches, watchlist, kit and drafts,
// withdraws their offers, ends their listings and anonymises their profile.
// Sales remain in the trends, and conversations remain for the other member. The error is
// last_operator for the only operator of the site.
func (s *Accounts) DeleteAccount(ctx context.Context, memberID string) error {
	err := s.update(ctx, func(t *tx) error {
		if err := lockName(ctx, t, "roles"); err != nil {
			return err
		}
		if err := withdrawOffers(ctx, t, memberID, s.now()); err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM deliveries WHERE kind = 'mail' AND recipient IN (SELECT email FROM accounts WHERE member_id = $1)`, memberID); err != nil {
			return err
		}
		var role models.Role
		err := t.GetContext(ctx, &role, `DELETE FROM accounts WHERE member_id = $1 RETURNING role`, memberID)
		if errors.Is(err, sql.ErrNoRows) {
			return memberNotFound("id", memberID)
		}
		if err == nil && role == models.RoleOperator {
			err = requireOperator(ctx, t)
		}
		if err != nil {
			return err
		}
		if err := forgetReporter(ctx, t, memberID); err != nil {
			return err
		}
		for _, what := range []string{`searches WHERE member_id`, `watches WHERE member_id`, `blocks WHERE member_id`, `handover_addresses WHERE buyer_id`, `trade_settings WHERE member_id`, `watcher_messages WHERE seller_id`, `contact_messages WHERE member_id`, `kit_items WHERE member_id`} {
			if _, err := t.ExecContext(ctx, `DELETE FROM `+what+` = $1`, memberID); err != nil {
				return err
			}
		}
		if _, err := t.ExecContext(ctx, `UPDATE gear_proposals SET member_id = NULL WHERE member_id = $1`, memberID); err != nil {
			return err
		}
		_, err = t.ExecContext(ctx, `UPDATE members SET handle = $2, name = 'Former member', region = '', bio = '' WHERE id = $1`,
			memberID, models.FormerPrefix+memberID[len(memberID)-12:])
		if err != nil {
			return err
		}
		t.sellerUpdated(memberID)
		return endListings(ctx, t, memberID, s.now())
	})
	if err != nil {
		return err
	}
	s.engine.erase(context.WithoutCancel(ctx), s.database) // if it fails, DeleteExpired does it
	return nil
}

// withdrawOffers withdraws a member's open offers as a buyer. Listings reserved
// for them become active again.
func withdrawOffers(ctx context.Context, t *tx, memberID string, at models.Time) error {
	if err := expireOffers(ctx, t, at, `buyer_id = $3`, memberID); err != nil {
		return err
	}
	var ids []string
	err := t.SelectContext(ctx, &ids, `SELECT id FROM offers WHERE buyer_id = $1 AND status IN ('pending', 'countered', 'accepted') ORDER BY listing_id`, memberID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := expirePurchase(ctx, t, id, at); err != nil {
			return err
		}
		o, l, err := lockOffer(ctx, t, id)
		if err == nil && o.Open() {
			err = answer(ctx, t, o, l, Answer{Step: models.Withdraw, By: memberID}, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// endListings ends a member's open listings, and deletes their drafts, serial numbers
// and what was checked about them.
func endListings(ctx context.Context, t *tx, memberID string, at models.Time) error {
	if _, err := t.ExecContext(ctx, `DELETE FROM listings WHERE seller_id = $1 AND status = 'draft'`, memberID); err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, `UPDATE listings SET serial = '' WHERE seller_id = $1`, memberID); err != nil {
		return err
	}
	for _, table := range []string{`listing_serials`, `possession_checks`, `photo_facts`, `photo_notes`, `listing_holds`} {
		if _, err := t.ExecContext(ctx, `DELETE FROM `+table+` WHERE listing_id IN (SELECT id FROM listings WHERE seller_id = $1)`, memberID); err != nil {
			return err
		}
	}
	return advanceAll(ctx, t, models.Move{Step: models.End, At: at}, `seller_id = $1 AND status IN ('active', 'reserved')`, memberID)
}

// DeleteExpired deletes expired sessions, codes, grants, login attempts and networks,
// unused OAuth clients, records of trend alerts that were sent, emails that failed long
// ago, messages to the owner, and the addresses of trades that ended ErasePeriod ago. After the same time it deletes what members sent as
// a proof of possession or of a theft.
func (s *Accounts) DeleteExpired(ctx context.Context) error {
	now := s.now()
	const day = models.Time(24 * 60 * 60 * 1000)
	err := s.update(ctx, func(t *tx) error {
		if _, err := t.ExecContext(ctx, `DELETE FROM sessions WHERE expires_at < $1`, now); err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM codes WHERE expires_at < $1`, now); err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM oauth_grants WHERE expires_at < $1`, now); err != nil {
			return err
		}
		if err := deleteUnusedClients(ctx, t, now); err != nil {
			return err
		}
		if err := eraseHandovers(ctx, t, now.Add(-models.ErasePeriod)); err != nil {
			return err
		}
		if err := erasePossessions(ctx, t, now.Add(-models.ErasePeriod)); err != nil {
			return err
		}
		if err := eraseStolen(ctx, t, now.Add(-models.ErasePeriod)); err != nil {
			return err
		}
		if err := eraseContact(ctx, t, now); err != nil {
			return err
		}
		if err := eraseFailed(ctx, t, now); err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM login_networks WHERE seen_at < $1`, now-365*day); err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM trend_alerts WHERE position = 0 AND due_at < $1`, now); err != nil {
			return err
		}
		_, err := t.ExecContext(ctx, `DELETE FROM guesses WHERE next_at < $1`, now-2*day)
		return err
	})
	if err != nil {
		return err
	}
	return s.engine.erase(ctx, s.database)
}

// endGrants ends all grants of a member.
func endGrants(ctx context.Context, t *tx, memberID string) error {
	_, err := t.ExecContext(ctx, `DELETE FROM oauth_grants WHERE member_id = $1`, memberID)
	return err
}
