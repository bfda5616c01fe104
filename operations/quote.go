package operations

import (
	"context"
	"slices"
	"strings"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/form"
)

func quoteFields(s Input) []form.Field {
	var fields []form.Field
	for i, leg := range legs() {
		address := prefixFields(leg.prefix, quoteAddressFields(s, leg.page))
		main := slices.IndexFunc(address, func(f form.Field) bool { return f.Name == leg.prefix+"address" })
		usage := []string{"where it is picked up, in one line", "where it goes, in one line"}[i]
		address[main].Flag = form.Flag{Name: leg.member, Usage: usage}
		fields = append(fields, address...)
	}
	times := windowFields(s, pageParcel)[1:]
	times[0].Name, times[0].Title, times[0].About, times[0].Hint = "ready", "Ready", "when it can be picked up", "+30m"
	times[1].Name, times[1].Title, times[1].About, times[1].Hint = "due", "Due before", "empty for any time", "17:00"
	times[0].Flag, times[1].Flag = form.Flag{Usage: "when it can be picked up"}, form.Flag{Usage: "when it must be there at the latest"}
	return slices.Concat(fields, times, parcelFields(s))
}

// NewQuote is create.quote: asks what a delivery would cost. It changes nothing, so it needs no preview.
func NewQuote(s Input) (Operation, error) {
	return request[model.QuoteRequest]{
		id: "create.quote",
		form: form.Form{
			Title: "Quote", Fields: quoteFields(s), Start: form.Values{"ready": "now", "quantity": "1"}, First: legPickup + "address",
		},
		read: func(values form.Values, problems form.Problems) model.QuoteRequest {
			resolveClient(s, values, problems)
			return quoteRequest(s, values, problems)
		},
		check: func(in model.QuoteRequest) model.Problems {
			if s.Body != nil {
				return in.Check()
			}
			return checkQuote(s, in)
		},
		fieldOf: quoteFieldOf,
		propose: func(in model.QuoteRequest, values form.Values) Proposal {
			client := model.ID(strings.TrimSpace(s.Argument))
			if values != nil {
				client = resolveClient(s, values, form.Problems{})
			}
			return Proposal{
				Direct: true, Summary: "ask for quotes", Lines: []Line{plainLine("Asks for prices. Nothing is ordered.")},
				Steps: []Step{{Label: "quotes", Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
					quotes, err := c.Quote(ctx, client, in)
					if err != nil {
						return Result{}, err
					}
					return quotesResult(s, values, quotes), nil
				}}},
			}
		},
	}.operation(s)
}

// quoteAddressFields ask for the parts of an address that the price depends on.
func quoteAddressFields(s Input, page string) []form.Field {
	return slices.DeleteFunc(legAddressForm(page).fields(s),
		func(f form.Field) bool { return f.Name == "destination_notes" || f.Name == "language" })
}

// resolveClient finds the client that a courier asks for.
func resolveClient(s Input, values form.Values, problems form.Problems) model.ID {
	text := values.Get("client")
	if text == "" {
		return ""
	}
	id, err := resolveName(boardClients(s), text, "client")
	addError(problems, "client", err)
	return id
}

// boardClients are the clients of orders on the board and the connected organizations.
func boardClients(s Input) []Named {
	var all []Named
	orders := map[model.ID]int{}
	for row := range s.Board.Orders.All() {
		if row.ClientID != "" {
			if orders[row.ClientID]++; orders[row.ClientID] == 1 {
				all = append(all, Named{ID: row.ClientID, Name: row.Client})
			}
		}
	}
	for i := range all {
		all[i].Note = model.FormatCount(orders[all[i].ID], "order") + " on the board"
	}
	for _, id := range s.Organization.Delegatees {
		if orders[id] == 0 {
			all = append(all, Named{ID: id, Name: string(id), Note: "connected"})
		}
	}
	return all
}

// clientLabel is a client's name, or the id when the board does not know the name.
func clientLabel(s Input, id model.ID) string {
	for _, c := range boardClients(s) {
		if c.ID == id && c.Name != "" {
			return model.Clean(c.Name)
		}
	}
	return string(id)
}

func quoteRequest(s Input, values form.Values, problems form.Problems) model.QuoteRequest {
	var request model.QuoteRequest
	for _, end := range []struct {
		name string
		to   *model.Opt[model.Millis]
	}{{"ready", &request.ReadyBy}, {"due", &request.DueBy}} {
		text := values.Get(end.name)
		if text == "" && end.name == "ready" && s.NamedOnly {
			text = "now"
		}
		if text == "" {
			continue
		}
		at, err := model.ParseTime(text, s.Now, s.zone())
		addError(problems, end.name, err)
		*end.to = model.Some(at)
	}
	fillParcel(s, &request, values, problems)
	for i, to := range []*model.Opt[model.QuotePlace]{&request.Pickup, &request.Dropoff} {
		leg, inner := legs()[i], form.Problems{}
		*to = quotePlace(s, leg.values(values), inner)
		leg.addProblems(inner, problems)
	}
	return request
}

// checkQuote also refuses a due time in the past.
func checkQuote(s Input, request model.QuoteRequest) model.Problems {
	problems := request.Check()
	if due, ok := request.DueBy.Get(); ok && due <= s.Now {
		problems = append(problems, model.Problem{Field: "dueBy", Subcode: model.ErrorTimeConstraint, Text: "The time has passed."})
	}
	return problems
}

// quoteFieldOf maps members of a request for quotes to fields.
func quoteFieldOf(member string, values form.Values) string {
	for _, leg := range legs() {
		if rest, ok := strings.CutPrefix(member, leg.member); ok {
			inner := "destination" + rest
			if rest != "" && !strings.HasPrefix(rest, ".address") && !strings.HasPrefix(rest, ".location") {
				inner = "destination.address" + rest
			}
			return leg.prefix + legAddressForm("").fieldOf(inner, leg.values(values))
		}
	}
	switch member {
	case "readyBy":
		return "ready"
	case "dueBy":
		return "due"
	case "weight.value":
		return "weight"
	case "weight.units":
		return "weight_units"
	case "clientId":
		return "client"
	}
	return member
}

// orderValues are the values of a quote for the form of an order.
func orderValues(values form.Values) form.Values {
	filled := form.Values{}
	for name, value := range values {
		switch name {
		case "ready":
			if value != "now" {
				filled[legPickup+"after"] = value
			}
		case "due":
			filled[legDropoff+"before"] = value
		default:
			filled[name] = value
		}
	}
	return filled
}

func quotesResult(s Input, values form.Values, quotes []model.Quote) Result {
	if len(quotes) == 0 {
		return Result{
			Summary: "no service can take it", Response: quotes,
			Report: []Line{warnLine("No service can take this delivery. Try a later time or less weight.")},
		}
	}
	done := Result{Summary: model.FormatCount(len(quotes), "quote"), Response: quotes, Next: "create.order", NextValues: orderValues(values)}
	for _, q := range quotes {
		done.Report = append(done.Report, plainLine("%s", quoteText(s, q)))
		for _, part := range q.EstimatedCostBreakdown {
			done.Report = append(done.Report, plainLine("    %s %.2f", model.Clean(part.Name), part.Cost))
		}
		done.Report = append(done.Report, plainLine("    quote %s", q.ID))
	}
	return done
}
