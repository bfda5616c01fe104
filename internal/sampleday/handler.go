package sampleday

import (
	"cmp"
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
	for pattern, serve := range w.routes() {
		mux.HandleFunc("GET "+base+pattern, func(out http.ResponseWriter, r *http.Request) {
			body, fault := w.answer(r, pattern, strings.TrimPrefix(r.URL.Path, base), serve)
			if fault != nil {
				fault.serve(out)
				return
			}
			out.Header().Set("Content-Type", "application/json")
			_, _ = out.Write(body)
		})
	}
	return mux
}

// answer counts a request and returns its body, or why it fails.
func (w *World) answer(r *http.Request, pattern, path string, serve func(r *http.Request) any) ([]byte, *Fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.requests["GET "+pattern]++
	if w.fault != nil {
		if fault := w.fault(r.Method, path); fault != nil {
			return nil, fault
		}
	}
	answer := serve(r)
	if answer == nil {
		return nil, &Fault{Status: http.StatusNotFound}
	}
	body, _ := model.Marshal(answer)
	return body, nil
}

func (f *Fault) serve(out http.ResponseWriter) {
	if f.Drop {
		panic(http.ErrAbortHandler)
	}
	failed := model.ErrorBody{Code: model.CodeInternal, Message: model.ErrorMessage{
		Error: model.ErrorInternal, Message: "no", Request: "00000000-0000-4000-8000-000000000000",
	}}
	switch f.Status {
	case http.StatusNotFound:
		failed.Code, failed.Message.Error = model.CodeResourceNotFound, model.ErrorNotFound
	case http.StatusMethodNotAllowed:
		failed.Code, failed.Message.Error = model.CodeMethodNotAllowed, model.ErrorMethodNotAllowed
	case http.StatusTooManyRequests:
		failed.Code, failed.Message.Error = model.CodeTooManyRequests, model.ErrorRateLimit
	case http.StatusUnauthorized:
		failed.Code, failed.Message.Error = model.CodeInvalidCredentials, model.ErrorKey
	}
	body, _ := model.Marshal(failed)
	out.Header().Set("Content-Type", "application/json")
	out.WriteHeader(f.Status)
	_, _ = out.Write(body)
}

// routes returns what answers each path; nil means that there is no such object.
func (w *World) routes() map[string]func(r *http.Request) any {
	return map[string]func(r *http.Request) any{
		"/organization": func(*http.Request) any { return w.org },
		"/auth/test":    func(*http.Request) any { return model.Greeting{Message: "Hello " + w.org.Name} },
		"/teams":        func(*http.Request) any { return w.teams },
		"/hubs":         func(*http.Request) any { return w.hubs },
		"/tasks/all":    func(r *http.Request) any { return w.page(r) },
		"/workers":      w.listWorkers,
		"/tasks/{id}": func(r *http.Request) any {
			t := w.byID[model.ID(r.PathValue("id"))]
			if t == nil {
				return nil
			}
			return w.withHistory(t, r.URL.Query().Get("assignmentHistory") == "true")
		},
		"/taskOrders/{id}": func(r *http.Request) any {
			o := w.orders[model.ShortID(r.PathValue("id"))]
			if o == nil {
				return nil
			}
			return o.wire()
		},
		"/tasks/shortId/{id}": find(&w.tasks, func(t *model.Task) (string, any) { return string(t.ShortID), t }),
		"/workers/{id}":       find(&w.workers, func(worker model.Worker) (string, any) { return string(worker.ID), worker }),
		"/recipients/{id}": find(&w.tasks, func(t *model.Task) (string, any) {
			return string(t.Recipients[0].Object.ID), t.Recipients[0].Object
		}),
		"/destinations/{id}": find(&w.tasks, func(t *model.Task) (string, any) {
			return string(t.Destination.Object.ID), t.Destination.Object
		}),
	}
}

// find serves the object that an element of a list has under the id of the path.
func find[T any](list *[]T, object func(T) (id string, object any)) func(r *http.Request) any {
	return func(r *http.Request) any {
		for _, element := range *list {
			if id, found := object(element); id == r.PathValue("id") {
				return found
			}
		}
		return nil
	}
}

func (w *World) listWorkers(r *http.Request) any {
	workers := slices.Clone(w.workers)
	if fields := r.URL.Query().Get("filter"); fields != "" && !strings.Contains(fields, "delayTime") {
		for i := range workers {
			workers[i].DelayTime = model.Opt[model.Seconds]{}
		}
	}
	return workers
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
