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

// oneOf are texts for a field: those that fit, and those that do not, alone or with others.
type oneOf struct{ right, wrong []string }

func fits(texts ...string) oneOf { return oneOf{right: texts} }

func (o oneOf) or(wrong ...string) oneOf {
	o.wrong = wrong
	return o
}

// formValues are what a random form may hold, right and wrong. Ids that are well formed are of things that exist: the
// form cannot know what the service has beyond the board. Addresses exist too, for the same reason.
func formValues(s Input, known model.Task) map[string]oneOf {
	long := strings.Repeat("x", model.MaxTaskNotes)
	odd := "\"<é>\\ ☎ \u202e\x1b[31m \x00" + strings.Repeat("w", 1000)
	yes := fits("yes")
	own := string(s.Organization.ID)
	all := map[string]oneOf{
		"kind": fits("dropoff", "pickup"), "where": fits("line", "parts", "known", "point"),
		"address": fits(someAddress, "2829 Vallejo St, San Francisco, CA 94123, USA"), "apartment": fits("5th floor"),
		"number": fits("543", "12b"), "street": fits("Howard St", "Vallejo St"), "city": fits("San Francisco"), "state": fits("CA"),
		"postal_code": fits("94105"), "country": fits("USA", "United States"), "address_name": fits("Ferry Building", odd),
		"location": fits("-122.4,37.78", "0,0").or("37.78,-122.4", "181,91", "here"), "language": fits("us", "DE").or("english", "e1", "en"),
		"destination": fits(string(destinationID(&known))).or("nowhere"), "destination_notes": fits("Gate 12"),
		"recipient_name": fits("Ada Okafor", "Grace", odd), "recipient_phone": fits("415 555 0123", "+14155550124").or("12", "+1"),
		"recipient_notes": fits("Deaf", odd), "skip_sms": yes, "recipient_id": fits().or("nobody"), "keep_recipient": yes,
		"override_name": fits("Front desk", odd), "override_notes": fits("Gift", odd), "override_skip_sms": yes,
		"window": fits("14:00-16:00", "tomorrow 9am-11am").or("late"), "after": fits("+10m", "-3d").or("sometime"),
		"before": fits("+30m", "16:00", "tomorrow").or("-4d", "1400"), "service_time": fits("5", "1h30", "0").or("-1"),
		"depends_on": fits(string(known.ShortID), string(known.ID)).or("x"), "assign": fits("none", "team", "worker", "auto"),
		"team": fits("Team of Ada", string(s.Board.Workers.Get(ada(s)).Teams[0])), "worker": fits("ada", string(ada(s))).or("nobody"),
		"auto_mode": fits("distance", "load").or("luck"), "auto_team": fits("team of ada"), "auto_max": fits("1", "10").or("0", "-1", "x"),
		"auto_exclude": fits("Ada", "Ada, Ben").or("nobody"), "auto_dependencies": yes,
		"notes": fits("Two crates", long, odd).or(long + "y"), "quantity": fits("2", "0", "2.5", "1e300").or("-1"),
		"quantity_a": fits("1").or("-0.5"), "quantity_b": fits("3").or("-1e9"), "quantity_c": fits("7").or("x"),
		"require_signature": yes, "require_photo": yes, "require_notes": yes, "minimum_age": fits("18").or("-1"),
		"barcodes": fits("PKG-1;PKG-2", odd[:30], strings.Repeat("x", 375)).or(strings.Repeat("x", 376)), "blocking_barcodes": fits("PKG-3").or(strings.Repeat("x", 500)),
		"scan_only_required": yes, "color": fits("", "teal", "orange", "magenta").or("red"),
		"merchant": fits(own).or("x"), "executor": fits(own).or("x"), "use_merchant_for_proxy": yes,
		"metadata": fits("invoice=4711", "x="+odd[:20], "a:number=3\nb:object={}", "a:array=[1]\nc=d").or("broken"),
		"template": fits("", string(s.Templates[0].ID), string(s.Templates[1].ID)),
	}
	for key, texts := range map[string]oneOf{
		"seal": fits("007", odd), "cold": yes, "count": fits("3", "1e2", "-4").or("1.5", "\"3\""), "grams": fits("2.5").or("x", "true"),
		"day": fits("tomorrow", "2026-11-20").or("someday"), "page": fits("https://example.com").or("example"), "codes": fits("a\nb", "c"), "dock": fits("4"),
	} {
		all[customName(key)] = texts
	}
	return all
}

func ada(s Input) model.ID {
	id, err := resolveName(boardWorkers(s.Board), "Ada", "worker")
	if err != nil {
		panic(err)
	}
	return id
}

