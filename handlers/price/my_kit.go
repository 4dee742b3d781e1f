package price

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// myKitOps holds the operations on the gear that members own.
type myKitOps struct{ Deps }

func (s myKitOps) listKit() web.Operation {
	return web.Op[struct{}, *views.MyKit]{
		Name: "list_kit", Path: "/api/me/kit", Page: "/account/kit", Access: web.Members, Scope: string(models.AccountRead), Tag: "Account",
		Title: "Your kit", Summary: "Lists the gear you own, with what it is worth.",
		Description: "Returns each item with its price range from completed sales, and the sum. Items with fewer than five sales have no value. " +
			"Serial numbers are in get_kit_item and export_kit. Add items with add_to_kit.",
		Sample: func() *views.MyKit {
			return views.NewMyKit(s.Site, []views.MyKitParts{s.sampleKitItem()})
		},
		Do: func(ctx context.Context, _ *struct{}) (*views.MyKit, error) { return s.myKit(ctx) },
	}.Operation()
}

// myKit returns the page of the caller's kit.
func (s myKitOps) myKit(ctx context.Context) (*views.MyKit, error) {
	items, err := s.valuedKit(ctx)
	if err != nil {
		return nil, err
	}
	return views.NewMyKit(s.Site, items), nil
}

// valuedKit returns the items of the caller with the sales of their gear.
func (s myKitOps) valuedKit(ctx context.Context) ([]views.MyKitParts, error) {
	items, err := s.Watches.Kit(ctx, caller.ID(ctx))
	if err != nil {
		return nil, err
	}
	var slugs []string
	for _, item := range items {
		slugs = append(slugs, item.Gear)
	}
	slices.Sort(slugs)
	trends, err := s.Prices.Trends(ctx, slices.Compact(slugs))
	if err != nil {
		return nil, err
	}
	parts := make([]views.MyKitParts, len(items))
	for i := range items {
		parts[i] = views.MyKitParts{Item: &items[i], Gear: s.Catalog.Gear(items[i].Gear), Trend: trends[items[i].Gear],
			Estimate: s.Estimates.Of(items[i].Gear, items[i].Condition)}
	}
	return parts, nil
}

type newKitItemInput struct {
	Gear string `json:"gear,omitempty" jsonschema:"catalogue slug of the gear to add" example:"canon/eos-r6"`
}

func (s myKitOps) newKitItem() web.Operation {
	return web.Op[newKitItemInput, *views.NewKitItem]{
		Name: "new_kit_item", Unlisted: true, Page: "/account/kit/new", Access: web.SignedIn, Tag: "Account",
		Title: "Add gear", Summary: "Shows the form that adds gear to your kit.",
		Description: "Returns the form of a new item. Programs use add_to_kit.",
		Sample: func() *views.NewKitItem {
			return views.NewNewKitItem(s.Site, s.Catalog.Gear("canon/eos-r6"), views.KitChoices{})
		},
		Do: func(ctx context.Context, in *newKitItemInput) (*views.NewKitItem, error) {
			return views.NewNewKitItem(s.Site, s.Catalog.Gear(in.Gear), views.KitChoices{Public: mayShowKit(ctx)}), nil
		},
	}.Operation()
}

// mayShowKit reports whether the caller may show items on the kit page of the site.
func mayShowKit(ctx context.Context) bool {
	return caller.Identity(ctx).Account.Role == models.RoleOperator
}

// kitInput holds the fields of an item besides its name; nil fields keep their value.
type kitInput struct {
	Gear      *string           `json:"gear,omitempty" jsonschema:"camera or lens by any common name, or its slug; none if it is not in the catalogue; default for a new item: detected from the name" maxlength:"200" example:"canon/eos-r6"`
	Condition *models.Condition `json:"condition,omitempty" jsonschema:"condition grade; empty if unknown" example:"excellent"`
	BoughtOn  *models.Day       `json:"bought_on,omitempty" jsonschema:"day of the purchase" maxlength:"10" example:"2024-05-17"`
	Paid      *models.Money     `json:"paid,omitempty" jsonschema:"price paid; empty if unknown" example:"1890.00 EUR"`
	Serial    *string           `json:"serial,omitempty" jsonschema:"serial number; only you see it" maxlength:"60" example:"012345678"`
	Insured   *bool             `json:"insured,omitempty" jsonschema:"whether it is insured" example:"true"`
	Note      *string           `json:"note,omitempty" jsonschema:"note, plain text" maxlength:"1000" example:"Boxed, with two batteries."`
	Alert     *bool             `json:"alert,omitempty" jsonschema:"whether to get an email when its value moves by 5% or more" example:"true"`
	Public    *bool             `json:"public,omitempty" jsonschema:"whether to show it on the kit page of the site, without price and serial number; only for operators" example:"false"`
}

