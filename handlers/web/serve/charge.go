package serve

import (
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