// drawForm fills in what the form needs more often than what it does not, and right more often than wrong: else hardly
// a form would be without something wrong.
func drawForm(random *rand.Rand, texts map[string]oneOf, often []string) form.Values {
	values := form.Values{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		chance := 15
		if slices.Contains(often, name) {
			chance = 97
		}
		if random.IntN(100) >= chance {
			continue
		}
		from := texts[name].right
		if wrong := texts[name].wrong; len(wrong) > 0 && random.IntN(100) < 8 {
			from = wrong
		}
		if len(from) > 0 {
			values[name] = from[random.IntN(len(from))]
		}
	}
	return values
}

// formTrial is a form to be held against the service.
type formTrial struct {
	verb  Operation
	texts map[string]oneOf
	often []string // what the form needs
	// send sends what was typed as it is; understood is false when nothing could be made of it.
	send func(values form.Values) (understood bool, err error)
	// beyond are refusals that only the service can know of.
	beyond []error
	// forms is how many are tried.
	forms int
}

// run holds the form against the service: what Prepare lets through is accepted, and what it refuses by a rule is
// refused when it is sent all the same.
func (f formTrial) run(t *testing.T, st *stage) {
	t.Helper()
	var accepted, refused, unreadable, beyond int
	rapid.Check(t, func(r *rapid.T) {
		// Numbers of rapid are mostly small, which makes all forms alike; so it only chooses where to begin.
		seed := rapid.Uint64().Draw(r, "seed")
		for i := range uint64(f.forms / 100) { // rapid tries a hundred times
			values := drawForm(rand.New(rand.NewPCG(seed, i)), f.texts, f.often)
			plan, problems := f.verb.Prepare(values)
			if len(problems) == 0 {
				done, err := plan.Steps[0].Do(t.Context(), st.client)
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
			understood, err := f.send(f.verb.Form.ShownValues(values))
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

// covers requires a random value for every field that the console shows, and a field for every value.
func (f formTrial) covers(t *testing.T) {
	t.Helper()
	var names []string
	commandOnly := []string{"skip_phone_check", "custom_fields", "require", "timezone"}
	for _, asked := range f.verb.Form.Fields {
		if !slices.Contains(commandOnly, asked.Name) {
			names = append(names, asked.Name)
		}
	}
	require.ElementsMatch(t, names, slices.Collect(maps.Keys(f.texts)))
}

func TestAThousandForms(t *testing.T) {
	st := newStage(t)
	st.worker("Ada", "+14155550151")
	st.worker("Ben", "+14155550152")
	known := st.task(func(in *model.TaskInput) { in.PickupTask = model.Some(true) })
	s := st.fullScene()
	stop := st.task(func(in *model.TaskInput) { in.Container = model.Some(model.WorkerContainer(ada(s))) })
	drop := st.task(nil)
	behind := st.task(func(in *model.TaskInput) { in.Dependencies = model.Some([]model.ID{drop.ID}) })
	gone := st.started("+14155550153")
	s.Board = st.look()
	v, err := NewTask(s)
	require.NoError(t, err)
	values := formValues(s, known)
	values["depends_on"] = fits(string(known.ShortID), string(known.ID), string(behind.ShortID)).or("x")
	values[fieldNeededBy] = fits(string(drop.ShortID), string(drop.ID)+" "+string(stop.ShortID)).or("x", string(gone.ShortID))
	values[fieldPosition] = fits("1", "2", "next", "last", "after "+string(stop.ShortID), string(stop.ShortID)).or("0", "99", "nowhere")
	trial := formTrial{
		verb: v, texts: values, forms: 1000,
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
	trial.covers(t)
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

// among takes the texts of some fields.
func among(all map[string]oneOf, names ...string) map[string]oneOf {
	kept := map[string]oneOf{}
	for _, name := range names {
		kept[name] = all[name]
	}
	return kept
}

func TestFormsOfClones(t *testing.T) {
	st := newStage(t)
	st.worker("Ada", "+14155550151")
	source := st.task(func(in *model.TaskInput) {
		in.CompleteAfter, in.CompleteBefore = model.Some(model.MillisOf(st.server.Clock.Now())), model.Some(model.MillisOf(st.server.Clock.Now()).Add(8*time.Minute))
	})
	full := st.fullScene()
	s := st.scene(source.ID)
	v, err := NewClone(s)
	require.NoError(t, err)
	texts := among(formValues(full, source), append(append(recipientFieldNames(), addressFieldNames()...), "kind", "window", "service_time", "notes", "metadata")...)
	texts["where"] = fits("none", "line", "parts", "known", "point")
	texts["person"] = fits("same", "other", "none")
	texts["after"], texts["before"] = fits("+10m").or("-1h"), fits("+30m", "tomorrow").or("-1h", "+5m")
	for _, name := range []string{"include_metadata", "include_barcodes", "include_dependencies", "no_notes"} {
		texts[name] = fits("yes")
	}
	trial := formTrial{
		verb: v, texts: texts, forms: 300,
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
	trial.covers(t)
	trial.run(t, st)
}

func TestFormsOfWorkers(t *testing.T) {
	st := newStage(t)
	st.worker("Ada", "+14155550151")
	home := st.task(nil)
	full := st.fullScene()
	s := st.scene()
	v, err := NewWorker(s)
	require.NoError(t, err)
	texts := among(formValues(full, home), append(addressFieldNames(), "metadata")...)
	texts["where"] = fits("none", "known", "point")
	texts["name"], texts["display_name"], texts["teams"] = fits("Ada", "Ben"), fits("A."), fits("team of ada").or("nobody", " ")
	texts["phone"] = fits("415 555 0100", "415 555 0101", "+14155550102").or("12", "+1")
	texts["capacity"], texts["capacity_a"] = fits("12", "0").or("-1"), fits("3").or("-2")
	texts["capacity_b"], texts["capacity_c"] = fits("3").or("x"), fits("1.5")
	texts["vehicle"] = fits("", "CAR", "TRUCK").or("BOAT")
	texts["vehicle_description"], texts["license_plate"], texts["vehicle_color"] = fits("Ford"), fits("1ABC"), fits("blue")
	trial := formTrial{
		verb: v, texts: texts, forms: 300, beyond: []error{apiclient.ErrDuplicate},
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
	trial.covers(t)
	// Numbers run out: what a worker has is given back at once.
	prepare := trial.verb.Prepare
	trial.verb.Prepare = func(values form.Values) (Proposal, form.Problems) {
		plan, problems := prepare(values)
		for i := range plan.Steps {
			do := plan.Steps[i].Do
			plan.Steps[i].Do = func(ctx context.Context, c *apiclient.Client) (Result, error) {
				done, err := do(ctx, c)
				if err != nil {
					return done, err
				}
				return done.Undo.Step.Do(ctx, c)
			}
		}
		return plan, problems
	}
	trial.run(t, st)
}

func TestFormsOfQuotesAndOrders(t *testing.T) {
	st := newStage(t)
	st.worker("Ada", "+14155550151")
	known := st.task(nil)
	full := st.fullScene()
	st.asClient()
	s := st.scene()
	shared := formValues(full, known)
	places := func(texts map[string]oneOf, more ...string) {
		for _, prefix := range []string{legPickup, legDropoff} {
			for _, name := range append(append(addressFieldNames(), "where"), more...) {
				texts[prefix+name] = shared[name]
			}
			texts[prefix+"where"] = fits("line", "parts", "point") // the place that the board knows is another organization's
		}
		texts["quantity"], texts["weight"] = fits("1", "2"), fits("3.5", "0").or("-1")
		texts["weight_units"], texts["client"] = fits("", "kg", "lbs").or("stone"), fits("").or("x")
	}
	var often []string
	for _, name := range []string{"where", "address", "number", "street", "city", "state", "postal_code", "country", "location", "recipient_name", "recipient_phone"} {
		often = append(often, legPickup+name, legDropoff+name)
	}
	quotes := map[string]oneOf{"ready": fits("now", "+1h").or("soon"), "due": fits("+5h", "tomorrow").or("-1h", "+30m")}
	places(quotes)
	quotes["quantity"] = fits("1", "2").or("0", "1.5", "-1")
	for _, prefix := range []string{legPickup, legDropoff} { // prices do not depend on them
		delete(quotes, prefix+"destination_notes")
		delete(quotes, prefix+"language")
	}
	v, err := NewQuote(s)
	require.NoError(t, err)
	trial := formTrial{
		verb: v, texts: quotes, forms: 300, often: append(often, "ready", "weight"),
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
	trial.covers(t)
	trial.run(t, st)

	orders := map[string]oneOf{"quote": fits("").or("x")}
	orders["promise"] = fits("", "yes")
	places(orders, append(recipientFieldNames(), "window", "after", "before", "notes", "service_time", "minimum_age", "require_signature", "require_photo", "require_notes")...)
	orders["quantity"] = fits("1", "2.5").or("-1")
	if v, err = NewOrder(s); err != nil {
		t.Fatal(err)
	}
	trial = formTrial{
		verb: v, texts: orders, forms: 300, often: often,
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
	trial.covers(t)
	trial.run(t, st)
}
