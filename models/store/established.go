package store

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
)

// judgeSale stores whether a confirmed sale counts: if its seller or buyer is established, and
// unless its price is far from its estimate. Earlier sales of those who are established now
// count, too.
func judgeSale(ctx context.Context, t *tx, s *models.Sale, at models.Time) error {
	seller, err := isEstablished(ctx, t, s.SellerID, at)
	if err != nil {
		return err
	}
	buyer, err := isEstablished(ctx, t, s.BuyerID, at)
	if err != nil {
		return err
	}
	_, err = t.ExecContext(ctx, `UPDATE sales SET newcomer = $2, by_buyer = $3, out_of_range = EXISTS (
			SELECT 1 FROM price_estimates e WHERE e.gear = sales.gear AND e.condition = sales.condition AND (2 * sales.price > 3 * e.high OR 3 * sales.price < 2 * e.low))
		WHERE id = $1`, s.ID, !seller && !buyer, buyer && !seller)
	if err == nil && seller {
		err = countEarlierSales(ctx, t, s.SellerID)
	}
	if err == nil && buyer {
		err = countEarlierSales(ctx, t, s.BuyerID)
	}
	return err
}

// countEarlierSales has the sales of an established member count that did not.
func countEarlierSales(ctx context.Context, t *tx, member string) error {
	rows, err := t.QueryxContext(ctx, `UPDATE sales SET newcomer = FALSE, by_buyer = buyer_id = $1
		WHERE newcomer AND status = 'confirmed' AND source = 'members' AND (seller_id = $1 OR buyer_id = $1) RETURNING gear`, member)
	if err != nil {
		return err
	}
	return eachRow(rows, func(r *sqlx.Rows) error {
		var gear string
		err := r.Scan(&gear)
		touchTrend(t, gear)
		return err
	})
}

// isEstablished reports whether a member is established: see models.EstablishedReach.
func isEstablished(ctx context.Context, t *tx, member string, at models.Time) (is bool, err error) {
	err = t.GetContext(ctx, &is, `SELECT EXISTS (SELECT 1 FROM accounts WHERE member_id = $1 AND role = $2)`, member, models.RoleOperator)
	if is || err != nil {
		return is, err
	}
	err = t.GetContext(ctx, &is, `SELECT EXISTS (SELECT 1 FROM members WHERE id = $1 AND joined_at <= $2)`, member, at.Add(-models.NewcomerPeriod))
	if !is || err != nil {
		return false, err
	}
	partners, err := partnersOf(ctx, t, member)
	if err != nil || len(partners) > models.EstablishedReach {
		return err == nil, err
	}
	through := make([][]string, len(partners))
	for i, p := range partners {
		if through[i], err = partnersOf(ctx, t, p); err != nil {
			return false, err
		}
	}
	for without := range partners {
		reached := map[string]bool{}
		for i, p := range partners {
			if i != without {
				for _, other := range append(through[i], p) {
					reached[other] = true
				}
			}
		}
		delete(reached, member)
		if len(reached) < models.EstablishedReach {
			return false, nil
		}
	}
	return len(partners) > 0, nil
}

// partnersOf returns the members with whom a member has completed hand-overs, at most enough
// of them to decide who is established.
func partnersOf(ctx context.Context, t *tx, member string) (partners []string, err error) {
	const handedOver = ` FROM sales s WHERE s.source = 'members' AND ` + eligibleSale
	err = t.SelectContext(ctx, &partners, `SELECT s.buyer_id`+handedOver+` AND s.buyer_id IS NOT NULL AND s.seller_id = $1
		UNION SELECT s.seller_id`+handedOver+` AND s.seller_id IS NOT NULL AND s.buyer_id = $1 LIMIT $2`, member, 2*models.EstablishedReach)
	return partners, err
}
