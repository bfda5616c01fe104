package service

import (
	"net/http"
	"strings"

	"waybill/model"
	"waybill/service/world"
)

// DriverBasePath is the path of the routes for a driver's app, which the interface document does not have.
const DriverBasePath = "/driver/v1"

// DriverRoute is one route for a driver's app.
type DriverRoute struct {
	Method, Path string
	// Public routes need no session.
	Public bool
	// TemporaryPassword routes work before the driver has replaced the password of the invitation.
	TemporaryPassword bool

	handle func(*Service, *driverCall) (any, error)
}

// driverCall is one request from a driver's app.
type driverCall struct {
	*call
	token   string
	session world.DriverSession
}

// DriverRoutes returns every route for a driver's app.
func DriverRoutes() []DriverRoute {
	return []DriverRoute{
		{Method: "POST", Path: "/login", Public: true, handle: (*Service).logInDriver},
		{Method: "POST", Path: "/logout", TemporaryPassword: true, handle: (*Service).logOutDriver},
		{Method: "POST", Path: "/password", TemporaryPassword: true, handle: (*Service).setDriverPassword},
		{Method: "GET", Path: "/me", TemporaryPassword: true, handle: (*Service).getDriver},
		{Method: "POST", Path: "/duty", handle: (*Service).setDriverDuty},
		{Method: "POST", Path: "/positions", handle: (*Service).reportDriverPositions},
		{Method: "GET", Path: "/route", handle: (*Service).getDriverRoute},
		{Method: "POST", Path: "/tasks/{id}/start", handle: changeDriverTask((*world.World).StartTask)},
		{Method: "POST", Path: "/tasks/{id}/arrive", handle: changeDriverTask((*world.World).RecordArrival)},
		{Method: "POST", Path: "/tasks/{id}/depart", handle: changeDriverTask((*world.World).RecordDeparture)},
		{Method: "POST", Path: "/tasks/{id}/complete", handle: (*Service).completeDriverTask},
		{Method: "POST", Path: "/tasks/{id}/fail", handle: (*Service).failDriverTask},
		{Method: "POST", Path: "/tasks/{id}/geofence", handle: (*Service).recordGeofenceAttempt},
	}
}

// serveDriverRoute makes the HTTP handler of a driver's route.
func (s *Service) serveDriverRoute(route DriverRoute) http.Handler {
	return s.serve(false, func(c *call, _ http.Header) (any, error) {
		driver := &driverCall{call: c}
		if !route.Public {
			if err := s.authenticateDriver(driver); err != nil {
				return nil, err
			}
			if driver.session.Temporary && !route.TemporaryPassword {
				return nil, world.NewError(http.StatusForbidden, model.CodeForbidden, model.ErrorForbidden,
					"Set your own password first: POST "+DriverBasePath+"/password.")
			}
		}
		return route.handle(s, driver)
	})
}

func (s *Service) authenticateDriver(c *driverCall) (err error) {
	scheme, token, _ := strings.Cut(c.Header.Get("Authorization"), " ")
	if token = strings.TrimSpace(token); !strings.EqualFold(scheme, "Bearer") || token == "" {
		return world.NewError(http.StatusUnauthorized, model.CodeInvalidCredentials, model.ErrorKey,
			"Log in first and send the token as Authorization: Bearer TOKEN.")
	}
	c.token = token
	c.session, err = s.world.FindSession(c.ctx(), token)
	return err
}

// loginRequest is the body of a driver's login.
type loginRequest struct {
	Phone    string         `json:"phone"`
	Password string         `json:"password"`
	Device   model.UserData `json:"device,omitzero"`
}

// maxLogin is the largest login body in bytes, because anyone can send one.
const maxLogin = 4 << 10

// loginAnswer is the answer to a driver's login.
type loginAnswer struct {
	Token        string   `json:"token"`
	Worker       model.ID `json:"worker"`
	Organization model.ID `json:"organization"`
	// MustSetPassword is set when the driver used the password of the invitation and must replace it first.
	MustSetPassword bool `json:"mustSetPassword"`
}

func (s *Service) logInDriver(c *driverCall) (any, error) {
	if err := s.logins.allowAddress(c.Request); err != nil {
		return nil, err
	}
	var in loginRequest
	if err := c.decodeLimited(maxLogin, &in); err != nil {
		return nil, err
	}
	if err := s.logins.allowPhone(in.Phone); err != nil {
		return nil, err
	}
	login, err := s.world.LogInWorker(c.ctx(), in.Phone, in.Password)
	if err != nil {
		return nil, err
	}
	token, err := s.world.OpenSession(c.ctx(), login, in.Device)
	return loginAnswer{Token: token, Worker: login.Worker, Organization: login.Org, MustSetPassword: login.Temporary}, err
}

func (s *Service) logOutDriver(c *driverCall) (any, error) {
	return empty{}, s.world.CloseSession(c.ctx(), c.token)
}

func (s *Service) setDriverPassword(c *driverCall) (any, error) {
	var in struct {
		Password string `json:"password"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return empty{}, s.world.SetWorkerPassword(c.ctx(), c.session.Worker, in.Password, c.token)
}

func (s *Service) getDriver(c *driverCall) (any, error) {
	return world.ReadWorker(c.ctx(), s.world.Store(), c.session.Worker, s.world.Now())
}

func (s *Service) setDriverDuty(c *driverCall) (any, error) {
	var in struct {
		OnDuty model.Opt[bool] `json:"onDuty"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	onDuty, ok := in.OnDuty.Get()
	switch {
	case !ok:
		return nil, world.Invalid("onDuty: Must be true or false.")
	case onDuty:
		return empty{}, s.world.GoOnDuty(c.ctx(), c.session.Worker)
	}
	return empty{}, s.world.GoOffDuty(c.ctx(), c.session.Worker)
}

// maxPositions is how many positions an app may send at once: more than an hour of one every ten seconds.
const maxPositions = 500

func (s *Service) reportDriverPositions(c *driverCall) (any, error) {
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
		return nil, world.Invalid("positions: Send 1 to %d positions, oldest first.", maxPositions)
	}
	now := s.world.Now()
	positions := make([]world.Position, len(in.Positions))
	for i, p := range in.Positions {
		if level, ok := p.Battery.Get(); ok && (level < 0 || level > 1) {
			return nil, world.Invalid("positions[%d].battery: Must be from 0 to 1.", i)
		}
		// If the phone's clock is fast, its later reports must not look old.
		positions[i] = world.Position{
			Worker: c.session.Worker, Location: p.Location.Or(model.NoLocation()), Time: min(p.Time, now), Battery: p.Battery,
		}
	}
	return empty{}, s.world.ReportPositions(c.ctx(), positions)
}

func (s *Service) getDriverRoute(c *driverCall) (any, error) {
	return s.world.DriverRoute(c.ctx(), c.session.Worker)
}
