package operations

import (
	"fmt"
	"strings"

	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// The two ends of a delivery: prefixes of their fields, and their pages.
const (
	legPickup  = "pickup_"
	legDropoff = "dropoff_"

	pagePickup  = "Pickup"
	pageDropoff = "Drop-off"
	pageParcel  = "Parcel"
	pageService = "Service"
)

// prefixFields puts fields under a prefix; what they ask of other fields stays among themselves.
func prefixFields(prefix string, fields []form.Field) []form.Field {
	for i := range fields {
		f := &fields[i]
		f.Name = prefix + f.Name
		if show := f.Show; show != nil {
			f.Show = func(v form.Values) bool { return show(withoutPrefix(prefix, v)) }
		}
		if suggest := f.Suggest; suggest != nil {
			f.Suggest = func(text string, v form.Values) []form.Option { return suggest(text, withoutPrefix(prefix, v)) }
		}
		if echo := f.Echo; echo != nil {
			f.Echo = func(value string, v form.Values) string { return echo(value, withoutPrefix(prefix, v)) }
		}
	}
	return fields
}

// withoutPrefix are the values under a prefix, without it.
func withoutPrefix(prefix string, values form.Values) form.Values {
	inner := form.Values{}
	for name, value := range values {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			inner[rest] = value
		}
	}
	return inner
}

// addPrefixedProblems puts problems back under their prefix.
func addPrefixedProblems(prefix string, inner, problems form.Problems) {
	for name, text := range inner {
		if name != "" {
			name = prefix + name
		}
		addProblem(problems, name, text)
	}
}

func legAddressForm(page string) addressForm {
	return addressForm{page: page, modes: []form.Option{lineMode(), partsMode(), knownMode(), pointMode()}}
}

// parcelFields ask for what prices depend on.
func parcelFields(s Input) []form.Field {
	quantity := taskField(s, "quantity", "Pieces", pageParcel)
	quantity.Hint = "1"
	weight := taskField(s, "quantity", "Weight", pageParcel)
	weight.Name, weight.About, weight.Hint = "weight", "of all pieces together", "3.5"
	clients := boardClients(s)
	client := form.Field{
		Name: "client", Title: "Client", Page: pageParcel, About: "on whose behalf, by name or id", Prompt: promptName, Empty: "your own organization",
		Suggest: func(text string, _ form.Values) []form.Option { return suggestNames(clients, text) },
		Check: unlessEmpty(func(value string) error {
			_, err := resolveName(clients, value, "client")
			return err
		}),
		Echo: func(value string, _ form.Values) string { return echoName(clients, value, "client") },
	}
	return []form.Field{
		quantity, weight,
		{Name: "weight_units", Title: "Unit", Page: pageParcel, Kind: form.Choice, Options: []form.Option{
			{Value: model.UnitsKilograms, Label: "kg"}, {Value: model.UnitsPounds, Label: "lbs"},
		}},
		client,
	}
}

// parseNumber reads a number as drafts do.
func parseNumber(s Input, name string, values form.Values, problems form.Problems) model.Opt[float64] {
	draft := taskimport.NewDraft(draftOptions(s))
	if err := draft.Set("quantity", values.Get(name)); err != nil {
		addProblem(problems, name, sentence(err.Error()))
		return model.Opt[float64]{}
	}
	read, err := draft.Changes()
	if err != nil {
		addProblem(problems, name, sentence(err.Error()))
	}
	return read.Quantity
}

// fillParcel gives a request for quotes the parts that prices depend on beside places and times.
func fillParcel(s Input, request *model.QuoteRequest, values form.Values, problems form.Problems) {
	request.Quantity = model.Some(parseNumber(s, "quantity", values, problems).Or(1))
	if weight := parseNumber(s, "weight", values, problems); weight.Has() {
		units := values.Get("weight_units")
		if units == "" {
			units = model.UnitsKilograms
		}
		request.Weight = model.Some(model.Weight{Value: weight, Units: units})
	}
}

// quotePlace is the place of one end for a quote, which takes addresses only: of a place that exists, the board's.
func quotePlace(s Input, place addressForm, values form.Values, problems form.Problems) model.Opt[model.QuotePlace] {
	draft := taskimport.NewDraft(draftOptions(s))
	place.fill(draft, values, problems)
	change, err := draft.Changes()
	if err != nil {
		addProblem(problems, "location", sentence(err.Error()))
	}
	at, ok := change.Destination.Get()
	switch {
	case !ok:
		return model.Opt[model.QuotePlace]{}
	case at.Object == nil:
		address := boardAddress(s, at.ID)
		if address == "" {
			addProblem(problems, "destination", "The board does not know the address of this place; say where in another way.")
		}
		return model.Some(model.QuotePlace{Address: model.Some(model.AddressInput{Unparsed: address})})
	}
	return model.Some(model.QuotePlace{Address: at.Object.Address, Location: at.Object.Location})
}

// quoteText is a price in a line.
func quoteText(s Input, q model.Quote) string {
	return fmt.Sprintf("%s: %s, by %s", model.Clean(q.DisplayName), priceText(q.EstimatedCost, q.Currency), formatTime(s, q.DueBy))
}

// priceText is an amount as the lists write it.
func priceText(amount float64, currency string) string {
	switch strings.ToUpper(currency) {
	case "USD":
		return fmt.Sprintf("$%.2f", amount)
	case "":
		return fmt.Sprintf("%.2f", amount)
	}
	return fmt.Sprintf("%.2f %s", amount, model.Clean(currency))
}
