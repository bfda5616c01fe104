package operations

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// fieldTexts are texts for a field: those that fit, and those that do not, alone or with others.
type fieldTexts struct{ valid, invalid []string }

func valid(texts ...string) fieldTexts { return fieldTexts{valid: texts} }

func (o fieldTexts) orInvalid(wrong ...string) fieldTexts {
	o.invalid = wrong
	return o
}

// formValues are what a random form may hold, right and wrong. Ids that are well formed are of things that exist: the
// form cannot know what the service has beyond the board. Addresses exist too, for the same reason.
func formValues(s Input, known model.Task) map[string]fieldTexts {
	long := strings.Repeat("x", model.MaxTaskNotes)
	odd := "\"<é>\\ ☎ \u202e\x1b[31m \x00" + strings.Repeat("w", 1000)
	yes := valid("yes")
	own := string(s.Organization.ID)
	all := map[string]fieldTexts{
		"kind": valid("dropoff", "pickup"), "where": valid("line", "parts", "known", "point"),
		"address": valid(someAddress, "2829 Vallejo St, San Francisco, CA 94123, USA"), "apartment": valid("5th floor"),
		"number": valid("543", "12b"), "street": valid("Howard St", "Vallejo St"), "city": valid("San Francisco"), "state": valid("CA"),
		"postal_code": valid("94105"), "country": valid("USA", "United States"), "address_name": valid("Ferry Building", odd),
		"location": valid("-122.4,37.78", "0,0").orInvalid("37.78,-122.4", "181,91", "here"), "language": valid("us", "DE").orInvalid("english", "e1", "en"),
		"destination": valid(string(destinationID(&known))).orInvalid("nowhere"), "destination_notes": valid("Gate 12"),
		"recipient_name": valid("Ada Okafor", "Grace", odd), "recipient_phone": valid("415 555 0123", "+14155550124").orInvalid("12", "+1"),
		"recipient_notes": valid("Deaf", odd), "skip_sms": yes, "recipient_id": valid().orInvalid("nobody"), "keep_recipient": yes,
		"override_name": valid("Front desk", odd), "override_notes": valid("Gift", odd), "override_skip_sms": yes,
		"window": valid("14:00-16:00", "tomorrow 9am-11am").orInvalid("late"), "after": valid("+10m", "-3d").orInvalid("sometime"),
		"before": valid("+30m", "16:00", "tomorrow").orInvalid("-4d", "1400"), "service_time": valid("5", "1h30", "0").orInvalid("-1"),
		"depends_on": valid(string(known.ShortID), string(known.ID)).orInvalid("x"), "assign": valid("none", "team", "worker", "auto"),
		"team": valid("Team of Ada", string(s.Board.Workers.Get(adaID(s)).Teams[0])), "worker": valid("ada", string(adaID(s))).orInvalid("nobody"),
		"auto_mode": valid("distance", "load").orInvalid("luck"), "auto_team": valid("team of ada"), "auto_max": valid("1", "10").orInvalid("0", "-1", "x"),
		"auto_exclude": valid("Ada", "Ada, Ben").orInvalid("nobody"), "auto_dependencies": yes,
		"notes": valid("Two crates", long, odd).orInvalid(long + "y"), "quantity": valid("2", "0", "2.5", "1e300").orInvalid("-1"),
		"quantity_a": valid("1").orInvalid("-0.5"), "quantity_b": valid("3").orInvalid("-1e9"), "quantity_c": valid("7").orInvalid("x"),
		"require_signature": yes, "require_photo": yes, "require_notes": yes, "minimum_age": valid("18").orInvalid("-1"),
		"barcodes": valid("PKG-1;PKG-2", odd[:30], strings.Repeat("x", 375)).orInvalid(strings.Repeat("x", 376)), "blocking_barcodes": valid("PKG-3").orInvalid(strings.Repeat("x", 500)),
		"scan_only_required": yes, "color": valid("", "teal", "orange", "magenta").orInvalid("red"),
		"merchant": valid(own).orInvalid("x"), "executor": valid(own).orInvalid("x"), "use_merchant_for_proxy": yes,
		"metadata": valid("invoice=4711", "x="+odd[:20], "a:number=3\nb:object={}", "a:array=[1]\nc=d").orInvalid("broken"),
		"template": valid("", string(s.Templates[0].ID), string(s.Templates[1].ID)),
	}
	for key, texts := range map[string]fieldTexts{
		"seal": valid("007", odd), "cold": yes, "count": valid("3", "1e2", "-4").orInvalid("1.5", "\"3\""), "grams": valid("2.5").orInvalid("x", "true"),
		"day": valid("tomorrow", "2026-11-20").orInvalid("someday"), "page": valid("https://example.com").orInvalid("example"), "codes": valid("a\nb", "c"), "dock": valid("4"),
	} {
		all[customName(key)] = texts
	}
	return all
}

