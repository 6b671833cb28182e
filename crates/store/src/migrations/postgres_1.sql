-- The changes of every table, in order: the truth.
CREATE TABLE changes (
  table_id BIGINT NOT NULL,
  version INTEGER NOT NULL,
  at_ms BIGINT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (table_id, version)
);

-- What lists of tables need; follows from the changes.
CREATE TABLE tables (
  id BIGINT NOT NULL PRIMARY KEY,
  state INTEGER NOT NULL,
  public BOOLEAN NOT NULL,
  attended BOOLEAN NOT NULL,
  changed_ms BIGINT NOT NULL
);
CREATE INDEX tables_public ON tables (state, changed_ms) WHERE public;
CREATE INDEX tables_attended ON tables (id) WHERE attended AND state = 1;
CREATE INDEX tables_changed ON tables (changed_ms);

-- The seats a browser has; follows from the changes.
CREATE TABLE visitors (
  visitor BYTEA NOT NULL,
  table_id BIGINT NOT NULL,
  seat INTEGER NOT NULL,
  at_ms BIGINT NOT NULL,
  PRIMARY KEY (visitor, table_id, seat)
);
CREATE INDEX visitors_table ON visitors (table_id);

-- Promises given before a table was opened.
CREATE TABLE commitments (
  commitment BYTEA NOT NULL PRIMARY KEY,
  server_seed BYTEA NOT NULL,
  at_ms BIGINT NOT NULL
);
CREATE INDEX commitments_at ON commitments (at_ms);

CREATE TABLE secrets (
  name TEXT NOT NULL PRIMARY KEY,
  value BYTEA NOT NULL
);
