package service

import (
	"net/http"
	"path"
	"slices"
	"strings"
)

// Route is one operation of the interface.
type Route struct {
	Method string
	// Path is relative to the base URL, with {parameters} as net/http names them.
	Path string
	// Section is the part of the documentation that describes it.
	Section string
	// Beyond marks what the interface document does not show.
	Beyond bool
	// Batch marks routes whose errors have the batch shape.
	Batch bool
	// Resource is what the path's {id} names, for the test that tries a stranger's id on every route.
	Resource Resource

	handle func(*Service, *call) (any, error)
}

// Resource is a kind of thing that a path can name.
type Resource string

// Resources that paths name.
const (
	NoResource          Resource = ""
	DestinationResource Resource = "destination"
	RecipientResource   Resource = "recipient"
	TaskResource        Resource = "task"
	WorkerResource      Resource = "worker"
	TeamResource        Resource = "team"
	HubResource         Resource = "hub"
	OrderResource       Resource = "order"
	WebhookResource     Resource = "webhook"
	BatchResource       Resource = "batch"
	ContainerResource   Resource = "container"
	AdminResource       Resource = "admin"
	RoutePlanResource   Resource = "routePlan"
	DispatchResource    Resource = "dispatch"

	OrganizationResource Resource = "organization"
)

// Routes lists every route, resource by resource.
func Routes() []Route {
	return slices.Concat(
		organizationRoutes(),
		destinationRoutes(),
		webhookRoutes(),
		recipientRoutes(),
		workerRoutes(),
		teamRoutes(),
		dispatchRoutes(),
		hubRoutes(),
		adminRoutes(),
		customFieldRoutes(),
		templateRoutes(),
		quoteRoutes(),
		orderRoutes(),
		taskRoutes(),
		batchRoutes(),
		containerRoutes(),
		routePlanRoutes(),
		documentationRoutes(),
	)
}

// mux makes the handler of all routes. A path that exists with another method answers 405, everything else 404,
// both in the interface's envelope.
func (s *Service) mux() http.Handler {
	mux := http.NewServeMux()
	paths := map[string]*pathMethods{}
	var methods []string
	for _, route := range Routes() {
		if !slices.Contains(methods, route.Method) {
			methods = append(methods, route.Method)
		}
		if paths[route.Path] == nil {
			paths[route.Path] = &pathMethods{}
		}
		paths[route.Path].add(route)
		mux.Handle(route.Method+" "+BasePath+route.Path, s.serve(route))
	}
	for _, route := range DriverRoutes() {
		mux.Handle(route.Method+" "+DriverBasePath+route.Path, s.serveDriver(route))
	}
	s.keepFromParameters(mux, paths, methods)
	mux.HandleFunc(anyPath, func(w http.ResponseWriter, r *http.Request) {
		if path := paths[strings.TrimPrefix(r.URL.Path, BasePath)]; path != nil {
			s.notAllowed(w, r, path.methods, path.batch)
		} else if allowed := otherMethods(mux, methods, r); len(allowed) > 0 {
			s.notAllowed(w, r, allowed, false)
		} else {
			s.notFound(w, r)
		}
	})
	return clean(mux)
}

const anyPath = "/"

// pathMethods are the routes of one path.
type pathMethods struct {
	methods []string
	batch   bool
}

func (p *pathMethods) add(route Route) {
	p.methods = append(p.methods, route.Method)
	p.batch = p.batch || route.Batch
}

// keepFromParameters refuses the methods that a path without parameters does not take: to the mux, GET /tasks/batch-async
// is GET /tasks/{id}.
func (s *Service) keepFromParameters(mux *http.ServeMux, paths map[string]*pathMethods, methods []string) {
	for path, p := range paths {
		if strings.Contains(path, "{") {
			continue
		}
		for _, method := range methods {
			if slices.Contains(p.methods, method) {
				continue
			}
			mux.HandleFunc(method+" "+BasePath+path, func(w http.ResponseWriter, r *http.Request) {
				s.notAllowed(w, r, p.methods, p.batch)
			})
		}
	}
}

// otherMethods lists the methods with which the path of a request would have found a route.
func otherMethods(mux *http.ServeMux, methods []string, r *http.Request) []string {
	var allowed []string
	for _, method := range methods {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := mux.Handler(other); pattern != anyPath {
			allowed = append(allowed, method)
		}
	}
	return allowed
}

// clean keeps net/http from answering an untidy path with a redirect: clients would follow it as a GET. It looks at
// the path as it was sent, because a name in it may hold an encoded slash.
func clean(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent := r.URL.EscapedPath()
		if len(sent) > 1 && strings.HasSuffix(sent, "/") {
			sent = strings.TrimRight(sent, "/")
			r.URL.Path = strings.TrimRight(r.URL.Path, "/")
			r.URL.RawPath = strings.TrimRight(r.URL.RawPath, "/")
		}
		if untidy := path.Clean(sent) != sent; untidy {
			r.URL.Path, r.URL.RawPath = "/-", ""
		}
		mux.ServeHTTP(w, r)
	})
}

// sentPath is the path as it was sent, before anything tidied it.
func sentPath(r *http.Request) string {
	path, _, _ := strings.Cut(r.RequestURI, "?")
	return path
}
