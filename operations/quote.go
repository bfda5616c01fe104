package operations

import (
	"context"
	"slices"
	"strings"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/form"
)

// NewQuote is create.quote: asks what a delivery would cost. Nothing is changed, so nothing is previewed.
func NewQuote(s Input) (Operation, error) {
	f := form.Form{Title: "Quote", Start: form.Values{"ready": "now", "quantity": "1"}, First: legPickup + "address"}
	for _, leg := range []struct{ prefix, page string }{{legPickup, pagePickup}, {legDropoff, pageDropoff}} {
		f.Fields = append(f.Fields, prefixFields(leg.prefix, quoteAddressFields(s, leg.page))...)
	}
	times := windowFields(s, pageParcel)[1:]
	times[0].Name, times[0].Title, times[0].About, times[0].Hint = "ready", "Ready", "when it can be picked up", "+30m"
	times[1].Name, times[1].Title, times[1].About, times[1].Hint = "due", "Due", "when it must be there at the latest; empty for any time", "17:00"
	f.Fields = append(f.Fields, times...)
	f.Fields = append(f.Fields, parcelFields(s)...)
	return Operation{
		ID: "create.quote", Title: f.Title, Form: f, FieldOf: fieldFinder(&f, quoteFieldOf(nil)),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			values = shownValues(&f, values)
			request, problems := quoteRequest(s, values)
			client := resolveClient(s, values, problems)
			if len(problems) == 0 {
				addRules(problems, &f, values, checkQuote(s, request), quoteFieldOf(values))
			}
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			return Proposal{
				Direct: true, Summary: "ask for quotes", Lines: []Line{plainLine("Prices are asked for; nothing is ordered.")},
				Steps: []Step{{Label: "quotes", Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
					quotes, err := c.Quote(ctx, client, request)
					if err != nil {
						return Result{}, errorOnShownField(err, &f, values, quoteFieldOf(values))
					}
					return quotesResult(s, values, quotes), nil
				}}},
			}, nil
		},
	}, nil
}

// quoteAddressFields asks for as much of a place as prices depend on.
func quoteAddressFields(s Input, page string) []form.Field {
	return slices.DeleteFunc(legAddressForm(page).fields(s), func(f form.Field) bool { return f.Name == "destination_notes" || f.Name == "language" })
}

// resolveClient is the client that a courier asks for, by name or id.
func resolveClient(s Input, values form.Values, problems form.Problems) model.ID {
	text := values.Get("client")
	if text == "" {
		return ""
	}
	id, err := resolveName(boardClients(s), text, "client")
	if err != nil {
		addProblem(problems, "client", sentence(err.Error()))
	}
	return id
}

// boardClients are the clients that orders on the board are for, and those that the organization is connected with.
func boardClients(s Input) []namedObject {
	var all []namedObject
	orders := map[model.ID]int{}
	for row := range s.Board.Orders.All() {
		if row.ClientID != "" {
			if orders[row.ClientID]++; orders[row.ClientID] == 1 {
				all = append(all, namedObject{id: row.ClientID, name: row.Client})
			}
		}
	}
	for i := range all {
		all[i].note = countNoun(orders[all[i].id], "order") + " on the board"
	}
	for _, id := range s.Organization.Delegatees {
		if orders[id] == 0 {
			all = append(all, namedObject{id: id, name: string(id), note: "connected"})
		}
	}
	return sortByName(all)
}

// clientLabel is a client's name, or the id of one that the board does not have.
func clientLabel(s Input, id model.ID) string {
	for _, c := range boardClients(s) {
		if c.id == id && c.name != "" {
			return model.Clean(c.name)
		}
	}
	return string(id)
}

func quoteRequest(s Input, values form.Values) (model.QuoteRequest, form.Problems) {
	problems := form.Problems{}
	var request model.QuoteRequest
	for _, end := range []struct {
		name string
		to   *model.Opt[model.Millis]
	}{{"ready", &request.ReadyBy}, {"due", &request.DueBy}} {
		text := values.Get(end.name)
		if text == "" {
			continue
		}
		at, err := model.ParseTime(text, s.Now, inputZone(s))
		if err != nil {
			addProblem(problems, end.name, sentence(err.Error()))
		}
		*end.to = model.Some(at)
	}
	fillParcel(s, &request, values, problems)
	for _, leg := range []struct {
		prefix string
		to     *model.Opt[model.QuotePlace]
	}{{legPickup, &request.Pickup}, {legDropoff, &request.Dropoff}} {
		inner := form.Problems{}
		*leg.to = quotePlace(s, legAddressForm(""), withoutPrefix(leg.prefix, values), inner)
		addPrefixedProblems(leg.prefix, inner, problems)
	}
	return request, problems
}

// checkQuote adds what no service can promise: the past.
func checkQuote(s Input, request model.QuoteRequest) model.Problems {
	problems := request.Check()
	if due, ok := request.DueBy.Get(); ok && due <= s.Now {
		problems = append(problems, model.Problem{Field: "dueBy", Subcode: model.ErrorTimeConstraint, Text: "It is past."})
	}
	return problems
}

// quoteFieldOf is the field of a member of a request for quotes.
func quoteFieldOf(values form.Values) func(member string) string {
	return func(member string) string {
		for _, leg := range []struct{ member, prefix string }{{"pickup", legPickup}, {"dropoff", legDropoff}} {
			if rest, ok := strings.CutPrefix(member, leg.member); ok {
				inner := "destination" + rest
				if rest != "" && !strings.HasPrefix(rest, ".address") && !strings.HasPrefix(rest, ".location") {
					inner = "destination.address" + rest
				}
				return leg.prefix + legAddressForm("").fieldOf(inner, withoutPrefix(leg.prefix, values))
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
}

// orderValues is what was asked for as a form for the order would hold it.
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
		return Result{Summary: "no service could take it", Report: []Line{warnLine("No service could take this delivery. Try a later time, or less weight.")}}
	}
	done := Result{Summary: countNoun(len(quotes), "quote"), Next: "create.order", NextValues: orderValues(values)}
	for _, q := range quotes {
		done.Report = append(done.Report, plainLine("%s", quoteText(s, q)))
		for _, part := range q.EstimatedCostBreakdown {
			done.Report = append(done.Report, plainLine("    %s %.2f", model.Clean(part.Name), part.Cost))
		}
		done.Report = append(done.Report, plainLine("    quote %s", q.ID))
	}
	return done
}
