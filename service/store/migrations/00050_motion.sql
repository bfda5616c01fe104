-- +goose Up
-- When the driver of a started task was at the door.
ALTER TABLE tasks ADD COLUMN arrived BIGINT;

-- A worker's route, in order, without what is done.
CREATE INDEX tasks_route ON tasks (worker, state, position) WHERE state IN (1, 2);

-- What nobody has and is late, or will be.
CREATE INDEX tasks_waiting ON tasks (complete_before) WHERE state = 0 AND complete_before IS NOT NULL;
CREATE INDEX tasks_overdue ON tasks (delay) WHERE state = 0 AND delay IS NOT NULL;

-- How long an organization's drivers took at the doors of tasks that they completed, in all.
CREATE TABLE door_times (
  org     TEXT PRIMARY KEY,
  tasks   BIGINT NOT NULL,
  seconds BIGINT NOT NULL
);

-- A driver's app that is logged in. The token itself is only with the app.
CREATE TABLE driver_sessions (
  hash    TEXT PRIMARY KEY,
  worker  TEXT NOT NULL REFERENCES workers (id) ON DELETE CASCADE,
  created BIGINT NOT NULL,
  used    BIGINT NOT NULL
);
CREATE INDEX driver_sessions_worker ON driver_sessions (worker);

-- What makes a data folder a sandbox, and what its drivers are doing.
CREATE TABLE sandbox (
  id  INTEGER PRIMARY KEY CHECK (id = 1),
  doc TEXT NOT NULL
);
CREATE TABLE sandbox_drivers (
  worker TEXT PRIMARY KEY REFERENCES workers (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  doc    TEXT NOT NULL
);

-- +goose Down
SELECT 1;
