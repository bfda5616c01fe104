-- +goose Up
-- From where to where a quote is, as JSON: an order from it must be for the same way.
ALTER TABLE quotes ADD COLUMN places TEXT;

-- +goose Down
SELECT 1;
