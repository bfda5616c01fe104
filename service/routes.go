package service

import (
	"net/http"
	"path"
	"slices"
	"strings"
)

// Route is one route of the interface.
type Route struct {
	Method string
	// Path is relative to the base URL, with {parameters} as net/http names them.
	Path string
	// Section is the section of the documentation that the route is in.
	Section string
	// Extension is set when the interface document does not have the route.
	Extension bool
	// Batch is set when errors have the batch shape.
	Batch bool
	// Resource is the kind of the path's {id}. A test tries the ids of another organization on every route.
	Resource Resource

	handle handler
}

// Resource is the kind of object that the {id} of a path names.
type Resource string

// The kinds of objects that paths name.
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

// Routes returns every route of the interface, grouped by resource.
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

// inSection sets the section of routes.
func inSection(section string, routes []Route) []Route {
	for i := range routes {
		routes[i].Section = section
	}
	return routes
}

// newMux makes the handler of all routes. A path that exists with another method is answered with 405, any other with
// 404, both with a body as the interface defines it.
func (s *Service) newMux() http.Handler {
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
		mux.Handle(route.Method+" "+BasePath+route.Path, s.serveRoute(route))
	}
	for _, route := range DriverRoutes() {
		mux.Handle(route.Method+" "+DriverBasePath+route.Path, s.serveDriverRoute(route))
	}
	s.refuseOtherMethods(mux, paths, methods)
	mux.HandleFunc(anyPath, func(w http.ResponseWriter, r *http.Request) {
		if path := paths[strings.TrimPrefix(r.URL.Path, BasePath)]; path != nil {
			s.methodNotAllowed(w, r, path.methods, path.batch)
		} else if allowed := allowedMethods(mux, methods, r); len(allowed) > 0 {
			s.methodNotAllowed(w, r, allowed, false)
		} else {
			s.notFound(w, r)
		}
	})
	return withoutRedirects(mux)
}

const anyPath = "/"

// pathMethods holds the methods of one path.
type pathMethods struct {
	methods []string
	batch   bool
}

func (p *pathMethods) add(route Route) {
	p.methods = append(p.methods, route.Method)
	p.batch = p.batch || route.Batch
}

// refuseOtherMethods registers handlers for the methods that a path without parameters does not have. Without them the
// mux would take GET /tasks/batch-async for GET /tasks/{id}.
func (s *Service) refuseOtherMethods(mux *http.ServeMux, paths map[string]*pathMethods, methods []string) {
	for path, p := range paths {
		if strings.Contains(path, "{") {
			continue
		}
		for _, method := range methods {
			if slices.Contains(p.methods, method) {
				continue
			}
			mux.HandleFunc(method+" "+BasePath+path, func(w http.ResponseWriter, r *http.Request) {
				s.methodNotAllowed(w, r, p.methods, p.batch)
			})
		}
	}
}

// allowedMethods returns the methods with which the path of a request has a route.
func allowedMethods(mux *http.ServeMux, methods []string, r *http.Request) []string {
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

// withoutRedirects removes trailing slashes and answers a path such as /a//b with 404. http.ServeMux would answer with a
// redirect, which clients follow as a GET. It checks the escaped path, because a name in it may have an encoded slash.
func withoutRedirects(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent := r.URL.EscapedPath()
		if len(sent) > 1 && strings.HasSuffix(sent, "/") {
			sent = strings.TrimRight(sent, "/")
			r.URL.Path = strings.TrimRight(r.URL.Path, "/")
			r.URL.RawPath = strings.TrimRight(r.URL.RawPath, "/")
		}
		if path.Clean(sent) != sent {
			r.URL.Path, r.URL.RawPath = "/-", ""
		}
		mux.ServeHTTP(w, r)
	})
}

// sentPath returns the path as the client sent it.
func sentPath(r *http.Request) string {
	path, _, _ := strings.Cut(r.RequestURI, "?")
	return path
}
