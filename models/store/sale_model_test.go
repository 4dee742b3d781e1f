package store_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// saleModel is what members, operators and time can do with a listing and the offers of
// two buyers on it, made from the state machines that the code uses. Every rule is one
// transaction. Its expressions are valid in Go and in Promela: writePromela makes
// the input of Spin of them, and the tests of the store evaluate them.
type saleModel struct {
	values     map[string]byte // of the names of states
	variables  []string        // those that end in 0 and 1 belong to the buyers
	start      state
	rules      []rule
	invariants []invariant
	compiled   map[string]expression
}

// state has the values of the variables. Prices and texts are not part of it.
type state [40]byte

// rule is a step that is taken if all guards are true. Rules of the same action differ in
// the state they start from.
type rule struct {
	action  action
	guards  []guard
	effects []effect
	reads   string // of a step that reads the listing before it locks it: what it checks again
}

// action is what somebody tries.
type action struct {
	step   string // as in the code
	buyer  int    // the offer it is about, -1 for none
	by     string // buyer, seller, operator or clock
	method models.HandoverMethod
	gives  bool // the buyer gives an address
}

// The steps that make an offer. A listing is bought at once, or once its seller confirms it.
const (
	makeStep    = "make"
	buyStep     = "buy"
	instantStep = "buy_instantly"
)

func (a action) String() string {
	return strings.TrimSpace(fmt.Sprint(a.step, " by ", a.by, " ", strings.TrimPrefix(fmt.Sprint(a.buyer), "-1"), " ", a.method, map[bool]string{true: " with address"}[a.gives]))
}

type guard struct{ name, is string }

// effect assigns values, separated by semicolons, if a condition is true.
type effect struct{ when, set string }

type invariant struct{ name, is string }

// always is the condition of an effect that has none.
const always = "1 == 1"

// newSaleModel returns the model of the code. Variables that the site doesn't store are
// yesbuyer and yesseller, who agreed to the price, handedover, whether the seller completed
// the sale, upheld, whether somebody or silence confirmed it, and edited, whether a listing
// was edited after an offer was accepted.
func newSaleModel() *saleModel {
	m := &saleModel{values: map[string]byte{"none": 0}, compiled: map[string]expression{}, variables: []string{"listing", "from", "price", "declared", "edited"}}
	name := func(s string) {
		if _, ok := m.values[s]; !ok {
			m.values[s] = byte(len(m.values))
		}
	}
	for _, s := range []models.Status{models.StatusDraft, models.StatusActive, models.StatusReserved, models.StatusSold, models.StatusEnded, models.StatusExpired, models.StatusRemoved, "deleted"} {
		name("l_" + string(s))
	}
	for _, s := range models.OfferStatuses {
		name("o_" + string(s))
	}
	for _, s := range models.HandoverStatuses {
		name("h_" + string(s))
	}
	for _, s := range []string{"pickup", "shipping", "waiting", "disputed", "confirmed"} {
		name(s)
	}
	m.start[0] = m.values["l_draft"]
	for b := range 2 {
		for _, v := range []string{"offer", "agreement", "handover", "method", "address", "sale", "voided", "blocked", "yesbuyer", "yesseller", "handedover", "upheld", "byseller", "bybuyer", "bought", "asked"} {
			m.variables = append(m.variables, fmt.Sprint(v, b))
		}
	}
	m.listingRules()
	for b := range 2 {
		m.offerRules(b)
		m.handoverRules(b)
		m.saleRules(b)
	}
	m.addInvariants()
	return m
}

func (m *saleModel) add(a action, guards []guard, effects ...effect) {
	m.rules = append(m.rules, rule{action: a, guards: guards, effects: effects})
}

// of puts the number of a buyer behind the variables of an expression, which end in $.
func of(b int, text string) string {
	return strings.NewReplacer("$", fmt.Sprint(b), "~", fmt.Sprint(1-b)).Replace(text)
}

// listingIs is the condition that a listing is in one of some states.
func listingIs(statuses []models.Status) string {
	is := make([]string, len(statuses))
	for i, s := range statuses {
		is[i] = "listing == l_" + string(s)
	}
	return "(" + strings.Join(is, " || ") + ")"
}

// reserves is the condition that a listing is reserved for a buyer, noneAgreed that it is for
// none.
const (
	reserves   = "(offer$ == o_accepted || offer$ == o_pending && bought$ == 1)"
	noneAgreed = "offer0 != o_accepted && offer1 != o_accepted && !(offer0 == o_pending && bought0 == 1) && !(offer1 == o_pending && bought1 == 1)"
)

