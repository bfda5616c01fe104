package service

import (
	"net/http"
	"strconv"

	"waybill/model"
	"waybill/service/events"
	"waybill/service/world"
)

func webhookRoutes() []Route {
	return []Route{
		{Method: "POST", Path: "/webhooks", Section: "Webhooks", handle: (*Service).createWebhook},
		{Method: "GET", Path: "/webhooks", Section: "Webhooks", handle: (*Service).listWebhooks},
		{
			Method: "DELETE", Path: "/webhooks/{id}", Section: "Webhooks", Resource: WebhookResource,
			handle: (*Service).deleteWebhook,
		},
		{Method: "GET", Path: "/webhooks/secret", Section: "Webhooks", Beyond: true, handle: (*Service).webhookSecret},
		{Method: "GET", Path: "/webhooks/events", Section: "Webhooks", Beyond: true, handle: (*Service).listEvents},
		{Method: "GET", Path: "/webhooks/events/{event}", Section: "Webhooks", Beyond: true, handle: (*Service).getEvent},
		{
			Method: "POST", Path: "/webhooks/events/{event}/replay", Section: "Webhooks", Beyond: true,
			handle: (*Service).replayEvent,
		},
		{Method: "POST", Path: "/webhooks/trigger", Section: "Webhooks", Beyond: true, handle: (*Service).sampleEvent},
	}
}

func (s *Service) createWebhook(c *call) (any, error) {
	var in model.WebhookInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return s.world.CreateWebhook(c.ctx(), c.actor, in)
}

func (s *Service) listWebhooks(c *call) (any, error) { return s.world.Webhooks(c.ctx(), c.org) }

func (s *Service) deleteWebhook(c *call) (any, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	return empty{}, s.world.DeleteWebhook(c.ctx(), c.actor, id)
}

func (s *Service) webhookSecret(c *call) (any, error) {
	secret, err := s.world.WebhookSecret(c.ctx(), c.org)
	return model.WebhookSecret{Secret: secret}, err
}

// eventLog is the log, or the refusal when the service runs without one.
func (s *Service) eventLog() (*events.Broker, error) {
	if s.events == nil {
		return nil, &world.Error{
			Status: http.StatusServiceUnavailable, Code: model.CodeInternal, Subcode: model.ErrorUnavailable,
			Message: "This service keeps no log of events.",
		}
	}
	return s.events, nil
}

func (s *Service) listEvents(c *call) (any, error) {
	log, err := s.eventLog()
	if err != nil {
		return nil, err
	}
	filter, err := eventFilter(c)
	if err != nil {
		return nil, err
	}
	return log.ListEvents(c.ctx(), c.org, filter)
}

func eventFilter(c *call) (events.Filter, error) {
	q := c.query()
	f := events.Filter{
		Before: q.count("before"), After: q.count("after"), Limit: q.count("limit"), Task: q.id("task"), Body: q.flag("body"),
	}
	if err := q.problems.Err(); err != nil {
		return f, err
	}
	if text := c.URL.Query().Get("trigger"); text != "" {
		trigger, err := parseTrigger(text)
		if err != nil {
			return f, err
		}
		f.Trigger = model.Some(trigger)
	}
	return f, nil
}

// parseTrigger reads a trigger's id or name.
func parseTrigger(text string) (model.Trigger, error) {
	if trigger, ok := model.TriggerByName(text); ok {
		return trigger, nil
	}
	id, err := strconv.Atoi(text)
	if err != nil || model.Trigger(id).Name() == "" {
		return 0, world.Invalid("trigger: there is no trigger %.40q.", model.Clean(text))
	}
	return model.Trigger(id), nil
}

// eventID is the path's {event}: events are numbered.
func (c *call) eventID() (int64, error) {
	id, err := strconv.ParseInt(c.PathValue("event"), 10, 64)
	if err != nil {
		return 0, world.NotFound()
	}
	return id, nil
}

func (s *Service) getEvent(c *call) (any, error) {
	log, err := s.eventLog()
	if err != nil {
		return nil, err
	}
	id, err := c.eventID()
	if err != nil {
		return nil, err
	}
	return log.GetEvent(c.ctx(), c.org, id)
}

func (s *Service) replayEvent(c *call) (any, error) {
	log, err := s.eventLog()
	if err != nil {
		return nil, err
	}
	id, err := c.eventID()
	if err != nil {
		return nil, err
	}
	return log.Replay(c.ctx(), c.org, id)
}

func (s *Service) sampleEvent(c *call) (any, error) {
	log, err := s.eventLog()
	if err != nil {
		return nil, err
	}
	var in model.SampleEventInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	var name string
	if raw := in.Trigger.Value(); len(raw) > 0 {
		if err := model.Unmarshal(raw, &name); err != nil {
			name = string(raw)
		}
	}
	trigger, err := parseTrigger(name)
	if err != nil {
		return nil, err
	}
	return log.SendSample(c.ctx(), c.actor, trigger, in.TaskID.Value())
}