func adaID(s Input) model.ID {
	id, err := resolveName(boardWorkers(s.Board), "Ada", "worker")
	if err != nil {
		panic(err)
	}
	return id
}

// drawForm fills in what the form needs more often than what it does not, and right more often than wrong: else hardly
// a form would be without something wrong.
func drawForm(random *rand.Rand, texts map[string]fieldTexts, often []string) form.Values {
	values := form.Values{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		chance := 15
		if slices.Contains(often, name) {
			chance = 97
		}
		if random.IntN(100) >= chance {
			continue
		}
		from := texts[name].valid
		if wrong := texts[name].invalid; len(wrong) > 0 && random.IntN(100) < 8 {
			from = wrong
		}
		if len(from) > 0 {
			values[name] = from[random.IntN(len(from))]
		}
	}
	return values
}

// formTrial is a form that is compared with the service.
type formTrial struct {
	operation Operation
	texts     map[string]fieldTexts
	often     []string // what the form needs
	// send sends what was typed as it is; understood is false when nothing could be made of it.
	send func(values form.Values) (understood bool, err error)
	// beyond are refusals that only the service can know of.
	beyond []error
	// forms is how many are tried.
	forms int
}

// run compares the form with the service: what Prepare lets through is accepted, and what it refuses by a rule is
// refused when it is sent all the same.
func (f formTrial) run(t *testing.T, st *fixture) {
	t.Helper()
	var accepted, refused, unreadable, beyond int
	rapid.Check(t, func(r *rapid.T) {
		// Numbers of rapid are mostly small, which makes all forms alike; so it only chooses where to begin.
		seed := rapid.Uint64().Draw(r, "seed")
		for i := range uint64(f.forms / 100) { // rapid tries a hundred times
			values := drawForm(rand.New(rand.NewPCG(seed, i)), f.texts, f.often)
			proposal, problems := f.operation.Prepare(values)
			if len(problems) == 0 {
				done, err := proposal.Steps[0].Do(t.Context(), st.client)
				switch {
				case done.Partial:
					r.Fatalf("the form accepts %v, but only a part of it was done: %v", values, done.Report)
				case err == nil:
					accepted++
				case slices.ContainsFunc(f.beyond, func(kind error) bool { return errors.Is(err, kind) }):
					beyond++
				default:
					r.Fatalf("the form accepts %v, but the service answers: %v", values, err)
				}
				continue
			}
			understood, err := f.send(f.operation.Form.ShownValues(values))
			if !understood {
				unreadable++
				continue
			}
			refused++
			if e, ok := errors.AsType[*apiclient.Error](err); !ok || e.HTTPStatus < 400 || e.HTTPStatus >= 500 {
				r.Fatalf("the form refuses %v: %v, but the service answers: %v", values, problems, err)
			}
		}
	})
	t.Logf("%d forms: %d accepted by both, %d refused by both, %d not understood, %d refused for what only the service knows",
		accepted+refused+unreadable+beyond, accepted, refused, unreadable, beyond)
	if !t.Failed() && (accepted < f.forms/10 || refused < f.forms/50) {
		t.Fatalf("too few forms were tried: %d accepted, %d refused", accepted, refused)
	}
}

// requireCoverage requires a random value for every field that the console shows, and a field for every value.
func (f formTrial) requireCoverage(t *testing.T) {
	t.Helper()
	var names []string
	commandOnly := []string{"skip_phone_check", "custom_fields", "require", "timezone"}
	for _, asked := range f.operation.Form.Fields {
		if !slices.Contains(commandOnly, asked.Name) {
			names = append(names, asked.Name)
		}
	}
	require.ElementsMatch(t, names, slices.Collect(maps.Keys(f.texts)))
}