// closing returns the effects of a listing that is in a new status: its open offers are
// declined unless it is still open.
func closing(to models.Status, but int) []effect {
	var effects []effect
	for b := range 2 {
		if !to.Open() && b != but {
			effects = append(effects, effect{of(b, "offer$ == o_pending || offer$ == o_countered || offer$ == o_accepted"), of(b, "offer$ = o_declined; ") + of(b, drop)})
		}
	}
	return effects
}

// drop deletes the agreement, the hand-over and the address of an offer.
const drop = "bought$ = 0; asked$ = none; agreement$ = 0; handover$ = none; method$ = none; address$ = 0; byseller$ = 0; bybuyer$ = 0; yesbuyer$ = 0; yesseller$ = 0"

func (m *saleModel) listingRules() {
	for _, step := range slices.Sorted(maps.Keys(models.ListingTransitions)) {
		t := models.ListingTransitions[step]
		by := "seller"
		switch step {
		case models.Void:
			continue // with its sale
		case models.Expire:
			by = "clock"
		case models.Remove, models.Restore:
			by = "operator"
		}
		for _, from := range t.From {
			guards := []guard{{string(step) + ": status", "listing == l_" + string(from)}}
			if from == models.StatusReserved && by == "seller" {
				guards = append(guards, guard{string(step) + ": nothing agreed", noneAgreed})
			}
			effects := []effect{{always, "listing = l_" + string(t.To)}}
			switch step {
			case models.Discard:
				effects[0].set = "listing = l_deleted"
			case models.Sell:
				effects[0].set += "; declared = 1; price = 1"
			case models.Remove:
				effects[0].set += "; from = l_" + string(from)
			case models.Restore:
				effects[0].set = "listing = from; from = none"
			}
			if step != models.Restore && step != models.Discard {
				effects = append(effects, closing(t.To, -1)...)
			}
			m.add(action{step: string(step), buyer: -1, by: by}, guards, effects...)
		}
	}
	m.add(action{step: "edit", buyer: -1, by: "seller"}, []guard{{"edit: status", listingIs([]models.Status{models.StatusDraft, models.StatusActive, models.StatusReserved})}, {"edit: nothing agreed", noneAgreed}},
		effect{"!(" + noneAgreed + ")", "edited = 1"})
	m.add(action{step: "void", buyer: -1, by: "operator"}, []guard{{"void: a sale", "declared == 1"}}, append(voiding, effect{always, "declared = 0"})...)
}

// voiding takes a listing whose sale is void out of the sold ones.
var voiding = []effect{
	{"listing == l_sold", "listing = l_" + string(models.ListingTransitions[models.Void].To) + "; price = 0"},
	{"listing == l_removed && from == l_sold", "from = l_ended; price = 0"},
}

// parties are the members of an offer whose seller is "seller".
var parties = []string{"buyer", "seller"}

// next returns where a step of a state machine leads, and whether the member may take it.
// possible is false if nobody may.
func next[S comparable](try func(by string) (S, error)) (to S, allowed map[string]bool, possible bool) {
	allowed = map[string]bool{}
	for _, by := range parties {
		if s, err := try(by); err == nil {
			to, allowed[by], possible = s, true, true
		}
	}
	return to, allowed, possible
}

// allowedTo is the condition that a member is the one to take a step.
func allowedTo(step string, allowed bool) guard {
	return guard{step + ": turn", map[bool]string{true: always, false: "0 == 1"}[allowed]}
}

