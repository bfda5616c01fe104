-- +goose Up
-- Times are Unix milliseconds. A doc column holds the resource as it goes over the wire, without the parts that
-- change on their own or are read from other tables; the columns beside it are what queries need.

CREATE TABLE organizations (
  id             TEXT PRIMARY KEY,
  name           TEXT NOT NULL,
  country        TEXT NOT NULL,
  timezone       TEXT NOT NULL,
  webhook_secret TEXT NOT NULL,
  created        BIGINT NOT NULL,
  modified       BIGINT NOT NULL,
  doc            TEXT NOT NULL
);

-- A client organization may order from a courier.
CREATE TABLE connections (
  courier TEXT NOT NULL REFERENCES organizations (id),
  client  TEXT NOT NULL REFERENCES organizations (id),
  PRIMARY KEY (courier, client)
);

CREATE TABLE api_keys (
  id      TEXT PRIMARY KEY,
  org     TEXT NOT NULL REFERENCES organizations (id),
  name    TEXT NOT NULL,
  prefix  TEXT NOT NULL,
  hash    TEXT NOT NULL UNIQUE,
  created BIGINT NOT NULL,
  removed BIGINT
);

CREATE TABLE admins (
  id       TEXT PRIMARY KEY,
  org      TEXT NOT NULL REFERENCES organizations (id),
  email    TEXT NOT NULL,
  created  BIGINT NOT NULL,
  modified BIGINT NOT NULL,
  doc      TEXT NOT NULL,
  UNIQUE (org, email)
);

CREATE TABLE destinations (
  id       TEXT PRIMARY KEY,
  org      TEXT NOT NULL,
  lon      DOUBLE PRECISION NOT NULL,
  lat      DOUBLE PRECISION NOT NULL,
  created  BIGINT NOT NULL,
  modified BIGINT NOT NULL,
  doc      TEXT NOT NULL
);

CREATE TABLE recipients (
  id        TEXT PRIMARY KEY,
  org       TEXT NOT NULL,
  phone     TEXT NOT NULL,
  name_fold TEXT NOT NULL,
  created   BIGINT NOT NULL,
  modified  BIGINT NOT NULL,
  doc       TEXT NOT NULL
);
CREATE UNIQUE INDEX recipients_phone ON recipients (org, phone);
CREATE INDEX recipients_name ON recipients (org, name_fold);

CREATE TABLE hubs (
  id       TEXT PRIMARY KEY,
  org      TEXT NOT NULL,
  lon      DOUBLE PRECISION NOT NULL,
  lat      DOUBLE PRECISION NOT NULL,
  created  BIGINT NOT NULL,
  modified BIGINT NOT NULL,
  doc      TEXT NOT NULL
);
CREATE INDEX hubs_org ON hubs (org, created);

CREATE TABLE teams (
  id        TEXT PRIMARY KEY,
  org       TEXT NOT NULL,
  name_fold TEXT NOT NULL,
  hub       TEXT REFERENCES hubs (id),
  created   BIGINT NOT NULL,
  modified  BIGINT NOT NULL,
  doc       TEXT NOT NULL
);
CREATE UNIQUE INDEX teams_name ON teams (org, name_fold);

CREATE TABLE workers (
  id           TEXT PRIMARY KEY,
  org          TEXT NOT NULL,
  phone        TEXT NOT NULL,
  on_duty      INTEGER NOT NULL DEFAULT 0,
  active_task  TEXT,
  lon          DOUBLE PRECISION,
  lat          DOUBLE PRECISION,
  last_seen    BIGINT,
  battery      DOUBLE PRECISION,
  delay        BIGINT,
  vehicle_type TEXT NOT NULL DEFAULT '',
  routing      TEXT REFERENCES destinations (id),
  created      BIGINT NOT NULL,
  modified     BIGINT NOT NULL,
  doc          TEXT NOT NULL
);
CREATE UNIQUE INDEX workers_phone ON workers (org, phone);
CREATE INDEX workers_duty ON workers (org, on_duty);

CREATE TABLE team_workers (
  team   TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  worker TEXT NOT NULL REFERENCES workers (id) ON DELETE CASCADE,
  PRIMARY KEY (team, worker)
);
CREATE INDEX team_workers_worker ON team_workers (worker);

CREATE TABLE schedules (
  worker TEXT NOT NULL REFERENCES workers (id) ON DELETE CASCADE,
  date   TEXT NOT NULL,
  doc    TEXT NOT NULL,
  PRIMARY KEY (worker, date)
);

CREATE TABLE duty_log (
  worker  TEXT NOT NULL,
  time    BIGINT NOT NULL,
  on_duty INTEGER NOT NULL
);
CREATE INDEX duty_log_worker ON duty_log (worker, time);

