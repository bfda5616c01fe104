-- +goose Up
-- Who asked for the dispatch.
ALTER TABLE dispatches ADD COLUMN actor_type TEXT NOT NULL DEFAULT 'API';

-- +goose Down
SELECT 1;