func (m *saleModel) offerRules(b int) {
	notBlocked := func(step string) guard { return guard{step + ": not blocked", of(b, "blocked$ == 0")} }
	for _, make := range []string{makeStep, buyStep, instantStep} {
		for _, method := range []models.HandoverMethod{"", models.Pickup, models.Shipping} {
			if make != makeStep && method == "" {
				continue // stands for shipping
			}
			guards := []guard{{make + ": for sale", "listing == l_active"}, notBlocked(make)}
			asked := cmp.Or(string(method), "none")
			effects := []effect{{always, of(b, "offer$ = o_pending; "+drop+"; sale$ = none; voided$ = 0; handedover$ = 0; upheld$ = 0; yesbuyer$ = 1; asked$ = "+asked)}}
			switch make {
			case makeStep:
				guards = append(guards, guard{"make: one offer", of(b, "offer$ != o_pending && offer$ != o_countered && offer$ != o_accepted")})
			case buyStep:
				effects = append(effects, effect{always, of(b, "bought$ = 1; edited = 0; listing = l_"+string(models.ListingTransitions[models.Reserve].To))})
			case instantStep:
				effects = append(append(effects, effect{always, of(b, "yesseller$ = 1; edited = 0; listing = l_"+string(models.ListingTransitions[models.Reserve].To))}), accepting(b)...)
			}
			m.add(action{step: make, buyer: b, by: "buyer", method: method}, guards, effects...)
		}
	}
	for _, step := range models.OfferSteps {
		for _, from := range slices.Concat(models.OfferStatuses, []models.OfferStatus{bought}) {
			o := models.Offer{BuyerID: "buyer", SellerID: "seller", Status: from}
			if from == bought {
				o.Status, o.Bought = models.OfferPending, true
			}
			to, allowed, possible := next(func(by string) (models.OfferStatus, error) { return o.Next(step, o.PartyOf(by)) })
			for _, by := range parties {
				if !possible {
					continue
				}
				s := string(step)
				is := map[models.OfferStatus]string{bought: "offer$ == o_pending && bought$ == 1", models.OfferPending: "offer$ == o_pending && bought$ == 0"}
				guards := []guard{{s + ": status", of(b, cmp.Or(is[from], "offer$ == o_"+string(from)))}, allowedTo(s, allowed[by])}
				if !step.DespiteBlock() {
					guards = append(guards, notBlocked(s))
				}
				set := of(b, "offer$ = o_"+string(to))
				var effects []effect
				switch {
				case step == models.Counter:
					set += of(b, fmt.Sprintf("; yesbuyer$ = %d; yesseller$ = %d", value(by == "buyer"), value(by == "seller")))
				case step == models.Accept:
					if from != bought {
						guards = append(guards, guard{"accept: for sale", listingIs(models.ListingTransitions[models.Reserve].From)})
						set += of(b, "; edited = 0; listing = l_"+string(models.ListingTransitions[models.Reserve].To))
					}
					set += of(b, "; yes"+by+"$ = 1; bought$ = 0")
					effects = accepting(b)
				case o.Reserves() && (step == models.Withdraw || step == models.Decline):
					set += of(b, "; "+drop+"; listing = l_"+string(models.ListingTransitions[models.Relist].To))
				case step == models.Decline, step == models.Withdraw:
					set += of(b, "; "+drop)
				case step == models.Complete:
					sent := of(b, "method$ == shipping && handover$ == h_agreed")
					set += of(b, fmt.Sprintf("; sale$ = waiting; listing = l_sold; price = 1; edited = 0; handedover$ = %d", value(by == "seller")))
					effects = append([]effect{{of(b, "handover$ != h_agreed"), of(b, "method$ = none; byseller$ = 0; bybuyer$ = 0")},
						{"!(" + sent + ")", of(b, "handover$ = h_received")}, {sent, of(b, "handover$ = h_sent")}}, closing(models.ListingTransitions[models.Sell].To, b)...)
				case step == models.Confirm:
					set += of(b, "; sale$ = confirmed; upheld$ = 1")
				case step == models.Dispute:
					set += of(b, "; sale$ = disputed")
				}
				m.add(action{step: s, buyer: b, by: by}, guards, append([]effect{{always, set}}, effects...)...)
			}
		}
	}
	m.add(action{step: "expire_offer", buyer: b, by: "clock"}, []guard{{"expire_offer: status", of(b, "offer$ == o_pending || offer$ == o_countered")}}, effect{of(b, "bought$ == 1"), "listing = l_" + string(models.ListingTransitions[models.Relist].To)}, effect{always, of(b, "offer$ = o_expired; "+drop)})
	m.add(action{step: "block", buyer: b, by: "buyer"}, nil, effect{always, of(b, "blocked$ = 1")})
	m.add(action{step: "unblock", buyer: b, by: "buyer"}, nil, effect{always, of(b, "blocked$ = 0")})
}

// bought stands for the status of a purchase that its seller is to confirm.
const bought models.OfferStatus = "bought"

// accepting returns the effects of an accepted offer: an agreement, and a hand-over that is
// agreed if the buyer asked for a method.
func accepting(b int) []effect {
	return []effect{{always, of(b, "offer$ = o_accepted; agreement$ = 1; handover$ = h_open; bought$ = 0")},
		{of(b, "asked$ == shipping"), of(b, "address$ = 1")},
		{of(b, "asked$ != none"), of(b, "handover$ = h_agreed; method$ = asked$; bybuyer$ = 1; byseller$ = 1; asked$ = none")}}
}

