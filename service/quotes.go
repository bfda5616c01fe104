package service

import "waybill/model"

func quoteRoutes() []Route {
	return []Route{
		{Method: "POST", Path: "/deliveryServices/quote", Section: "Quotes", handle: (*Service).quote},
	}
}

func (s *Service) quote(c *call) (any, error) {
	q := c.query()
	client := q.id("clientId")
	if err := q.problems.Err(); err != nil {
		return nil, err
	}
	var in model.QuoteRequest
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.CreateQuotes(c.ctx(), c.actor, client, in)
}
