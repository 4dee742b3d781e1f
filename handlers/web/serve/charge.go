package serve

import (
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/limit"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/valyala/fasthttp"
)

// Charge charges cost more requests to the client's quota, such as for an asset that has
// to be made. It returns an error if the quota is used up.
func (s *responder) Charge(c *fiber.Ctx, cost int) error {
	if cost == 0 {
		return nil
	}
	state := web.StateOf(c.Context())
	state.Quota = s.limiter.Charge(state.Client, state.Quota.Policy, cost, state.At)
	if state.Quota.Over {
		return rateLimitedError(state.Quota)
	}
	return nil
}

// chargeCaller charges cost more requests of the API to the quota of a tool's caller. It
// returns an error if the quota is used up.
func (s *responder) chargeCaller(caller *web.Caller, cost int) error {
	if cost == 0 {
		return nil
	}
	if quota := s.limiter.Charge(caller.Client, s.apiPolicy, cost, s.Clock()); quota.Over {
		return rateLimitedError(quota)
	}
	return nil
}

// processorTime is the processor time in milliseconds that a client may take for each
// request of the API that it may make: that of the dearest requests.
const processorTime = 60

// exhausted reports whether the client has used up its processor time. The quota then says
// when it may send requests again.
func (s *responder) exhausted(state *web.RequestState) bool {
	if state.Free {
		return false
	}
	quota := s.limiter.Charge(state.Client, s.timePolicy, 0, state.At)
	if quota.Over {
		state.Quota = state.Quota.Spent(quota)
	}
	return quota.Over
}

// measure measures the processor time of a request until the function that it returns is
// called, which charges it to the client. Uploads are not charged: photographs have a quota
// of their own (models/picture/quota.go).
func (s *responder) measure(state *web.RequestState) (stop func()) {
	meter := limit.StartMeter()
	return func() {
		took := meter.Stop()
		if !state.Free && (state.Op == nil || !state.Op.Plan.AcceptsFiles()) {
			s.chargeTime(state.Client, took)
		}
	}
}

// measureTool is measure for a tool.
func (s *responder) measureTool(caller *web.Caller, op *web.Operation) (stop func()) {
	return s.measure(&web.RequestState{Client: caller.Client, Op: op})
}

// chargeTime charges processor time in whole milliseconds.
func (s *responder) chargeTime(client limit.Client, took time.Duration) {
	if took >= time.Millisecond {
		s.limiter.Charge(client, s.timePolicy, int(took.Milliseconds()), s.Clock())
	}
}

// readQuota reads the client's quota of the API again, to which tools were charged.
func (s *responder) readQuota(ctx *fasthttp.RequestCtx) {
	state := web.StateOf(ctx)
	state.Quota = s.limiter.Charge(state.Client, s.apiPolicy, 0, state.At)
}

// rateLimitedError returns the error for a client that has exceeded its quota.
func rateLimitedError(q limit.Quota) error {
	return &problem.Error{
		Code:    "rate_limited",
		Message: problem.Textf("You've reached the limit of %d requests per minute.", q.Policy.Limit),
		Hint:    problem.Textf("Try again in %d seconds.", q.Reset).And(problem.Programf("The RateLimit header of every response shows what is left.")),
	}
}
