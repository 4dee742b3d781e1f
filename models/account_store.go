package models

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/jmoiron/sqlx"
)

// CreateAccount makes a member with an account at once, as the operator's
// command does. Taken handles and e-mail addresses are Conflicts.
func (s *AccountStore) CreateAccount(ctx context.Context, r Registration, role Role) (*Member, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	hash, err := HashPassword(r.Password)
	if err != nil {
		return nil, err
	}
	var m *Member
	err = s.update(ctx, func(t *tx) (err error) {
		m, err = t.addAccount(ctx, pendingAccount{r.Handle, r.Name, r.Region, r.Email, hash}, role)
		return err
	})
	return m, err
}

// pendingAccount is an account that waits for its e-mail address to be confirmed.
type pendingAccount struct {
	Handle       string `json:"handle"`
	Name         string `json:"name"`
	Region       Region `json:"region"`
	Email        string `json:"email"`
	PasswordHash string `json:"password_hash"`
}

func (t *tx) addAccount(ctx context.Context, p pendingAccount, role Role) (*Member, error) {
	m := &Member{ID: t.db.newID(), Handle: p.Handle, Name: p.Name, Region: p.Region, JoinedAt: t.db.now()}
	if err := t.insertMembers(ctx, []Member{*m}); err != nil {
		return nil, err
	}
	n, err := t.affected(ctx, `INSERT INTO accounts (member_id, email, password, role, created_at, suspended_at)
		VALUES ($1, $2, $3, $4, $5, 0) ON CONFLICT DO NOTHING`, m.ID, p.Email, p.PasswordHash, role, m.JoinedAt)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, errEmailTaken
	}
	return m, nil
}

var errEmailTaken = &Error{Kind: Conflict, Code: "email_taken",
	Message: "The e-mail address belongs to an account already.", Hint: "Sign in with it, or use another address."}

// SignUp notes a registration until its e-mail address is confirmed. The code is
// to be mailed there, and to nobody else. It is "" when the address has an
// account: then the mail should say so, and the page the same as ever, so that
// nobody learns who has an account. Nothing is taken before the code comes back,
// not even the handle.
func (s *AccountStore) SignUp(ctx context.Context, r Registration) (code string, err error) {
	if err := r.check(); err != nil {
		return "", err
	}
	if _, err := memberBy(ctx, s.read, "handle", r.Handle); err == nil {
		return "", errHandleTaken
	}
	hash, err := HashPassword(r.Password)
	if err != nil {
		return "", err
	}
	payload, err := json.Marshal(pendingAccount{r.Handle, r.Name, r.Region, r.Email, hash})
	if err != nil {
		return "", err
	}
	account, err := s.accountBy(ctx, "email", r.Email)
	if err != nil {
		return "", err
	}
	code = NewSecret()
	if account != nil {
		return "", s.addCode(ctx, code, codeNone, "", string(payload), signUpTime)
	}
	return code, s.addCode(ctx, code, codeSignUp, "", string(payload), signUpTime)
}

// ConfirmSignUp makes the account whose code was mailed. A code that is unknown,
// used or old is NotFound code_invalid.
func (s *AccountStore) ConfirmSignUp(ctx context.Context, code string) (m *Member, err error) {
	err = s.update(ctx, func(t *tx) error {
		payload, _, err := t.useCode(ctx, code, codeSignUp)
		if err != nil {
			return err
		}
		var p pendingAccount
		if err := json.Unmarshal([]byte(payload), &p); err != nil {
			return err
		}
		m, err = t.addAccount(ctx, p, RoleMember)
		return err
	})
	return m, err
}

// SignIn checks a password. Where is who asks, such as a network address. A
// wrong address and a wrong password are the same error, sign_in_failed, and
// take the same time; who guesses is slowed down by account and by where.
func (s *AccountStore) SignIn(ctx context.Context, email, password, where string) (*Account, error) {
	email, ok := ParseEmail(email)
	if !ok {
		email = ""
	}
	byAccount, byAddress := guess{"account:" + secretHash(email), 5}, guess{"address:" + where, 30}
	for _, g := range []guess{byAccount, byAddress} {
		if err := s.beginGuess(ctx, g); err != nil {
			return nil, err
		}
	}
	account, err := s.accountBy(ctx, "email", email)
	if err != nil {
		return nil, err
	}
	hash := ""
	if account != nil {
		hash = account.password
	}
	if !passwordMatches(password, hash) {
		return nil, &Error{Kind: Unauthenticated, Code: "sign_in_failed", Message: "The e-mail address or the password is wrong.",
			Hint: "Try again, or ask for a link to set a new password."}
	}
	return account, s.endGuess(ctx, byAccount, byAddress)
}