-- seq grows with creation, so a list in order of creation is a walk along the key.
CREATE TABLE tasks (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  org             TEXT NOT NULL,
  executor        TEXT NOT NULL,
  short_id        TEXT NOT NULL UNIQUE,
  state           INTEGER NOT NULL,
  worker          TEXT,
  container       TEXT NOT NULL,
  container_owner TEXT NOT NULL,
  position        BIGINT NOT NULL,
  pickup          INTEGER NOT NULL,
  destination     TEXT NOT NULL REFERENCES destinations (id),
  recipient       TEXT REFERENCES recipients (id),
  order_id        TEXT,
  route_plan      TEXT,
  complete_after  BIGINT,
  complete_before BIGINT,
  service_minutes DOUBLE PRECISION NOT NULL,
  planned_minutes DOUBLE PRECISION,
  started         BIGINT,
  completed       BIGINT,
  list_time       BIGINT NOT NULL,
  eta             BIGINT,
  arrival         BIGINT,
  completion      BIGINT,
  delay           BIGINT,
  created         BIGINT NOT NULL,
  modified        BIGINT NOT NULL,
  doc             TEXT NOT NULL
);
CREATE INDEX tasks_list ON tasks (org, seq, list_time, state, worker);
CREATE INDEX tasks_container ON tasks (container_owner, position) WHERE state < 2;
CREATE INDEX tasks_worker ON tasks (worker, seq) WHERE worker IS NOT NULL;
CREATE INDEX tasks_recipient ON tasks (recipient, seq) WHERE recipient IS NOT NULL;
CREATE INDEX tasks_order ON tasks (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX tasks_completed ON tasks (org, completed) WHERE completed IS NOT NULL;

CREATE TABLE dependencies (
  task  TEXT NOT NULL,
  needs TEXT NOT NULL,
  PRIMARY KEY (task, needs)
);
CREATE INDEX dependencies_needs ON dependencies (needs);

CREATE TABLE assignments (
  task        TEXT NOT NULL,
  time        BIGINT NOT NULL,
  actor_type  TEXT NOT NULL,
  actor       TEXT NOT NULL,
  container   TEXT NOT NULL,
  owner       TEXT NOT NULL,
  org         TEXT NOT NULL
);
CREATE INDEX assignments_task ON assignments (task, time);

-- One row an entry of a resource's metadata; value is its canonical JSON, so that equal values are equal texts.
CREATE TABLE metadata (
  resource TEXT NOT NULL,
  kind     TEXT NOT NULL,
  org      TEXT NOT NULL,
  name     TEXT NOT NULL,
  type     TEXT NOT NULL,
  value    TEXT NOT NULL
);
CREATE INDEX metadata_resource ON metadata (resource);
CREATE INDEX metadata_find ON metadata (org, kind, name, value);

CREATE TABLE custom_fields (
  org     TEXT NOT NULL,
  key     TEXT NOT NULL,
  created BIGINT NOT NULL,
  doc     TEXT NOT NULL,
  PRIMARY KEY (org, key)
);

CREATE TABLE templates (
  id        TEXT PRIMARY KEY,
  org       TEXT NOT NULL,
  name_fold TEXT NOT NULL,
  created   BIGINT NOT NULL,
  doc       TEXT NOT NULL
);
CREATE UNIQUE INDEX templates_name ON templates (org, name_fold);

CREATE TABLE rate_cards (
  id      TEXT PRIMARY KEY,
  courier TEXT NOT NULL,
  client  TEXT,
  doc     TEXT NOT NULL
);
CREATE INDEX rate_cards_courier ON rate_cards (courier, client);

CREATE TABLE quotes (
  id      TEXT PRIMARY KEY,
  courier TEXT NOT NULL,
  client  TEXT NOT NULL,
  created BIGINT NOT NULL,
  doc     TEXT NOT NULL
);

CREATE TABLE orders (
  id       TEXT PRIMARY KEY,
  short_id TEXT NOT NULL UNIQUE,
  courier  TEXT NOT NULL,
  client   TEXT,
  status   TEXT NOT NULL,
  pickup   TEXT NOT NULL,
  dropoff  TEXT NOT NULL,
  created  BIGINT NOT NULL,
  modified BIGINT NOT NULL,
  doc      TEXT NOT NULL
);
CREATE INDEX orders_courier ON orders (courier, created);
CREATE INDEX orders_client ON orders (client, created) WHERE client IS NOT NULL;

CREATE TABLE batches (
  id       TEXT PRIMARY KEY,
  org      TEXT NOT NULL,
  status   TEXT NOT NULL,
  received INTEGER NOT NULL,
  created  BIGINT NOT NULL,
  finished BIGINT,
  request  TEXT NOT NULL,
  result   TEXT
);

CREATE TABLE dispatches (
  id       TEXT PRIMARY KEY,
  org      TEXT NOT NULL,
  team     TEXT NOT NULL,
  status   TEXT NOT NULL,
  actor    TEXT NOT NULL,
  created  BIGINT NOT NULL,
  finished BIGINT,
  request  TEXT NOT NULL,
  progress TEXT,
  result   TEXT
);
CREATE UNIQUE INDEX dispatches_active ON dispatches (team) WHERE finished IS NULL;
CREATE INDEX dispatches_team ON dispatches (team, created);

CREATE TABLE webhooks (
  id        TEXT PRIMARY KEY,
  org       TEXT NOT NULL,
  trigger   INTEGER NOT NULL,
  threshold DOUBLE PRECISION,
  name      TEXT NOT NULL,
  url       TEXT NOT NULL,
  successes BIGINT NOT NULL DEFAULT 0,
  failures  BIGINT NOT NULL DEFAULT 0,
  enabled   INTEGER NOT NULL DEFAULT 1,
  created   BIGINT NOT NULL
);
CREATE INDEX webhooks_org ON webhooks (org, trigger);

-- Texts that a real SMS provider would send.
CREATE TABLE outbox (
  id      INTEGER PRIMARY KEY,
  org     TEXT NOT NULL,
  phone   TEXT NOT NULL,
  kind    TEXT NOT NULL,
  body    TEXT NOT NULL,
  created BIGINT NOT NULL
);

CREATE TABLE geocodes (
  query   TEXT PRIMARY KEY,
  created BIGINT NOT NULL,
  result  TEXT NOT NULL
);

-- +goose Down
SELECT 1;