type addToKitInput struct {
	Name string `json:"name" jsonschema:"name of the item, such as Canon EOS R6" maxlength:"200" example:"Canon EOS R6"`
	kitInput
}

func (s myKitOps) addToKit() web.Operation {
	return web.Op[addToKitInput, *views.MyKitItem]{
		Name: "add_to_kit", Method: http.MethodPost, Path: "/api/me/kit", Page: "/account/kit", Form: "/account/kit/new",
		Access: web.Members, Scope: string(models.WatchWrite), Creates: true, Tag: "Account", Done: "Added to your kit.",
		Title: "Add to your kit", Summary: "Adds a camera, lens or anything else you own to your kit.",
		Description: fmt.Sprintf("Only the name is required: the gear is found by it. If it may mean several models, none is chosen; set gear with edit_kit_item. At most %d items. Only you see them.", models.MaxKitItems),
		Errors:      []string{"invalid_parameter", "too_many_kit_items"},
		Sample:      s.sampleMyKitItem,
		Do: func(ctx context.Context, in *addToKitInput) (*views.MyKitItem, error) {
			item := &models.KitItem{MemberID: caller.ID(ctx), Name: in.Name}
			if in.Gear == nil {
				if gear, _ := s.Gear.FindNamed(input.OneLine(in.Name)); gear != nil {
					item.Gear = gear.Slug()
				}
			}
			if err := s.changeKitItem(ctx, item, &in.kitInput); err != nil {
				return nil, err
			}
			if err := s.Watches.AddKitItem(ctx, item); err != nil {
				return nil, err
			}
			return s.myKitItem(ctx, item)
		},
	}.Operation()
}

// changeKitItem applies the input to an item, and notes the value that the member knows
// from now on.
func (s myKitOps) changeKitItem(ctx context.Context, item *models.KitItem, in *kitInput) error {
	var fieldErrors web.FieldErrors
	if in.Gear != nil {
		item.Gear = ""
		if name := input.OneLine(*in.Gear); name != "" && name != ui.NoGear {
			if gear := s.Gear.ReadGear("gear", "", name, &fieldErrors); gear != nil {
				item.Gear = gear.Slug()
			}
		}
	}
	if in.Paid != nil {
		item.Paid = input.ReadTyped(item.Paid, "paid", in.Paid.Text(), s.Site.Currency().ParseAmount, &fieldErrors)
	}
	if in.Public != nil && *in.Public && !mayShowKit(ctx) {
		fieldErrors.Add("public", problem.Textf("Only operators can show items on the site's kit page."), problem.Textf("Leave public out."))
	}
	input.SetIf(&item.Condition, in.Condition)
	input.SetIf(&item.BoughtOn, in.BoughtOn)
	input.SetIf(&item.Serial, in.Serial)
	input.SetIf(&item.Insured, in.Insured)
	input.SetIf(&item.Note, in.Note)
	input.SetIf(&item.Alert, in.Alert)
	input.SetIf(&item.Public, in.Public)
	item.Note = input.TrimText(item.Note)
	if err := fieldErrors.Err(); err != nil {
		return err
	}
	return s.tellValue(ctx, item)
}

// tellValue notes the current value of an item as the one that the member knows.
func (s myKitOps) tellValue(ctx context.Context, item *models.KitItem) error {
	trends, err := s.Prices.Trends(ctx, []string{item.Gear})
	if err != nil {
		return err
	}
	item.Told, _ = s.Estimates.KitValue(item, trends[item.Gear])
	return nil
}

// myKitItem returns the page of an item of the caller.
func (s myKitOps) myKitItem(ctx context.Context, item *models.KitItem) (*views.MyKitItem, error) {
	trend, err := s.Prices.Trend(ctx, item.Gear)
	if err != nil {
		return nil, err
	}
	parts := &views.MyKitParts{Item: item, Gear: s.Catalog.Gear(item.Gear), Trend: trend, Estimate: s.Estimates.Of(item.Gear, item.Condition)}
	return views.NewMyKitItem(s.Site, parts, views.KitChoices{Matching: s.Gear.Suggest(item.Name), Public: mayShowKit(ctx)}), nil
}

