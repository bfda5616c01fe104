-- +goose Up
-- A container's row counts its tasks and knows its last position, so that appending costs the same whatever the
-- container holds. There is no row before the first task.
CREATE TABLE containers (
  owner    TEXT PRIMARY KEY,
  kind     TEXT NOT NULL,
  size     BIGINT NOT NULL,
  last     BIGINT NOT NULL,
  created  BIGINT NOT NULL,
  modified BIGINT NOT NULL
);

-- Who asked for the batch.
ALTER TABLE batches ADD COLUMN actor_type TEXT NOT NULL DEFAULT 'API';
ALTER TABLE batches ADD COLUMN actor TEXT NOT NULL DEFAULT '';

-- How far a worker has travelled in all, and how far when the task was started: their difference is the task's
-- distance.
ALTER TABLE workers ADD COLUMN meters DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN start_meters DOUBLE PRECISION;

-- Tasks that another organization fulfils, for the list of that organization.
CREATE INDEX tasks_executor ON tasks (executor, seq, list_time, state, worker) WHERE executor <> org;

-- Tasks by the time that lists compare, for lists of a short span.
CREATE INDEX tasks_time ON tasks (org, list_time);

-- +goose Down
SELECT 1;