// CheckPassword holds a member to their own password before what cannot be taken
// back. Guessing is slowed down as at signing in.
func (s *AccountStore) CheckPassword(ctx context.Context, memberID, field, password string) error {
	account, err := s.Account(ctx, memberID)
	if err != nil {
		return err
	}
	g := guess{"account:" + secretHash(account.Email), 5}
	if err := s.beginGuess(ctx, g); err != nil {
		return err
	}
	if !passwordMatches(password, account.password) {
		return invalidFields([]FieldError{{field, "invalid_value", "The password is not right."}})
	}
	return s.endGuess(ctx, g)
}

// BeginReset makes a code to set a new password with, to be mailed to the
// address; "" when it has no account, of which the page must say nothing. The work
// is the same in both cases.
func (s *AccountStore) BeginReset(ctx context.Context, email string) (code string, err error) {
	email, ok := ParseEmail(email)
	if !ok {
		return "", invalidFields([]FieldError{{"email", "invalid_value", "That is no e-mail address; write it as name@example.org."}})
	}
	account, err := s.accountBy(ctx, "email", email)
	if err != nil {
		return "", err
	}
	code = NewSecret()
	if account == nil {
		return "", s.addCode(ctx, code, codeNone, "", "", resetTime)
	}
	return code, s.addCode(ctx, code, codeReset, account.MemberID, "", resetTime)
}

