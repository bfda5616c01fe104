package service

import (
	"encoding/base64"
	"net/http"
	"strings"

	"waybill/model"
	"waybill/service/world"
)

// authenticate looks up the organization of the request's API key. Some published clients leave out the colon of basic
// authentication, which http.Request.BasicAuth does not accept.
func (s *Service) authenticate(c *call) error {
	key := basicUser(c.Header.Get("Authorization"))
	if key == "" {
		return invalidKey()
	}
	found, err := s.world.FindKey(c.ctx(), key)
	if err != nil {
		return err
	}
	if found.Org == "" {
		return invalidKey()
	}
	c.org = found.Org
	c.actor = world.Actor{Type: world.ActorAPI, ID: found.ID, Org: found.Org}
	return nil
}

// basicUser returns the user name of basic authentication.
func basicUser(header string) string {
	scheme, encoded, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "Basic") {
		return ""
	}
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
	if err != nil {
		return ""
	}
	user, _, _ := strings.Cut(string(decoded), ":")
	return user
}

func invalidKey() *world.Error {
	return world.NewError(http.StatusUnauthorized, model.CodeInvalidCredentials, model.ErrorKey,
		"The API key provided is invalid, does not exist or is not active.")
}
