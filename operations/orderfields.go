package operations

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// Names of a delivery's form: the prefixes of the fields of its two legs, and the other pages.
const (
	legPickup  = "pickup_"
	legDropoff = "dropoff_"

	pageParcel  = "Parcel"
	pageService = "Service"
)

// leg is the pickup or the drop-off of a delivery.
type leg struct {
	prefix string // of its fields
	page   string
	member string // of requests for quotes; orders append "Task"
}

// legs are the two legs of a delivery, the pickup first.
func legs() []leg { return []leg{{legPickup, "Pickup", "pickup"}, {legDropoff, "Drop-off", "dropoff"}} }

func (l leg) values(all form.Values) form.Values { return withoutPrefix(l.prefix, all) }

// prefixFields gives fields a prefix. Their functions see the values of fields with that prefix, by the names without the
// prefix. They have no flags.
func prefixFields(prefix string, fields []form.Field) []form.Field {
	for i := range fields {
		f := &fields[i]
		f.Name, f.Flag = prefix+f.Name, form.Flag{None: true}
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

// withoutPrefix are the values whose names have a prefix, by the names without the prefix.
func withoutPrefix(prefix string, values form.Values) form.Values {
	inner := form.Values{}
	for name, value := range values {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			inner[rest] = value
		}
	}
	return inner
}

// addProblems adds the problems of a leg to those of the form.
func (l leg) addProblems(inner, problems form.Problems) {
	for name, text := range inner {
		if name != "" {
			name = l.prefix + name
		}
		addProblem(problems, name, text)
	}
}

func legAddressForm(page string) addressForm {
	return addressForm{page: page, modes: addressModes(whereLine, whereParts, whereKnown, wherePoint)}
}

// parcelFields ask for what the price depends on.
func parcelFields(s Input) []form.Field {
	quantity := taskField(s, "quantity", "Pieces", pageParcel)
	quantity.Hint = "1"
	weight := taskField(s, "quantity", "Weight", pageParcel)
	weight.Name, weight.About, weight.Hint = "weight", "of all pieces together", "3.5"
	weight.Flag = form.Flag{Usage: "the weight with its unit, such as 3.5kg or 8lbs"}
	quantity.Flag = form.Flag{Usage: "how many pieces"}
	weight.Check = checkText(func(text string) (model.Weight, error) { return parseWeight(text, model.UnitsKilograms) })
	clients := boardClients(s)
	client := nameField(clients, "client", form.Field{
		Name: "client", Title: "Client", Page: pageParcel, About: "who the delivery is for, by name or id", Empty: "your own organization",
		Flag: form.Flag{Usage: "the client that a courier asks for, by id"},
	})
	return []form.Field{
		quantity, weight,
		{Name: "weight_units", Title: "Unit", Page: pageParcel, Kind: form.Choice, Flag: form.Flag{None: true}, Options: []form.Option{
			{Value: model.UnitsKilograms, Label: "kg"}, {Value: model.UnitsPounds, Label: "lbs"},
		}},
		client,
	}
}

// parseNumber reads a number like a quantity.
func parseNumber(s Input, name string, values form.Values, problems form.Problems) model.Opt[float64] {
	inner := form.Problems{}
	read := readTask(s, form.Values{"quantity": values.Get(name)}, inner)
	addProblem(problems, name, inner["quantity"])
	return read.Quantity
}

// fillParcel sets the quantity and weight of a request for quotes.
func fillParcel(s Input, request *model.QuoteRequest, values form.Values, problems form.Problems) {
	request.Quantity = model.Some(parseNumber(s, "quantity", values, problems).Or(1))
	if text := values.Get("weight"); text != "" {
		weight, err := parseWeight(text, cmp.Or(values.Get("weight_units"), model.UnitsKilograms))
		addError(problems, "weight", err)
		request.Weight = model.Some(weight)
	}
}

// parseWeight reads a number, which may have its unit behind it: 3.5, 3.5kg, 8 lbs.
func parseWeight(text, units string) (model.Weight, error) {
	digits := strings.ToLower(strings.ReplaceAll(text, " ", ""))
	for _, unit := range []struct{ suffix, name string }{
		{"kg", model.UnitsKilograms}, {"lbs", model.UnitsPounds}, {"lb", model.UnitsPounds},
	} {
		if number, ok := strings.CutSuffix(digits, unit.suffix); ok {
			digits, units = number, unit.name
			break
		}
	}
	value, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return model.Weight{}, fmt.Errorf("%.40q is not a weight; write 3.5kg or 8lbs", model.Clean(text))
	}
	return model.Weight{Value: model.Some(value), Units: units}, nil
}

// quotePlace is the place of one leg. Quotes take addresses only, so an existing destination gives the board's address.
func quotePlace(s Input, values form.Values, problems form.Problems) model.Opt[model.QuotePlace] {
	legAddressForm("").checkGiven(values, problems)
	at, ok := readTask(s, values, problems).Destination.Get()
	switch {
	case !ok:
		return model.Opt[model.QuotePlace]{}
	case at.Object == nil:
		address := boardAddress(s, at.ID)
		if address == "" {
			addProblem(problems, "destination", "The board does not know the address of this destination. Give the address another way.")
		}
		return model.Some(model.QuotePlace{Address: model.Some(model.AddressInput{Unparsed: address})})
	}
	return model.Some(model.QuotePlace{Address: at.Object.Address, Location: at.Object.Location})
}

// quoteText is a quote in one line.
func quoteText(s Input, q model.Quote) string {
	return fmt.Sprintf("%s: %s, by %s", model.Clean(q.DisplayName), priceText(q.EstimatedCost, q.Currency), formatTime(s, q.DueBy))
}

// priceText is an amount with its currency, as in lists.
func priceText(amount float64, currency string) string {
	return string(board.AppendMoney(nil, amount, model.Clean(currency)))
}
