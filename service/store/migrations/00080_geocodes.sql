-- +goose Up

-- Found addresses expire, and the oldest make room.
CREATE INDEX geocodes_created ON geocodes (created);

-- +goose Down
DROP INDEX geocodes_created;
