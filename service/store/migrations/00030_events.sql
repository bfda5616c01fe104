-- +goose Up
-- What happened, in order. body is what webhooks get; it is there only when one listened as the change was made, because
-- it must show the world as it was then. extra is what the trigger carries beyond the envelope and its objects.
CREATE TABLE events (
  seq        INTEGER PRIMARY KEY,
  org        TEXT NOT NULL,
  trigger    INTEGER NOT NULL,
  task       TEXT NOT NULL,
  worker     TEXT NOT NULL,
  time       BIGINT NOT NULL,
  actor_type TEXT NOT NULL,
  actor      TEXT NOT NULL,
  extra      TEXT,
  body       TEXT
);
CREATE INDEX events_org ON events (org, seq);

-- One event on its way to one webhook. subject is the task or worker it is about: what has one subject arrives in
-- order. state: 0 on its way, 1 delivered, 2 given up after the last attempt, 3 stopped because the webhook was
-- disabled. Times are those of the world's clock.
CREATE TABLE deliveries (
  seq      INTEGER PRIMARY KEY,
  id       TEXT NOT NULL UNIQUE,
  event    BIGINT NOT NULL REFERENCES events (seq) ON DELETE CASCADE,
  webhook  TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  subject  TEXT NOT NULL,
  state    INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  first_at BIGINT,
  next_at  BIGINT NOT NULL,
  finished BIGINT,
  outcome  TEXT NOT NULL DEFAULT ''
);
CREATE INDEX deliveries_due ON deliveries (webhook, seq, next_at) WHERE state = 0;
CREATE INDEX deliveries_event ON deliveries (event);
CREATE INDEX deliveries_webhook ON deliveries (webhook);

-- Webhooks with a threshold that have fired for a task: they do so once.
CREATE TABLE firings (
  webhook TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  task    TEXT NOT NULL,
  time    BIGINT NOT NULL,
  PRIMARY KEY (webhook, task)
);
-- Whether a job for its deliveries waits or runs.
ALTER TABLE webhooks ADD COLUMN queued INTEGER NOT NULL DEFAULT 0;

-- +goose Down
SELECT 1;
