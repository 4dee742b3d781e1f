package web

import (
	"github.com/gofiber/fiber/v2"
	"github.com/secondlight/secondlight/models/problem"
)

// Charge charges cost more requests to the client's quota, such as for an asset that has
// to be made. It returns an error if the quota is used up.
func (s *responder) Charge(c *fiber.Ctx, cost int) error {
	if cost == 0 {
		return nil
	}
	state := stateOf(c.Context())
	state.quota = s.limiter.charge(state.client, state.quota.policy, cost, state.at)
	if state.quota.over {
		return rateLimitedError(state.quota)
	}
	return nil
}

// chargeCaller charges cost more requests of the API to the quota of a tool's caller. It
// returns an error if the quota is used up.
func (s *responder) chargeCaller(caller *Caller, cost int) error {
	if cost == 0 {
		return nil
	}
	if quota := s.limiter.charge(caller.client, s.apiPolicy, cost, s.Clock()); quota.over {
		return rateLimitedError(quota)
	}
	return nil
}

// rateLimitedError returns the error for a client that has exceeded its quota.
func rateLimitedError(q quota) error {
	return &problem.Error{
		Code:    "rate_limited",
		Message: problem.Textf("You've reached the limit of %d requests per minute.", q.policy.limit),
		Hint:    problem.Textf("Try again in %d seconds.", q.reset).And(problem.Programf("The RateLimit header of every response shows what is left.")),
	}
}
