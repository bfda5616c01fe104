-- +goose Up
-- A round that is planned ahead. Its tasks are those that name it, in the order of their route_position.
CREATE TABLE route_plans (
  id         TEXT PRIMARY KEY,
  org        TEXT NOT NULL,
  worker     TEXT REFERENCES workers (id) ON DELETE SET NULL,
  team       TEXT REFERENCES teams (id) ON DELETE SET NULL,
  start_time BIGINT NOT NULL,
  created    BIGINT NOT NULL,
  doc        TEXT NOT NULL
);
CREATE INDEX route_plans_org ON route_plans (org, created);
CREATE INDEX route_plans_worker ON route_plans (worker) WHERE worker IS NOT NULL;
CREATE INDEX route_plans_team ON route_plans (team) WHERE team IS NOT NULL;
ALTER TABLE tasks ADD COLUMN route_position BIGINT;
CREATE INDEX tasks_route_plan ON tasks (route_plan, route_position) WHERE route_plan IS NOT NULL;

-- +goose Down
SELECT 1;
