-- +goose Up
-- Rows that a readiness check writes and removes, to know whether a change could be saved.
CREATE TABLE write_probes (
  content BLOB NOT NULL
);

-- +goose Down
SELECT 1;
