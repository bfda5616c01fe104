package verb

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"waybill/apiclient"
	"waybill/model"
	"waybill/ui/field"
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
func formValues(s Scene, known model.Task) map[string]oneOf {
	long := strings.Repeat("x", model.MaxTaskNotes)
	yes := fits("yes")
	own := string(s.Organization.ID)
	all := map[string]oneOf{
		"kind": fits("dropoff", "pickup"), "where": fits("line", "parts", "known", "point"),
		"address": fits(someAddress, "2829 Vallejo St, San Francisco, CA 94123, USA"), "apartment": fits("5th floor"),
		"number": fits("543", "12b"), "street": fits("Howard St", "Vallejo St"), "city": fits("San Francisco"), "state": fits("CA"),
		"postal_code": fits("94105"), "country": fits("USA", "United States"), "address_name": fits("Ferry Building"),
		"location": fits("-122.4,37.78", "0,0").or("37.78,-122.4", "181,91", "here"), "language": fits("en", "DE").or("english", "e1"),
		"destination": fits(string(destinationID(&known))).or("nowhere"), "destination_notes": fits("Gate 12"),
		"recipient_name": fits("Ada Okafor", "Grace"), "recipient_phone": fits("415 555 0123", "+14155550124").or("12", "+1"),
		"recipient_notes": fits("Deaf"), "skip_sms": yes, "recipient_id": fits().or("nobody"), "keep_recipient": yes,
		"override_name": fits("Front desk"), "override_notes": fits("Gift"), "override_skip_sms": yes,
		"window": fits("14:00-16:00", "tomorrow 9am-11am").or("late"), "after": fits("+10m", "-3d").or("sometime"),
		"before": fits("+30m", "16:00", "tomorrow").or("-4d", "1400"), "service_time": fits("5", "1h30", "0").or("-1"),
		"depends_on": fits(string(known.ShortID), string(known.ID)).or("x"), "assign": fits("none", "team", "worker", "auto"),
		"team": fits("Team of Ada", string(s.Board.Workers.Get(ada(s)).Teams[0])), "worker": fits("ada", string(ada(s))).or("nobody"),
		"auto_mode": fits("distance", "load").or("luck"), "auto_team": fits("team of ada"), "auto_max": fits("1", "10").or("0", "-1", "x"),
		"auto_exclude": fits("Ada", "Ada, Ben").or("nobody"), "auto_dependencies": yes,
		"notes": fits("Two crates", long, "é\n☎").or(long + "y"), "quantity": fits("2", "0", "2.5", "1e300").or("-1"),
		"quantity_a": fits("1").or("-0.5"), "quantity_b": fits("3").or("-1e9"), "quantity_c": fits("7").or("x"),
		"require_signature": yes, "require_photo": yes, "require_notes": yes, "minimum_age": fits("18").or("-1"),
		"barcodes": fits("PKG-1;PKG-2", strings.Repeat("x", 375)).or(strings.Repeat("x", 376)), "blocking_barcodes": fits("PKG-3").or(strings.Repeat("x", 500)),
		"scan_only_required": yes, "color": fits("", "teal", "orange", "magenta").or("red"),
		"merchant": fits(own).or("x"), "executor": fits(own).or("x"), "use_merchant_for_proxy": yes,
		"metadata": fits("invoice=4711", "a:number=3\nb:object={}", "a:array=[1]\nc=d").or("broken"),
		"template": fits("", string(s.Templates[0].ID), string(s.Templates[1].ID)),
	}
	for key, texts := range map[string]oneOf{
		"seal": fits("007"), "cold": yes, "count": fits("3", "1e2", "-4").or("1.5", "\"3\""), "grams": fits("2.5").or("x", "true"),
		"day": fits("tomorrow", "2026-11-20").or("someday"), "page": fits("https://example.com").or("example"), "codes": fits("a\nb", "c"), "dock": fits("4"),
	} {
		all[customName(key)] = texts
	}
	return all
}

func ada(s Scene) model.ID {
	id, err := findCalled(workersOf(s.Board), "Ada", "worker")
	if err != nil {
		panic(err)
	}
	return id
}

// drawForm fills in what the form needs more often than what it does not, and right more often than wrong: else hardly
// a form would be without something wrong.
func drawForm(random *rand.Rand, texts map[string]oneOf) field.Values {
	values := field.Values{}
	often := []string{
		"where", "address", "number", "street", "city", "country", "location", "destination", "field:dock", "recipient_name",
		"recipient_phone", "team", "worker",
	}
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

// TestAThousandForms holds the form against the service: what Prepare lets through is accepted, and what it refuses by
// a rule is refused when it is sent all the same.
func TestAThousandForms(t *testing.T) {
	st := newStage(t)
	st.worker("Ada", "+14155550151")
	st.worker("Ben", "+14155550152")
	known := st.task(func(in *model.TaskInput) { in.PickupTask = model.Some(true) })
	s := st.fullScene()
	texts := formValues(s, known)
	v, err := NewTask(s)
	if err != nil {
		t.Fatal(err)
	}
	for name := range texts {
		if _, ok := v.Form.Field(name); !ok {
			t.Fatalf("the form has no field %s", name)
		}
	}
	for _, f := range v.Form.Fields {
		if _, ok := texts[f.Name]; !ok {
			t.Fatalf("no random value for the field %s", f.Name)
		}
	}
	var sent, accepted, refused, unreadable int
	rapid.Check(t, func(r *rapid.T) {
		// Numbers of rapid are mostly small, which makes all forms alike; so it only chooses where to begin.
		seed := rapid.Uint64().Draw(r, "seed")
		for i := range uint64(10) { // rapid tries a hundred times
			values := drawForm(rand.New(rand.NewPCG(seed, i)), texts)
			sent++
			plan, problems := v.Prepare(values)
			in, unread := newTaskInput(s, shownValues(&v.Form, values))
			switch {
			case len(unread) > 0:
				unreadable++
				if len(problems) == 0 {
					r.Fatalf("%v was not understood, yet there is no problem: %v", values, unread)
				}
			case len(problems) == 0:
				accepted++
				if _, err := plan.Steps[0].Do(t.Context(), st.client); err != nil {
					r.Fatalf("the form accepts %v, but the service answers: %v", values, err)
				}
			default:
				refused++
				_, err := st.client.CreateTask(t.Context(), in)
				e, ok := errors.AsType[*apiclient.Error](err)
				if !ok || e.HTTPStatus < 400 || e.HTTPStatus >= 500 {
					r.Fatalf("the form refuses %v: %v, but the service answers: %v", values, problems, err)
				}
			}
		}
	})
	t.Logf("%d forms: %d accepted by both, %d refused by both, %d not understood", sent, accepted, refused, unreadable)
	if !t.Failed() && (accepted < 100 || refused < 100) {
		t.Fatalf("too few forms were tried: %d accepted, %d refused", accepted, refused)
	}
}
