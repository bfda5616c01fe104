-- +goose Up
-- Why a dispatch failed, or why the attempt before the running one did.
ALTER TABLE dispatches ADD COLUMN reason TEXT;

-- +goose Down
SELECT 1;