func (m *saleModel) handoverRules(b int) {
	for _, step := range models.HandoverSteps {
		methods, gives := []models.HandoverMethod{""}, []bool{false}
		if step == models.ProposeHandover {
			methods = []models.HandoverMethod{models.Pickup, models.Shipping}
		}
		if step == models.ProposeHandover || step == models.AgreeHandover {
			gives = []bool{false, true}
		}
		for _, from := range models.HandoverStatuses {
			for _, offer := range models.OfferStatuses {
				_, allowed, possible := next(func(by string) (models.HandoverStatus, error) { return handoverNext(step, from, offer, by) })
				for _, by := range parties {
					for _, method := range methods {
						for _, address := range gives {
							if possible && (by == "buyer" || !address) {
								to, _ := handoverNext(step, from, offer, map[bool]string{true: by, false: map[string]string{"buyer": "seller", "seller": "buyer"}[by]}[allowed[by]])
								m.handoverRule(step, action{step: string(step), buyer: b, by: by, method: method, gives: address}, from, to, offer, allowed[by])
							}
						}
					}
				}
			}
		}
	}
}

// handoverNext is Next of a hand-over whose last proposal the member hasn't made.
func handoverNext(step models.HandoverStep, from models.HandoverStatus, offer models.OfferStatus, by string) (models.HandoverStatus, error) {
	o := models.Offer{BuyerID: "buyer", SellerID: "seller", Status: offer}
	h := models.Handover{Status: from, ByBuyer: by == "seller"}
	return h.Next(step, &o, o.PartyOf(by))
}

func (m *saleModel) handoverRule(step models.HandoverStep, a action, from, to models.HandoverStatus, offer models.OfferStatus, allowed bool) {
	b := a.buyer
	guards := []guard{{a.step + ": status", of(b, "offer$ == o_"+string(offer)+" && handover$ == h_"+string(from))}, allowedTo(a.step, allowed)}
	if !step.DespiteBlock() {
		guards = append(guards, guard{a.step + ": not blocked", of(b, "blocked$ == 0")})
	}
	set := of(b, "handover$ = h_"+string(to))
	var effects []effect
	switch {
	case step == models.ProposeHandover:
		set += of(b, fmt.Sprintf("; method$ = %s; bybuyer$ = %d; byseller$ = %d", a.method, value(a.by == "buyer"), value(a.by == "seller")))
		switch {
		case a.method == models.Pickup:
			set += of(b, "; address$ = 0")
		case a.gives:
			set += of(b, "; address$ = 1")
		case a.by == "buyer":
			guards = append(guards, guard{"propose_handover: address", of(b, "address$ == 1")})
		}
	case step == models.AgreeHandover:
		guards = append(guards, guard{"agree_handover: the other's proposal", of(b, "by"+a.by+"$ == 0")})
		set += of(b, "; by"+a.by+"$ = 1")
		if a.gives {
			effects = append(effects, effect{of(b, "method$ == shipping"), of(b, "address$ = 1")})
		} else {
			guards = append(guards, guard{"agree_handover: address", of(b, "method$ != shipping || address$ == 1")})
		}
	}
	m.add(a, guards, append([]effect{{always, set}}, effects...)...)
}

func (m *saleModel) saleRules(b int) {
	m.add(action{step: "silence", buyer: b, by: "clock"}, []guard{{"silence: no problem", of(b, "offer$ == o_completed && sale$ == waiting")}, {"silence: not void", of(b, "voided$ == 0")}},
		effect{of(b, "sale$ == waiting"), of(b, "upheld$ = 1")}, effect{always, of(b, "offer$ = o_confirmed; sale$ = confirmed")})
	m.add(action{step: "approve", buyer: b, by: "operator"}, []guard{{"approve: a problem", of(b, "sale$ == disputed")}, {"approve: not void", of(b, "voided$ == 0")}},
		effect{always, of(b, "offer$ = o_confirmed; sale$ = confirmed; upheld$ = 1")})
	m.add(action{step: "void", buyer: b, by: "operator"}, []guard{{"void: a sale", of(b, "sale$ != none")}, {"void: once", of(b, "voided$ == 0")}},
		append(slices.Clone(voiding), effect{always, of(b, "voided$ = 1; offer$ = o_voided")})...)
}

