package service

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"waybill/model"
	"waybill/service/world"
)

// DriverBasePath is where a driver's app finds the service. The interface document knows nothing of it.
const DriverBasePath = "/driver/v1"

// DriverRoute is one thing that a driver's app can ask for.
type DriverRoute struct {
	Method, Path string
	// Open routes need no session, and Early ones work before the driver has chosen a password.
	Open, Early bool

	handle func(*Service, *driverCall) (any, error)
}

// driverCall is a request of a driver's app.
type driverCall struct {
	*call
	token  string
	driver world.DriverSession
}

// DriverRoutes lists every route of the driver's side.
func DriverRoutes() []DriverRoute {
	return []DriverRoute{
		{Method: "POST", Path: "/login", Open: true, handle: (*Service).driverLogin},
		{Method: "POST", Path: "/logout", Early: true, handle: (*Service).driverLogout},
		{Method: "POST", Path: "/password", Early: true, handle: (*Service).driverPassword},
		{Method: "GET", Path: "/me", Early: true, handle: (*Service).driverMe},
		{Method: "POST", Path: "/duty", handle: (*Service).driverDuty},
		{Method: "POST", Path: "/positions", handle: (*Service).driverPositions},
		{Method: "GET", Path: "/route", handle: (*Service).driverRoute},
		{Method: "POST", Path: "/tasks/{id}/start", handle: driverStep((*world.World).StartTask)},
		{Method: "POST", Path: "/tasks/{id}/arrive", handle: driverStep((*world.World).RecordArrival)},
		{Method: "POST", Path: "/tasks/{id}/depart", handle: driverStep((*world.World).RecordDeparture)},
		{Method: "POST", Path: "/tasks/{id}/complete", handle: (*Service).driverComplete},
		{Method: "POST", Path: "/tasks/{id}/fail", handle: (*Service).driverFail},
		{Method: "POST", Path: "/tasks/{id}/geofence", handle: (*Service).driverGeofence},
	}
}

// serveDriver wraps a driver's handler with everything that all of them share.
func (s *Service) serveDriver(route DriverRoute) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &driverCall{call: &call{Request: r, requestID: newRequestID()}}
		w.Header().Set("X-Request-Id", c.requestID)
		answer, err := s.runDriver(route, c) //nolint:contextcheck // the call carries the request, and so its context
		if err != nil {
			s.answerError(w, c.call, false, err)
			return
		}
		s.answer(w, answer)
	})
}

func (s *Service) runDriver(route DriverRoute, c *driverCall) (answer any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	if !route.Open {
		if err := s.authenticateDriver(c); err != nil {
			return nil, err
		}
		if c.driver.Temporary && !route.Early {
			return nil, &world.Error{
				Status: http.StatusForbidden, Code: model.CodeForbidden, Subcode: model.ErrorForbidden,
				Message: "Choose a password of your own first: POST " + DriverBasePath + "/password.",
			}
		}
	}
	return route.handle(s, c)
}

func (s *Service) authenticateDriver(c *driverCall) (err error) {
	scheme, token, _ := strings.Cut(c.Header.Get("Authorization"), " ")
	if token = strings.TrimSpace(token); !strings.EqualFold(scheme, "Bearer") || token == "" {
		return &world.Error{
			Status: http.StatusUnauthorized, Code: model.CodeInvalidCredentials, Subcode: model.ErrorKey,
			Message: "Log in first, and send the token as Authorization: Bearer.",
		}
	}
	c.token = token
	c.driver, err = s.world.FindSession(c.ctx(), token)
	return err
}

// loginRequest is what a driver logs in with.
type loginRequest struct {
	Phone    string         `json:"phone"`
	Password string         `json:"password"`
	Device   model.UserData `json:"device,omitzero"`
}

// maxLogin bounds what a stranger can make the service read, in bytes.
const maxLogin = 4 << 10

// loginAnswer is what the app keeps.
type loginAnswer struct {
	Token        string   `json:"token"`
	Worker       model.ID `json:"worker"`
	Organization model.ID `json:"organization"`
	// MustSetPassword says that the password of the invitation was used; nothing else works until it is replaced.
	MustSetPassword bool `json:"mustSetPassword"`
}

func (s *Service) driverLogin(c *driverCall) (any, error) {
	if err := s.logins.takeAddress(c.Request); err != nil {
		return nil, err
	}
	var in loginRequest
	if err := c.decodeUpTo(maxLogin, &in); err != nil {
		return nil, err
	}
	if err := s.logins.takePhone(in.Phone); err != nil {
		return nil, err
	}
	login, err := s.world.LogInWorker(c.ctx(), in.Phone, in.Password)
	if err != nil {
		return nil, err
	}
	token, err := s.world.OpenSession(c.ctx(), login, in.Device)
	return loginAnswer{Token: token, Worker: login.Worker, Organization: login.Org, MustSetPassword: login.Temporary}, err
}

func (s *Service) driverLogout(c *driverCall) (any, error) {
	return empty{}, s.world.CloseSession(c.ctx(), c.token)
}

func (s *Service) driverPassword(c *driverCall) (any, error) {
	var in struct {
		Password string `json:"password"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return empty{}, s.world.SetWorkerPassword(c.ctx(), c.driver.Worker, in.Password, c.token)
}

func (s *Service) driverMe(c *driverCall) (any, error) {
	return world.ReadWorker(c.ctx(), s.world.Store(), c.driver.Worker, s.world.Now())
}

func (s *Service) driverDuty(c *driverCall) (any, error) {
	var in struct {
		OnDuty model.Opt[bool] `json:"onDuty"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	onDuty, ok := in.OnDuty.Get()
	switch {
	case !ok:
		return nil, world.Invalid("onDuty: It must be true or false.")
	case onDuty:
		return empty{}, s.world.GoOnDuty(c.ctx(), c.driver.Worker)
	}
	return empty{}, s.world.GoOffDuty(c.ctx(), c.driver.Worker)
}

// maxPositions is how many positions an app may send at once: an hour without reception, one every ten seconds.
const maxPositions = 500

func (s *Service) driverPositions(c *driverCall) (any, error) {
	var in struct {
		Positions []struct {
			Location model.Opt[model.Location] `json:"location,omitzero"`
			Time     model.Millis              `json:"time,omitzero"`
			Battery  model.Opt[float64]        `json:"battery,omitzero"`
		} `json:"positions"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if n := len(in.Positions); n == 0 || n > maxPositions {
		return nil, world.Invalid("positions: There must be from 1 to %d, oldest first.", maxPositions)
	}
	now := s.world.Now()
	positions := make([]world.Position, len(in.Positions))
	for i, p := range in.Positions {
		if level, ok := p.Battery.Get(); ok && (level < 0 || level > 1) {
			return nil, world.Invalid("positions[%d].battery: It must be from 0 to 1.", i)
		}
		// A phone whose clock is fast must not make its own later reports look old.
		positions[i] = world.Position{Worker: c.driver.Worker, Location: p.Location.Or(model.NoLocation()), Time: min(p.Time, now), Battery: p.Battery}
	}
	return empty{}, s.world.ReportPositions(c.ctx(), positions)
}

func (s *Service) driverRoute(c *driverCall) (any, error) {
	return s.world.DriverRoute(c.ctx(), c.driver.Worker)
}