// Reset sets a new password with a mailed code, and ends every session: who had
// the old password is out. What others guessed does not keep its owner waiting.
func (s *AccountStore) Reset(ctx context.Context, code, password string) error {
	if bad := checkPassword(password, "", ""); bad != nil {
		return invalidFields([]FieldError{*bad})
	}
	hash, err := HashPassword(password)
	if err != nil {
		return err
	}
	return s.update(ctx, func(t *tx) error {
		_, memberID, err := t.useCode(ctx, code, codeReset)
		if err != nil {
			return err
		}
		var email string
		if err := t.GetContext(ctx, &email, `SELECT email FROM accounts WHERE member_id = $1`, memberID); err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM guesses WHERE subject = $1`, "account:"+secretHash(email)); err != nil {
			return err
		}
		return t.setPassword(ctx, memberID, hash)
	})
}

// ChangePassword sets a new password, for who knows the old one, and ends every
// session.
func (s *AccountStore) ChangePassword(ctx context.Context, memberID, old, password string) error {
	account, err := s.Account(ctx, memberID)
	if err != nil {
		return err
	}
	if err := s.CheckPassword(ctx, memberID, "old_password", old); err != nil {
		return err
	}
	if bad := checkPassword(password, "", account.Email); bad != nil {
		return invalidFields([]FieldError{*bad})
	}
	hash, err := HashPassword(password)
	if err != nil {
		return err
	}
	return s.update(ctx, func(t *tx) error { return t.setPassword(ctx, memberID, hash) })
}

func (t *tx) setPassword(ctx context.Context, memberID, hash string) error {
	if _, err := t.ExecContext(ctx, `UPDATE accounts SET password = $2 WHERE member_id = $1`, memberID, hash); err != nil {
		return err
	}
	_, err := t.ExecContext(ctx, `DELETE FROM sessions WHERE member_id = $1`, memberID)
	return err
}

// BeginEmailChange makes a code to be mailed to the new address; "" when that has
// an account already, of which the page must say nothing.
func (s *AccountStore) BeginEmailChange(ctx context.Context, memberID, email string) (code string, err error) {
	email, ok := ParseEmail(email)
	if !ok {
		return "", invalidFields([]FieldError{{"email", "invalid_value", "That is no e-mail address; write it as name@example.org."}})
	}
	other, err := s.accountBy(ctx, "email", email)
	if err != nil {
		return "", err
	}
	code = NewSecret()
	if other != nil {
		return "", s.addCode(ctx, code, codeNone, memberID, email, signUpTime)
	}
	return code, s.addCode(ctx, code, codeEmail, memberID, email, signUpTime)
}

// ConfirmEmail changes the address an account signs in with, with a mailed code.
func (s *AccountStore) ConfirmEmail(ctx context.Context, code string) error {
	return s.update(ctx, func(t *tx) error {
		email, memberID, err := t.useCode(ctx, code, codeEmail)
		if err != nil {
			return err
		}
		n, err := t.affected(ctx, `UPDATE accounts SET email = $2 WHERE member_id = $1 AND NOT EXISTS (SELECT 1 FROM accounts WHERE email = $2)`, memberID, email)
		if err == nil && n == 0 {
			err = errEmailTaken
		}
		return err
	})
}

// Account is the account of a member; NotFound member_not_found when there is none.
func (s *AccountStore) Account(ctx context.Context, memberID string) (*Account, error) {
	a, err := s.accountBy(ctx, "member_id", memberID)
	if err == nil && a == nil {
		err = memberNotFound("id", memberID)
	}
	return a, err
}

// AccountsByID returns the accounts of members by member id; members without one
// are absent.
func (s *AccountStore) AccountsByID(ctx context.Context, memberIDs []string) (map[string]*Account, error) {
	accounts := make(map[string]*Account, len(memberIDs))
	for part := range chunks(storables(memberIDs)) {
		rows, err := s.read.QueryxContext(ctx, `SELECT `+accountColumns+` FROM accounts WHERE member_id IN (`+parameters(1, len(part))+`)`, anys(part)...)
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

// accountBy finds an account; nil when there is none.
func (s *AccountStore) accountBy(ctx context.Context, column, value string) (*Account, error) {
	if !storable(value) {
		return nil, nil
	}
	a, err := scanAccount(s.read.QueryRowxContext(ctx, `SELECT `+accountColumns+` FROM accounts WHERE `+column+` = $1`, value))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return a, err
}

const accountColumns = `member_id, email, password, role, created_at, suspended_at`

// scanAccount reads a row of accountColumns.
func scanAccount(row interface{ Scan(...any) error }) (*Account, error) {
	var a Account
	err := row.Scan(&a.MemberID, &a.Email, &a.password, &a.Role, &a.CreatedAt, &a.SuspendedAt)
	return &a, err
}

// suspend takes an account's rights away and its member off the market, and ends
// its sessions. Whoever is suspended already stays so.
func (t *tx) suspend(ctx context.Context, memberID string, at Time) error {
	since, err := t.suspendedSince(ctx, memberID)
	if err != nil || since != 0 {
		return err
	}
	if err := t.setSuspended(ctx, memberID, at); err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, `DELETE FROM sessions WHERE member_id = $1`, memberID); err != nil {
		return err
	}
	if err := t.withdrawAll(ctx, memberID, at); err != nil {
		return err
	}
	return t.moveAll(ctx, Move{Step: Remove, At: at}, `seller_id = $1 AND status IN ('active', 'reserved')`, memberID)
}

// reinstate gives an account its rights back, and puts up again what went with
// them: the listings removed at the instant of the suspension.
func (t *tx) reinstate(ctx context.Context, memberID string, at Time) error {
	since, err := t.suspendedSince(ctx, memberID)
	if err != nil || since == 0 {
		return err
	}
	if err := t.setSuspended(ctx, memberID, 0); err != nil {
		return err
	}
	return t.moveAll(ctx, Move{Step: Restore, At: at}, `seller_id = $1 AND status = 'removed' AND updated_at = $2`, memberID, since)
}

func (t *tx) suspendedSince(ctx context.Context, memberID string) (since Time, err error) {
	err = t.GetContext(ctx, &since, `SELECT suspended_at FROM accounts WHERE member_id = $1 AND role = 'member'`, memberID)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, &Error{Kind: Conflict, Code: "wrong_status", Message: "This member has no account that could be suspended.",
			Hint: "Operators are made and unmade on the server, and who left has no account."}
	}
	return since, err
}

func (t *tx) setSuspended(ctx context.Context, memberID string, since Time) error {
	_, err := t.ExecContext(ctx, `UPDATE accounts SET suspended_at = $2 WHERE member_id = $1`, memberID, since)
	t.changed(MemberChanged, memberID)
	return err
}

// moveAll takes the same step of every listing of some.
func (t *tx) moveAll(ctx context.Context, move Move, where string, args ...any) error {
	var ids []string
	if err := t.SelectContext(ctx, &ids, `UPDATE listings SET version = version WHERE `+where+` RETURNING id`, args...); err != nil {
		return err // they stay as they are until the transaction ends
	}
	for _, id := range ids {
		l, err := listingByID(ctx, t, id)
		if err == nil {
			err = t.advance(ctx, l, move)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// DeleteAccount takes a member's account, name and open listings off the site, with
// what they bid, watch and look for. What others rely on stays without a name: sales
// in the trends, the other side of a conversation.
func (s *AccountStore) DeleteAccount(ctx context.Context, memberID string) error {
	return s.update(ctx, func(t *tx) error {
		if err := t.withdrawAll(ctx, memberID, s.now()); err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM deliveries WHERE kind = 'mail' AND recipient IN (SELECT email FROM accounts WHERE member_id = $1)`, memberID); err != nil {
			return err
		}
		n, err := t.affected(ctx, `DELETE FROM accounts WHERE member_id = $1`, memberID)
		if err == nil && n == 0 {
			return memberNotFound("id", memberID)
		}
		if err != nil {
			return err
		}
		for _, what := range []string{`searches WHERE member_id`, `watches WHERE member_id`, `blocks WHERE member_id`} {
			if _, err := t.ExecContext(ctx, `DELETE FROM `+what+` = $1`, memberID); err != nil {
				return err
			}
		}
		_, err = t.ExecContext(ctx, `UPDATE members SET handle = $2, name = 'Former member', region = '', bio = '' WHERE id = $1`,
			memberID, formerPrefix+memberID[len(memberID)-12:])
		if err != nil {
			return err
		}
		t.changed(MemberChanged, memberID)
		return t.endAll(ctx, memberID, s.now())
	})
}