func (m *saleModel) addInvariants() {
	add := func(name, is string) { m.invariants = append(m.invariants, invariant{name, is}) }
	const won, sold = "(offer$ == o_accepted || offer$ == o_completed || offer$ == o_disputed || offer$ == o_confirmed)", "(sale$ != none && voided$ == 0)"
	sale0, sale1 := of(0, sold), of(1, sold)
	add("no item to two buyers", "!("+of(0, won)+" && "+of(1, won)+") && !("+sale0+" && "+sale1+") && !(declared == 1 && ("+sale0+" || "+sale1+"))")
	isSold := "(listing == l_sold || listing == l_removed && from == l_sold)"
	hasSale := "(" + sale0 + " || " + sale1 + " || declared == 1)"
	add("sold and a valid sale are the same: a void leaves no trace", "!("+isSold+" && !"+hasSale+") && !(!"+isSold+" && "+hasSale+") && !("+isSold+" && price == 0) && !(!"+isSold+" && price == 1)")
	add("nothing agreed is edited", "edited == 0")
	for b := range 2 {
		for _, i := range []invariant{
			{"no sale without both", "!(" + sold + " && !(yesbuyer$ == 1 && yesseller$ == 1 && handedover$ == 1 && agreement$ == 1))"},
			{"no confirmed sale without a word or silence", "!(" + sold + " && sale$ == confirmed && upheld$ == 0)"},
			{"nothing agreed without both", "!(offer$ == o_accepted && !(yesbuyer$ == 1 && yesseller$ == 1))"},
			{"agreed is reserved", "!(" + reserves + " && listing != l_reserved)"},
			{"one of two is reserved for", "!(" + reserves + " && " + strings.ReplaceAll(reserves, "$", "~") + ")"},
			{"a purchase is pending", "!(bought$ == 1 && offer$ != o_pending)"},
			{"an open offer is on an open listing", "!((offer$ == o_pending || offer$ == o_countered) && listing != l_active && listing != l_reserved)"},
			{"an agreement belongs to a trade", "!((agreement$ == 1) && offer$ != o_accepted && sale$ == none) && !((handover$ != none) && agreement$ == 0)"},
			{"an item is handed over when it is sold", "!((handover$ == h_sent || handover$ == h_received) && sale$ == none) && !(sale$ != none && handover$ != h_sent && handover$ != h_received)"},
			{"a hand-over is agreed by both", "!((handover$ == h_agreed || handover$ == h_sent) && !(byseller$ == 1 && bybuyer$ == 1))"},
			{"a parcel has an address", "!((handover$ == h_agreed || handover$ == h_sent) && method$ == shipping && address$ == 0)"},
			{"an offer of a void sale is void", "!(voided$ == 1 && offer$ != o_voided)"},
			{"the buyer can be released", "!(offer$ == o_accepted && !(" + m.canTake(string(models.Withdraw), "buyer", b) + "))"},
		} {
			add(i.name, of(b, i.is))
		}
	}
	add("a reserved item can be released", "!(listing == l_reserved && !("+m.canTake(string(models.Relist), "seller", -1)+" || "+m.canTake(string(models.Withdraw), "seller", 0)+" || "+m.canTake(string(models.Withdraw), "seller", 1)+" || "+m.canTake(string(models.Decline), "seller", 0)+" || "+m.canTake(string(models.Decline), "seller", 1)+"))")
	add("an ended item can be relisted", "!(listing == l_ended && !("+m.canTake(string(models.Relist), "seller", -1)+"))")
}

// canTake is the condition that somebody can take a step.
func (m *saleModel) canTake(step, by string, buyer int) string {
	var any []string
	for _, r := range m.rules {
		if r.action.step == step && r.action.by == by && r.action.buyer == buyer {
			any = append(any, "("+r.condition()+")")
		}
	}
	return strings.Join(append(any, "0 == 1"), " || ")
}

// condition is that all guards of a rule are true.
func (r *rule) condition() string {
	all := []string{}
	for _, g := range r.guards {
		all = append(all, "("+g.is+")")
	}
	return strings.Join(append(all, always), " && ")
}

func value(is bool) byte {
	if is {
		return 1
	}
	return 0
}

// expression is a compiled expression.
type expression func(*state) byte

