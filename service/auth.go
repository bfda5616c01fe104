package service

import (
	"encoding/base64"
	"net/http"
	"strings"

	"waybill/model"
	"waybill/service/world"
)

// authenticate finds the organization of the request's key. Published clients send the key with and without the
// colon that basic authentication asks for; http.Request.BasicAuth takes only the first.
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
	return &world.Error{
		Status: http.StatusUnauthorized, Code: model.CodeInvalidCredentials, Subcode: model.ErrorKey,
		Message: "The API key provided is invalid, does not exist or is not active.",
	}
}