// withdrawAll takes back what a member bids for, so that what was reserved for
// them is for sale again.
func (t *tx) withdrawAll(ctx context.Context, memberID string, at Time) error {
	if err := t.expireOffers(ctx, at, `buyer_id = $3`, memberID); err != nil {
		return err
	}
	var ids []string
	err := t.SelectContext(ctx, &ids, `SELECT id FROM offers WHERE buyer_id = $1 AND status IN ('pending', 'countered', 'accepted') ORDER BY listing_id`, memberID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		o, l, err := t.lockOffer(ctx, id, memberID)
		if err == nil {
			err = t.answer(ctx, o, l, Answer{Step: Withdraw, By: memberID}, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// endAll ends what a member has on the market, and drops drafts and serial numbers.
func (t *tx) endAll(ctx context.Context, memberID string, at Time) error {
	if _, err := t.ExecContext(ctx, `DELETE FROM listings WHERE seller_id = $1 AND status = 'draft'`, memberID); err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, `UPDATE listings SET serial = '' WHERE seller_id = $1`, memberID); err != nil {
		return err
	}
	return t.moveAll(ctx, Move{Step: End, At: at}, `seller_id = $1 AND status IN ('active', 'reserved')`, memberID)
}

// Clean drops what is over: sessions and codes that nobody can use any more, and
// guesses long past.
func (s *AccountStore) Clean(ctx context.Context) error {
	now := s.now()
	const day = Time(24 * 60 * 60 * 1000)
	return s.update(ctx, func(t *tx) error {
		if _, err := t.ExecContext(ctx, `DELETE FROM sessions WHERE expires_at < $1`, now); err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM codes WHERE expires_at < $1`, now); err != nil {
			return err
		}
		_, err := t.ExecContext(ctx, `DELETE FROM guesses WHERE next_at < $1`, now-2*day)
		return err
	})
}
