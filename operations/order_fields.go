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

// prefixed puts fields under a prefix; what they ask of other fields stays among themselves.
func prefixed(prefix string, fields []form.Field) []form.Field {
	for i := range fields {
		f := &fields[i]
		f.Name = prefix + f.Name
		if show := f.Show; show != nil {
			f.Show = func(v form.Values) bool { return show(under(prefix, v)) }
		}
		if suggest := f.Suggest; suggest != nil {
			f.Suggest = func(text string, v form.Values) []form.Option { return suggest(text, under(prefix, v)) }
		}
		if echo := f.Echo; echo != nil {
			f.Echo = func(value string, v form.Values) string { return echo(value, under(prefix, v)) }
		}
	}
	return fields
}

// under are the values under a prefix, without it.
func under(prefix string, values form.Values) form.Values {
	inner := form.Values{}
	for name, value := range values {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			inner[rest] = value
		}
	}
	return inner
}

// above puts problems back under their prefix.
func above(prefix string, inner, problems form.Problems) {
	for name, text := range inner {
		if name != "" {
			name = prefix + name
		}
		addProblem(problems, name, text)
	}
}

func legPlace(page string) placeForm {
	return placeForm{page: page, ways: []form.Option{lineWay(), partsWay(), knownWay(), pointWay()}}
}

// parcelFields ask for what prices depend on.
func parcelFields(s Input) []form.Field {
	quantity := importField(s, "quantity", "Pieces", pageParcel)
	quantity.Hint = "1"
	weight := importField(s, "quantity", "Weight", pageParcel)
	weight.Name, weight.About, weight.Hint = "weight", "of all pieces together", "3.5"
	clients := clientsOf(s)
	client := form.Field{
		Name: "client", Title: "Client", Page: pageParcel, About: "on whose behalf, by name or id", Prompt: promptName, Empty: "your own organization",
		Suggest: func(text string, _ form.Values) []form.Option { return suggestCalled(clients, text) },
		Check: unlessEmpty(func(value string) error {
			_, err := findCalled(clients, value, "client")
			return err
		}),
		Echo: func(value string, _ form.Values) string { return noteOf(clients, value, "client") },
	}
	return []form.Field{
		quantity, weight,
		{Name: "weight_units", Title: "Unit", Page: pageParcel, Kind: form.Choice, Options: []form.Option{
			{Value: model.UnitsKilograms, Label: "kg"}, {Value: model.UnitsPounds, Label: "lbs"},
		}},
		client,
	}
}

// number reads a number as drafts do.
func number(s Input, name string, values form.Values, problems form.Problems) model.Opt[float64] {
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

// parcel gives a request for quotes the parts that prices depend on beside places and times.
func parcel(s Input, request *model.QuoteRequest, values form.Values, problems form.Problems) {
	request.Quantity = model.Some(number(s, "quantity", values, problems).Or(1))
	if weight := number(s, "weight", values, problems); weight.Has() {
		units := values.Get("weight_units")
		if units == "" {
			units = model.UnitsKilograms
		}
		request.Weight = model.Some(model.Weight{Value: weight, Units: units})
	}
}

// quotePlace is the place of one end for a quote, which takes addresses only: of a place that exists, the board's.
func quotePlace(s Input, place placeForm, values form.Values, problems form.Problems) model.Opt[model.QuotePlace] {
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
		address := addressOfPlace(s, at.ID)
		if address == "" {
			addProblem(problems, "destination", "The board does not know the address of this place; say where in another way.")
		}
		return model.Some(model.QuotePlace{Address: model.Some(model.AddressInput{Unparsed: address})})
	}
	return model.Some(model.QuotePlace{Address: at.Object.Address, Location: at.Object.Location})
}

// saysQuote is a price in a line.
func saysQuote(s Input, q model.Quote) string {
	return fmt.Sprintf("%s: %s, by %s", model.Clean(q.DisplayName), money(q.EstimatedCost, q.Currency), sayTime(s, q.DueBy))
}

// money is an amount as the lists write it.
func money(amount float64, currency string) string {
	switch strings.ToUpper(currency) {
	case "USD":
		return fmt.Sprintf("$%.2f", amount)
	case "":
		return fmt.Sprintf("%.2f", amount)
	}
	return fmt.Sprintf("%.2f %s", amount, model.Clean(currency))
}