func TestAThousandForms(t *testing.T) {
	st := newFixture(t)
	st.worker("Ada", "+14155550151")
	st.worker("Ben", "+14155550152")
	known := st.task(func(in *model.TaskInput) { in.PickupTask = model.Some(true) })
	s := st.inputWithCustomFields()
	stop := st.task(func(in *model.TaskInput) { in.Container = model.Some(model.WorkerContainer(adaID(s))) })
	drop := st.task(nil)
	behind := st.task(func(in *model.TaskInput) { in.Dependencies = model.Some([]model.ID{drop.ID}) })
	gone := st.startedTask("+14155550153")
	s.Board = st.refresh()
	v, err := NewTask(s)
	require.NoError(t, err)
	values := formValues(s, known)
	values["depends_on"] = valid(string(known.ShortID), string(known.ID), string(behind.ShortID)).orInvalid("x")
	values[fieldNeededBy] = valid(string(drop.ShortID), string(drop.ID)+" "+string(stop.ShortID)).orInvalid("x", string(gone.ShortID))
	values[fieldPosition] = valid("1", "2", "next", "last", "after "+string(stop.ShortID), string(stop.ShortID)).orInvalid("0", "99", "nowhere")
	trial := formTrial{
		operation: v, texts: values, forms: 1000,
		often: []string{
			"where", "address", "number", "street", "city", "country", "location", "destination", "field:dock", "recipient_name",
			"recipient_phone", "team", "worker",
		},
		send: func(values form.Values) (bool, error) {
			unread := form.Problems{}
			in := newTaskInput(s, values, unread)
			newTaskFollowUps(s, model.TaskInput{}, with(values, fieldNeededBy, ""), unread)
			waiting, err := s.resolveTasks(values.Get(fieldNeededBy))
			if len(unread) > 0 || err != nil {
				return false, nil
			}
			made, err := st.client.CreateTask(t.Context(), in)
			for _, id := range waiting {
				if err == nil {
					_, err = st.client.UpdateTask(t.Context(), id, model.TaskInput{Dependencies: model.Some([]model.ID{made.ID})})
				}
			}
			return true, err
		},
	}
	trial.requireCoverage(t)
	trial.run(t, st)
}

func recipientFieldNames() []string {
	return []string{"recipient_name", "recipient_phone", "recipient_notes", "skip_sms", "recipient_id"}
}

// addressFieldNames are the fields of an address: a location is one field in forms.
func addressFieldNames() []string {
	var names []string
	for _, f := range taskimport.PlaceFields() {
		if f.Name != "longitude" && f.Name != "latitude" {
			names = append(names, f.Name)
		}
	}
	return names
}

// pickFields keeps the texts of some fields.
func pickFields(all map[string]fieldTexts, names ...string) map[string]fieldTexts {
	kept := map[string]fieldTexts{}
	for _, name := range names {
		kept[name] = all[name]
	}
	return kept
}

func TestFormsOfClones(t *testing.T) {
	st := newFixture(t)
	st.worker("Ada", "+14155550151")
	source := st.task(func(in *model.TaskInput) {
		in.CompleteAfter, in.CompleteBefore = model.Some(model.MillisOf(st.server.Clock.Now())), model.Some(model.MillisOf(st.server.Clock.Now()).Add(8*time.Minute))
	})
	full := st.inputWithCustomFields()
	s := st.input(source.ID)
	v, err := NewClone(s)
	require.NoError(t, err)
	texts := pickFields(formValues(full, source), append(append(recipientFieldNames(), addressFieldNames()...), "kind", "window", "service_time", "notes", "metadata")...)
	texts["where"] = valid("none", "line", "parts", "known", "point")
	texts["person"] = valid("same", "other", "none")
	texts["after"], texts["before"] = valid("+10m").orInvalid("-1h"), valid("+30m", "tomorrow").orInvalid("-1h", "+5m")
	for _, name := range []string{"include_metadata", "include_barcodes", "include_dependencies", "no_notes"} {
		texts[name] = valid("yes")
	}
	trial := formTrial{
		operation: v, texts: texts, forms: 300,
		often: []string{"where", "address", "number", "street", "city", "country", "location", "destination", "person", "recipient_name", "recipient_phone"},
		send: func(values form.Values) (bool, error) {
			unread := form.Problems{}
			options := cloneOptions(s, values, unread)
			if len(unread) > 0 {
				return false, nil
			}
			_, err := st.client.CloneTask(t.Context(), source.ID, options)
			return true, err
		},
	}
	trial.requireCoverage(t)
	trial.run(t, st)
}