// compile returns an expression. It panics if the text is none.
func (m *saleModel) compile(text string) expression {
	if m.compiled[text] == nil {
		tree, err := parser.ParseExpr(text)
		if err != nil {
			panic(fmt.Sprintf("%s: %v", text, err))
		}
		m.compiled[text] = m.compileTree(tree)
	}
	return m.compiled[text]
}

func (m *saleModel) compileTree(e ast.Expr) expression {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return m.compileTree(e.X)
	case *ast.UnaryExpr:
		x := m.compileTree(e.X)
		return func(s *state) byte { return 1 - x(s) }
	case *ast.BasicLit:
		n, _ := strconv.Atoi(e.Value)
		return func(*state) byte { return byte(n) }
	case *ast.Ident:
		if n, ok := m.values[e.Name]; ok {
			return func(*state) byte { return n }
		}
		at := m.variable(e.Name)
		return func(s *state) byte { return s[at] }
	case *ast.BinaryExpr:
		x, y := m.compileTree(e.X), m.compileTree(e.Y)
		switch e.Op {
		case token.EQL:
			return func(s *state) byte { return value(x(s) == y(s)) }
		case token.NEQ:
			return func(s *state) byte { return value(x(s) != y(s)) }
		case token.LAND:
			return func(s *state) byte { return value(x(s) == 1 && y(s) == 1) }
		case token.LOR:
			return func(s *state) byte { return value(x(s) == 1 || y(s) == 1) }
		}
	}
	panic(fmt.Sprintf("%T is no expression of the model", e))
}

// variable returns the index of a variable in states.
func (m *saleModel) variable(name string) int {
	at := slices.Index(m.variables, name)
	if at < 0 {
		panic("no variable " + name)
	}
	return at
}

// is reports whether a condition is true in a state.
func (m *saleModel) is(condition string, s *state) bool { return m.compile(condition)(s) == 1 }

// possible returns the one of some rules that can be taken in a state, or nil.
func (m *saleModel) possible(rules []*rule, s *state) *rule {
	for _, r := range rules {
		if !slices.ContainsFunc(r.guards, func(g guard) bool { return !m.is(g.is, s) }) {
			return r
		}
	}
	return nil
}

// take returns the state after the effects of a rule.
func (m *saleModel) take(r *rule, s state) state {
	for _, e := range r.effects {
		if !m.is(e.when, &s) {
			continue
		}
		for set := range strings.SplitSeq(e.set, ";") {
			name, is, _ := strings.Cut(set, "=")
			s[m.variable(strings.TrimSpace(name))] = m.compile(strings.TrimSpace(is))(&s)
		}
	}
	return s
}

// actions returns everything that somebody can try, each with its rules.
func (m *saleModel) actions() map[action][]*rule {
	actions := map[action][]*rule{}
	for i := range m.rules {
		actions[m.rules[i].action] = append(actions[m.rules[i].action], &m.rules[i])
	}
	return actions
}

// writePromela returns the model in the language of Spin. A step that reads before it
// locks is taken by a second process in two steps.
func (m *saleModel) writePromela() string {
	var b strings.Builder
	for _, name := range slices.SortedFunc(maps.Keys(m.values), func(x, y string) int { return int(m.values[x]) - int(m.values[y]) }) {
		fmt.Fprintf(&b, "#define %s %d\n", name, m.values[name])
	}
	for i, name := range m.variables {
		fmt.Fprintf(&b, "byte %s = %d;\n", name, m.start[i])
	}
	b.WriteString("inline check() {\n")
	for n, i := range m.invariants {
		fmt.Fprintf(&b, "\t/* %s */ assert(%[2]d == %[2]d && (%s));\n", i.name, n, i.is) // Spin prints the number
	}
	b.WriteString("}\nactive proctype steps() {\n\tdo\n")
	readers := ""
	for _, r := range m.rules {
		effects := ""
		for _, e := range r.effects {
			effects += fmt.Sprintf(" if :: %s -> %s :: else fi;", e.when, e.set)
		}
		fmt.Fprintf(&b, "\t:: d_step { %s -> %s check() } /* %s */\n", r.condition(), effects, r.action)
		if r.reads != "" {
			readers += fmt.Sprintf("\t:: %s -> if :: d_step { %s -> %s check() } :: !(%s) fi /* %s */\n", r.condition(), r.reads, effects, r.reads, r.action)
		}
	}
	b.WriteString("\tod\n}\n")
	if readers != "" {
		b.WriteString("active proctype readers() {\n\tdo\n" + readers + "\tod\n}\n")
	}
	return b.String()
}
