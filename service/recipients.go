package service

import "waybill/model"

func recipientRoutes() []Route {
	const section = "Recipients"
	return []Route{
		{Method: "POST", Path: "/recipients", Section: section, Beyond: true, handle: (*Service).createRecipient},
		{Method: "GET", Path: "/recipients/{id}", Section: section, Resource: RecipientResource, handle: (*Service).getRecipient},
		{
			Method: "PUT", Path: "/recipients/{id}", Section: section, Beyond: true, Resource: RecipientResource,
			handle: (*Service).updateRecipient,
		},
		{Method: "GET", Path: "/recipients/name/{name}", Section: section, Beyond: true, handle: (*Service).recipientByName},
		{Method: "GET", Path: "/recipients/phone/{phone}", Section: section, Beyond: true, handle: (*Service).recipientByPhone},
		{Method: "POST", Path: "/recipients/metadata", Section: section, Beyond: true, handle: (*Service).findRecipients},
	}
}

func (s *Service) createRecipient(c *call) (any, error) {
	var in model.RecipientInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.CreateRecipient(c.ctx(), c.actor, in)
}

func (s *Service) getRecipient(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	return s.world.Recipient(c.ctx(), c.org, id)
}

func (s *Service) updateRecipient(c *call) (any, error) {
	var in model.RecipientInput
	id, err := c.idAnd(&in)
	if err != nil {
		return nil, err
	}
	return s.world.UpdateRecipient(c.ctx(), c.actor, id, in)
}

func (s *Service) recipientByName(c *call) (any, error) {
	return s.world.RecipientByName(c.ctx(), c.org, c.PathValue("name"))
}

func (s *Service) recipientByPhone(c *call) (any, error) {
	q := c.query()
	skip := q.flag("skipPhoneNumberValidation")
	if err := q.problems.Err(); err != nil {
		return nil, err
	}
	return s.world.RecipientByPhone(c.ctx(), c.org, c.PathValue("phone"), skip)
}

func (s *Service) findRecipients(c *call) (any, error) {
	query, err := c.metadataQuery()
	if err != nil {
		return nil, err
	}
	return s.world.FindRecipients(c.ctx(), c.org, query)
}