type kitItemInput struct {
	ID string `json:"id" in:"path" jsonschema:"id of the item, from list_kit" example:"019aa7d2-7c00-7000-8000-00000000000e"`
}

func (s myKitOps) getKitItem() web.Operation {
	return web.Op[kitItemInput, *views.MyKitItem]{
		Name: "get_kit_item", Path: "/api/me/kit/{id}", Page: "/account/kit/{id}", Access: web.Members, Scope: string(models.AccountRead), Tag: "Account",
		Title: "Get an item of your kit", Summary: "Returns an item you own, and how its value developed.",
		Description: "Returns the item with its serial number, its price range now, and the monthly medians of its gear since the purchase, or of all years if that day is unknown.",
		Errors:      []string{"kit_item_not_found"},
		Sample:      s.sampleMyKitItem,
		Do: func(ctx context.Context, in *kitItemInput) (*views.MyKitItem, error) {
			item, err := s.Watches.KitItem(ctx, strings.ToLower(in.ID), caller.ID(ctx))
			if err != nil {
				return nil, err
			}
			return s.myKitItem(ctx, item)
		},
	}.Operation()
}

type editKitItemInput struct {
	kitItemInput
	IfMatch string  `json:"if_match,omitempty" in:"If-Match" jsonschema:"ETag from GET, or the version of the item being changed; default: no check" example:"1"`
	Name    *string `json:"name,omitempty" jsonschema:"name of the item" maxlength:"200" example:"Canon EOS R6"`
	kitInput
}

func (s myKitOps) editKitItem() web.Operation {
	return web.Op[editKitItemInput, *views.MyKitItem]{
		Name: "edit_kit_item", Method: http.MethodPatch, Path: "/api/me/kit/{id}", Page: "/account/kit/{id}", Access: web.Members, Scope: string(models.WatchWrite), Tag: "Account",
		Done: "Changes saved.", Title: "Edit an item of your kit", Summary: "Updates an item of your kit.",
		Description: "Updates the given fields only; empty values clear them.",
		Errors:      []string{"invalid_parameter", "kit_item_not_found", "kit_item_changed"},
		Sample:      s.sampleMyKitItem,
		Do: func(ctx context.Context, in *editKitItemInput) (*views.MyKitItem, error) {
			version := int64(0)
			if in.IfMatch != "" {
				version = input.EditedVersion(in.IfMatch)
			}
			item, err := s.Watches.EditKitItem(ctx, strings.ToLower(in.ID), caller.ID(ctx), version, func(item *models.KitItem) error {
				input.SetIf(&item.Name, in.Name)
				return s.changeKitItem(ctx, item, &in.kitInput)
			})
			if err != nil {
				return nil, err
			}
			return s.myKitItem(ctx, item)
		},
	}.Operation()
}

func (s myKitOps) removeFromKit() web.Operation {
	return web.Op[kitItemInput, *views.MyKit]{
		Name: "remove_from_kit", Method: http.MethodDelete, Path: "/api/me/kit/{id}", Page: "/account/kit/{id}/remove", Form: "/account/kit/{id}",
		Access: web.Members, Scope: string(models.WatchWrite), Destructive: true, Tag: "Account", Done: "Removed from your kit.",
		Title: "Remove from your kit", Summary: "Removes an item from your kit.",
		Description: "Deletes the item with its serial number; this can't be undone. Returns the remaining kit.",
		Errors:      []string{"kit_item_not_found"},
		Sample:      func() *views.MyKit { return views.NewMyKit(s.Site, nil) },
		Do: func(ctx context.Context, in *kitItemInput) (*views.MyKit, error) {
			if err := s.Watches.RemoveKitItem(ctx, strings.ToLower(in.ID), caller.ID(ctx)); err != nil {
				return nil, err
			}
			return s.myKit(ctx)
		},
	}.Operation()
}

