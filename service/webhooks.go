package service

import (
	"net/http"
	"strconv"

	"waybill/model"
	"waybill/service/events"
	"waybill/service/world"
)

func webhookRoutes() []Route {
	return inSection("Webhooks", []Route{
		{Method: "POST", Path: "/webhooks", handle: create((*world.World).CreateWebhook)},
		{Method: "GET", Path: "/webhooks", handle: list((*world.World).Webhooks)},
		{Method: "DELETE", Path: "/webhooks/{id}", Resource: WebhookResource, handle: remove((*world.World).DeleteWebhook)},
		{Method: "GET", Path: "/webhooks/secret", Extension: true, handle: (*Service).getWebhookSecret},
		{Method: "GET", Path: "/webhooks/events", Extension: true, handle: withEventLog(listEvents)},
		{Method: "GET", Path: "/webhooks/events/{event}", Extension: true, handle: withEventLog(getEvent)},
		{Method: "POST", Path: "/webhooks/events/{event}/replay", Extension: true, handle: withEventLog(replayEvent)},
		{Method: "POST", Path: "/webhooks/trigger", Extension: true, handle: withEventLog(createSampleEvent)},
	})
}

func (s *Service) getWebhookSecret(c *call) (any, error) {
	secret, err := s.world.WebhookSecret(c.ctx(), c.org)
	return model.WebhookSecret{Secret: secret}, err
}

// withEventLog makes a handler that needs the event log. It refuses the request if the service runs without one.
func withEventLog(handle func(*events.Broker, *call) (any, error)) handler {
	return func(s *Service, c *call) (any, error) {
		if s.events == nil {
			return nil, world.NewError(http.StatusServiceUnavailable, model.CodeInternal, model.ErrorUnavailable,
				"This service does not keep an event log.")
		}
		return handle(s.events, c)
	}
}

func listEvents(log *events.Broker, c *call) (any, error) {
	filter, err := c.eventFilter()
	if err != nil {
		return nil, err
	}
	return log.ListEvents(c.ctx(), c.org, filter)
}

func (c *call) eventFilter() (events.Filter, error) {
	q := c.query()
	f := events.Filter{
		Before: q.count("before"), After: q.count("after"), Limit: q.count("limit"), Task: q.id("task"), Body: q.flag("body"),
	}
	if err := q.problems.Err(); err != nil {
		return f, err
	}
	if text := q.values.Get("trigger"); text != "" {
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
	trigger, ok := model.ParseTrigger(text)
	if !ok {
		return 0, world.Invalid("trigger: Unknown trigger %.40q.", model.Clean(text))
	}
	return trigger, nil
}

// eventID returns the path's {event}. Events have numbers, not ids.
func (c *call) eventID() (int64, error) {
	id, err := strconv.ParseInt(c.PathValue("event"), 10, 64)
	if err != nil {
		return 0, world.NotFound()
	}
	return id, nil
}

func getEvent(log *events.Broker, c *call) (any, error) {
	id, err := c.eventID()
	if err != nil {
		return nil, err
	}
	return log.GetEvent(c.ctx(), c.org, id)
}

func replayEvent(log *events.Broker, c *call) (any, error) {
	id, err := c.eventID()
	if err != nil {
		return nil, err
	}
	return log.Replay(c.ctx(), c.org, id)
}

func createSampleEvent(log *events.Broker, c *call) (any, error) {
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
