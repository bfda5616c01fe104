-- +goose Up
-- The container that a task was made in, and by whom, as its assignment history shows it. Only what came after that is in
-- assignments: most tasks are made where they stay, or move once.
ALTER TABLE tasks ADD COLUMN first_assignment TEXT;

-- A list is in order of creation. What was created in its span follows the order of tasks_list, and what was created
-- before but completed in it is found by tasks_completed.
DROP INDEX tasks_list;
DROP INDEX tasks_executor;
DROP INDEX tasks_completed;
CREATE INDEX tasks_list ON tasks (org, created, seq, list_time, state);
CREATE INDEX tasks_executor ON tasks (executor, created, seq, list_time, state) WHERE executor <> org;
CREATE INDEX tasks_completed ON tasks (org, completed, created, seq) WHERE completed IS NOT NULL;
CREATE INDEX tasks_executor_completed ON tasks (executor, completed, created, seq) WHERE executor <> org AND completed IS NOT NULL;

-- Nothing looks for tasks by these any more.
DROP INDEX tasks_time;
DROP INDEX tasks_recipient;

-- +goose Down
SELECT 1;
