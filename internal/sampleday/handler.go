package sampleday

import (
	"cmp"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"waybill/model"
)

// pageSize is how many tasks a page of the list holds.
const pageSize = 64

// Fault is an answer in place of the real one.
type Fault struct {
	Status int
	Drop   bool // break the connection instead
}

// SetFault decides for every request whether it fails; nil lets all pass.
func (w *World) SetFault(decide func(method, path string) *Fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault = decide
}

// Requests counts what was asked so far, by method and first segments of the path.
func (w *World) Requests() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.requests)
}

// Total is how many requests were made.
func (w *World) Total() int {
	total := 0
	for _, n := range w.Requests() {
		total += n
	}
	return total
}

// Handler serves the world under a base path such as /api/v2.
func (w *World) Handler(base string) http.Handler {
	mux := http.NewServeMux()
	route := func(pattern string, serve func(r *http.Request) any) {
		mux.HandleFunc("GET "+base+pattern, func(out http.ResponseWriter, r *http.Request) {
			w.mu.Lock()
			w.requests["GET "+pattern]++
			var fault *Fault
			if w.fault != nil {
				fault = w.fault(r.Method, strings.TrimPrefix(r.URL.Path, base))
			}
			w.mu.Unlock()
			if fault != nil {
				fault.serve(out)
				return
			}
			w.mu.Lock()
			answer := serve(r)
			var body []byte
			if answer != nil {
				body, _ = model.Marshal(answer)
			}
			w.mu.Unlock()
			if answer == nil {
				(&Fault{Status: http.StatusNotFound}).serve(out)
				return
			}
			out.Header().Set("Content-Type", "application/json")
			_, _ = out.Write(body)
		})
	}
	w.routeObjects(route)
	w.routeLists(route)
	return mux
}

func (f *Fault) serve(out http.ResponseWriter) {
	if f.Drop {
		panic(http.ErrAbortHandler)
	}
	out.Header().Set("Content-Type", "application/json")
	out.WriteHeader(f.Status)
	code, number := "Internal", "2500"
	switch f.Status {
	case http.StatusNotFound:
		code, number = "ResourceNotFound", "1402"
	case http.StatusMethodNotAllowed:
		code, number = "MethodNotAllowed", strconv.Itoa(int(model.ErrorMethodNotAllowed))
	case http.StatusTooManyRequests:
		code, number = "TooManyRequests", "2300"
	case http.StatusUnauthorized:
		code, number = "InvalidCredentials", "1102"
	}
	_, _ = io.WriteString(out, `{"code":"`+code+`","message":{"error":`+number+`,"message":"no","request":"00000000-0000-4000-8000-000000000000"}}`)
}

type router func(pattern string, serve func(r *http.Request) any)

func (w *World) routeObjects(route router) {
	route("/organization", func(*http.Request) any { return w.org })
	route("/auth/test", func(*http.Request) any { return model.Greeting{Message: "Hello " + w.org.Name} })
	route("/tasks/{id}", func(r *http.Request) any {
		t := w.byID[model.ID(r.PathValue("id"))]
		if t == nil {
			return nil
		}
		return w.withHistory(t, r.URL.Query().Get("assignmentHistory") == "true")
	})
	route("/tasks/shortId/{id}", func(r *http.Request) any {
		for _, t := range w.tasks {
			if string(t.ShortID) == r.PathValue("id") {
				return t
			}
		}
		return nil
	})
	route("/workers/{id}", func(r *http.Request) any {
		for i := range w.workers {
			if string(w.workers[i].ID) == r.PathValue("id") {
				return w.workers[i]
			}
		}
		return nil
	})
	route("/taskOrders/{id}", func(r *http.Request) any {
		o := w.orders[model.ShortID(r.PathValue("id"))]
		if o == nil {
			return nil
		}
		return o.wire()
	})
	route("/recipients/{id}", func(r *http.Request) any {
		for _, t := range w.tasks {
			if person := t.Recipients[0].Object; string(person.ID) == r.PathValue("id") {
				return person
			}
		}
		return nil
	})
	route("/destinations/{id}", func(r *http.Request) any {
		for _, t := range w.tasks {
			if string(t.Destination.Object.ID) == r.PathValue("id") {
				return t.Destination.Object
			}
		}
		return nil
	})
}

func (w *World) withHistory(t *model.Task, wanted bool) model.Task {
	full := *t
	if wanted {
		history := []model.AssignmentEntry{{ContainerDescription: model.OrganizationContainer(w.org.ID), Time: t.TimeCreated}}
		if worker := t.Worker.Value(); worker != "" {
			history = append(history, model.AssignmentEntry{
				ActionContext:        model.Some(model.ActionContext{Type: "ADMIN", ID: w.org.ID}),
				ContainerDescription: model.WorkerContainer(worker), Time: t.TimeCreated.Add(20 * 60 * 1e9),
			})
		}
		full.AssignmentHistory = model.Some(history)
	}
	return full
}

func (o *order) wire() model.Order {
	full := o.base
	full.PickupTask, full.DropoffTask = *o.pickup, *o.dropoff
	full.Status = model.OrderUnassigned
	switch {
	case o.dropoff.State == model.TaskCompleted && o.dropoff.Succeeded():
		full.Status = model.OrderCompleted
	case o.dropoff.State == model.TaskCompleted:
		full.Status = model.OrderFailed
	case o.pickup.State >= model.TaskActive:
		full.Status = model.OrderActive
	case o.pickup.State == model.TaskAssigned:
		full.Status = model.OrderAssigned
	}
	full.TimeLastModified = max(o.pickup.TimeLastModified, o.dropoff.TimeLastModified)
	return full
}

func (w *World) routeLists(route router) {
	route("/workers", func(r *http.Request) any {
		workers := slices.Clone(w.workers)
		if fields := r.URL.Query().Get("filter"); fields != "" && !strings.Contains(fields, "delayTime") {
			for i := range workers {
				workers[i].DelayTime = model.Opt[model.Seconds]{}
			}
		}
		return workers
	})
	route("/teams", func(*http.Request) any { return w.teams })
	route("/hubs", func(*http.Request) any { return w.hubs })
	route("/tasks/all", func(r *http.Request) any { return w.page(r) })
}

func (w *World) page(r *http.Request) model.TaskPage {
	q := r.URL.Query()
	number := func(name string) model.Millis {
		n, _ := strconv.ParseInt(q.Get(name), 10, 64)
		return model.Millis(n)
	}
	states := strings.Split(q.Get("state"), ",")
	from, dueBefore, last := number("from"), number("completeBeforeBefore"), model.ID(q.Get("lastId"))
	start := 0
	if after := w.byID[last]; after != nil {
		start, _ = slices.BinarySearchFunc(w.tasks, after, func(a, b *model.Task) int { return cmp.Compare(a.TimeCreated, b.TimeCreated) })
		for start < len(w.tasks) && w.tasks[start] != after {
			start++
		}
		start++
	}
	page := model.TaskPage{Tasks: make([]model.Task, 0, pageSize)}
	for _, t := range w.tasks[start:] {
		at := t.TimeCreated
		if t.State == model.TaskCompleted {
			at = t.CompletionDetails.Time.Value()
		}
		if at < from || !slices.Contains(states, strconv.Itoa(int(t.State))) || dueBefore != 0 && t.CompleteBefore.Value() >= dueBefore {
			continue
		}
		if len(page.Tasks) == pageSize {
			page.LastID = model.Some(page.Tasks[pageSize-1].ID)
			break
		}
		page.Tasks = append(page.Tasks, *t)
	}
	return page
}
