-- +goose Up
-- The administrators who manage a team.
CREATE TABLE team_managers (
  team  TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  admin TEXT NOT NULL REFERENCES admins (id) ON DELETE CASCADE,
  PRIMARY KEY (team, admin)
);
CREATE INDEX team_managers_admin ON team_managers (admin);

-- A worker starts with the temporary password of the invitation, which the interface shows to whoever asks for
-- password details. The first login replaces it with a permanent one, of which only the hash is kept.
CREATE TABLE worker_passwords (
  worker    TEXT PRIMARY KEY REFERENCES workers (id) ON DELETE CASCADE,
  temporary TEXT,
  hash      TEXT
);

-- When a text was handed to the provider; null while it waits.
ALTER TABLE outbox ADD COLUMN sent BIGINT;

CREATE INDEX teams_hub ON teams (hub) WHERE hub IS NOT NULL;
CREATE INDEX workers_place ON workers (org, lat, lon) WHERE lat IS NOT NULL;
CREATE INDEX templates_org ON templates (org, created);
CREATE INDEX quotes_created ON quotes (created);
CREATE INDEX connections_client ON connections (client);

-- +goose Down
SELECT 1;
