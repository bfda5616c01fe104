package service

import "waybill/service/world"

func recipientRoutes() []Route {
	return inSection("Recipients", []Route{
		{Method: "POST", Path: "/recipients", Extension: true, handle: create((*world.World).CreateRecipient)},
		{Method: "GET", Path: "/recipients/{id}", Resource: RecipientResource, handle: get((*world.World).Recipient)},
		{Method: "PUT", Path: "/recipients/{id}", Extension: true, Resource: RecipientResource, handle: update((*world.World).UpdateRecipient)},
		{Method: "GET", Path: "/recipients/name/{name}", Extension: true, handle: (*Service).getRecipientByName},
		{Method: "GET", Path: "/recipients/phone/{phone}", Extension: true, handle: (*Service).getRecipientByPhone},
		{Method: "POST", Path: "/recipients/metadata", Extension: true, handle: findByMetadata((*world.World).FindRecipients)},
	})
}

func (s *Service) getRecipientByName(c *call) (any, error) {
	return s.world.RecipientByName(c.ctx(), c.org, c.PathValue("name"))
}

func (s *Service) getRecipientByPhone(c *call) (any, error) {
	q := c.query()
	skipValidation := q.flag("skipPhoneNumberValidation")
	if err := q.problems.Err(); err != nil {
		return nil, err
	}
	return s.world.RecipientByPhone(c.ctx(), c.org, c.PathValue("phone"), skipValidation)
}