func (s myKitOps) exportKit() web.Operation {
	return web.Op[struct{}, *views.KitExport]{
		Name: "export_kit", Path: "/api/me/kit/export", Page: "/account/kit/export", Access: web.Members, Scope: string(models.AccountRead), Tag: "Account",
		Title: "Kit for an insurer", Summary: "Your kit as a list for an insurer, with serial numbers.",
		Description: "Returns each item with serial number, purchase and value, and the sum, to print and as CSV.",
		Formats:     []web.Format{web.CSV},
		Sample: func() *views.KitExport {
			return views.NewKitExport(context.Background(), s.Site, "Jane Doe", sample.Day, []views.MyKitParts{s.sampleKitItem()})
		},
		Do: func(ctx context.Context, _ *struct{}) (*views.KitExport, error) {
			items, err := s.valuedKit(ctx)
			if err != nil {
				return nil, err
			}
			return views.NewKitExport(ctx, s.Site, caller.Identity(ctx).Member.Name, models.TimeOf(s.Clock()), items), nil
		},
	}.Operation()
}

// sampleKitItem returns an example item.
func (s myKitOps) sampleKitItem() views.MyKitParts {
	stats := prices.Stats{Count: 31, Average: 105200, P25: 98000, Median: 105000, P75: 112000}
	return views.MyKitParts{
		Item: &models.KitItem{ID: "019aa7d2-7c00-7000-8000-00000000000e", Gear: "canon/eos-r6", Name: "Canon EOS R6", Condition: models.ConditionExcellent, BoughtOn: "2026-05-17", Paid: 129000,
			Serial: "012345678", Insured: true, Note: "Boxed, with two batteries.", Alert: true, Version: 1},
		Gear: s.Catalog.Gear("canon/eos-r6"), Estimate: market.SampleEstimate(),
		Trend: &prices.Trend{Summary: stats, ByCondition: map[models.Condition]prices.Stats{models.ConditionExcellent: stats},
			Months: []prices.TrendMonth{{Month: models.MonthOf(sample.Day), Stats: stats}}},
	}
}

// sampleMyKitItem returns an example page of an item.
func (s myKitOps) sampleMyKitItem() *views.MyKitItem {
	parts := s.sampleKitItem()
	return views.NewMyKitItem(s.Site, &parts, views.KitChoices{})
}

// NotifyKits queues emails about items whose value moved, given gear with new sales.
func (s Deps) NotifyKits(ctx context.Context, gear []string) error {
	kits, err := s.Watches.KitToAlert(ctx, gear)
	if err != nil || len(kits) == 0 {
		return err
	}
	return s.notifyOwners(ctx, kits)
}

// kitsPerBatch is how many members with a kit are read at a time.
const kitsPerBatch = 200

// NotifyKitsOfFit does the same after a new fit of price estimates, for all gear.
func (s Deps) NotifyKitsOfFit(ctx context.Context) error {
	fit := s.Estimates.Current.Load().Fit
	if fit == nil || int64(fit.MadeAt) == s.Estimates.Notified.Load() {
		return nil
	}
	for after := ""; ; {
		kits, last, err := s.Watches.KitsToAlert(ctx, after, kitsPerBatch)
		if err != nil {
			return err
		}
		if last == "" {
			break
		}
		if err := s.notifyOwners(ctx, kits); err != nil {
			return err
		}
		after = last
	}
	s.Estimates.Notified.Store(int64(fit.MadeAt))
	return nil
}

// notifyOwners queues emails about items of members whose value moved.
func (s Deps) notifyOwners(ctx context.Context, kits map[string][]models.KitItem) error {
	var gear []string
	for _, items := range kits {
		for i := range items {
			gear = append(gear, items[i].Gear)
		}
	}
	slices.Sort(gear)
	trends, err := s.Prices.Trends(ctx, slices.Compact(gear))
	if err != nil {
		return err
	}
	var errs []error
	for member, items := range kits {
		var changes []models.KitChange
		for _, item := range items {
			if value, ok := s.Estimates.KitValue(&item, trends[item.Gear]); ok {
				changes = append(changes, models.KitChange{Item: item, Value: value})
			}
		}
		errs = append(errs, s.Watches.RecordKitValues(ctx, member, changes, func(language string, moved []models.KitChange) models.Delivery {
			reader := s.Site.InLanguage(ctx, language)
			return views.KitEmail(reader, s.Site, moved).Delivery(reader, s.Site, member)
		}))
	}
	return errors.Join(errs...)
}