func TestFormsOfWorkers(t *testing.T) {
	st := newFixture(t)
	st.worker("Ada", "+14155550151")
	home := st.task(nil)
	full := st.inputWithCustomFields()
	s := st.input()
	v, err := NewWorker(s)
	require.NoError(t, err)
	texts := pickFields(formValues(full, home), append(addressFieldNames(), "metadata")...)
	texts["where"] = valid("none", "known", "point")
	texts["name"], texts["display_name"], texts["teams"] = valid("Ada", "Ben"), valid("A."), valid("team of ada").orInvalid("nobody", " ")
	texts["phone"] = valid("415 555 0100", "415 555 0101", "+14155550102").orInvalid("12", "+1")
	texts["capacity"], texts["capacity_a"] = valid("12", "0").orInvalid("-1"), valid("3").orInvalid("-2")
	texts["capacity_b"], texts["capacity_c"] = valid("3").orInvalid("x"), valid("1.5")
	texts["vehicle"] = valid("", "CAR", "TRUCK").orInvalid("BOAT")
	texts["vehicle_description"], texts["license_plate"], texts["vehicle_color"] = valid("Ford"), valid("1ABC"), valid("blue")
	trial := formTrial{
		operation: v, texts: texts, forms: 300, beyond: []error{apiclient.ErrDuplicate},
		often: []string{"where", "name", "phone", "teams", "city", "country", "location", "destination"},
		send: func(values form.Values) (bool, error) {
			unread := form.Problems{}
			in := workerInput(s, values, unread)
			if len(unread) > 0 {
				return false, nil
			}
			_, err := st.client.CreateWorker(t.Context(), in)
			return true, err
		},
	}
	trial.requireCoverage(t)
	// Numbers run out: what a worker has is given back at once.
	prepare := trial.operation.Prepare
	trial.operation.Prepare = func(values form.Values) (Proposal, form.Problems) {
		proposal, problems := prepare(values)
		for i := range proposal.Steps {
			do := proposal.Steps[i].Do
			proposal.Steps[i].Do = func(ctx context.Context, c *apiclient.Client) (Result, error) {
				done, err := do(ctx, c)
				if err != nil {
					return done, err
				}
				return done.Undo.Step.Do(ctx, c)
			}
		}
		return proposal, problems
	}
	trial.run(t, st)
}

func TestFormsOfQuotesAndOrders(t *testing.T) {
	st := newFixture(t)
	st.worker("Ada", "+14155550151")
	known := st.task(nil)
	full := st.inputWithCustomFields()
	st.asClient()
	s := st.input()
	shared := formValues(full, known)
	places := func(texts map[string]fieldTexts, more ...string) {
		for _, prefix := range []string{legPickup, legDropoff} {
			for _, name := range append(append(addressFieldNames(), "where"), more...) {
				texts[prefix+name] = shared[name]
			}
			texts[prefix+"where"] = valid("line", "parts", "point") // the place that the board knows is another organization's
		}
		texts["quantity"], texts["weight"] = valid("1", "2"), valid("3.5", "0").orInvalid("-1")
		texts["weight_units"], texts["client"] = valid("", "kg", "lbs").orInvalid("stone"), valid("").orInvalid("x")
	}
	var often []string
	for _, name := range []string{"where", "address", "number", "street", "city", "state", "postal_code", "country", "location", "recipient_name", "recipient_phone"} {
		often = append(often, legPickup+name, legDropoff+name)
	}
	quotes := map[string]fieldTexts{"ready": valid("now", "+1h").orInvalid("soon"), "due": valid("+5h", "tomorrow").orInvalid("-1h", "+30m")}
	places(quotes)
	quotes["quantity"] = valid("1", "2").orInvalid("0", "1.5", "-1")
	for _, prefix := range []string{legPickup, legDropoff} { // prices do not depend on them
		delete(quotes, prefix+"destination_notes")
		delete(quotes, prefix+"language")
	}
	v, err := NewQuote(s)
	require.NoError(t, err)
	trial := formTrial{
		operation: v, texts: quotes, forms: 300, often: append(often, "ready", "weight"),
		send: func(values form.Values) (bool, error) {
			unread := form.Problems{}
			request := quoteRequest(s, values, unread)
			client := resolveClient(s, values, unread)
			if len(unread) > 0 {
				return false, nil
			}
			_, err := st.client.Quote(t.Context(), client, request)
			return true, err
		},
	}
	trial.requireCoverage(t)
	trial.run(t, st)

	orders := map[string]fieldTexts{"quote": valid("").orInvalid("x")}
	orders["promise"] = valid("", "yes")
	places(orders, append(recipientFieldNames(), "window", "after", "before", "notes", "service_time", "minimum_age", "require_signature", "require_photo", "require_notes")...)
	orders["quantity"] = valid("1", "2.5").orInvalid("-1")
	if v, err = NewOrder(s); err != nil {
		t.Fatal(err)
	}
	trial = formTrial{
		operation: v, texts: orders, forms: 300, often: often,
		send: func(values form.Values) (bool, error) {
			unread := form.Problems{}
			in := orderInput(s, values, unread)
			if len(unread) > 0 {
				return false, nil
			}
			_, err := st.client.CreateOrder(t.Context(), in)
			return true, err
		},
	}
	trial.requireCoverage(t)
	trial.run(t, st)
}
