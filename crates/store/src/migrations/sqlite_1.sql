-- The changes of every table, in order: the truth.
CREATE TABLE changes (
  table_id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (table_id, version)
) WITHOUT ROWID;

-- What lists of tables need; follows from the changes.
CREATE TABLE tables (
  id INTEGER NOT NULL PRIMARY KEY,
  state INTEGER NOT NULL,
  public BOOLEAN NOT NULL,
  attended BOOLEAN NOT NULL,
  changed_ms INTEGER NOT NULL
);
CREATE INDEX tables_public ON tables (state, changed_ms) WHERE public;
CREATE INDEX tables_attended ON tables (id) WHERE attended AND state = 1;
CREATE INDEX tables_changed ON tables (changed_ms);

-- The seats a browser has; follows from the changes.
CREATE TABLE visitors (
  visitor BLOB NOT NULL,
  table_id INTEGER NOT NULL,
  seat INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (visitor, table_id, seat)
) WITHOUT ROWID;
CREATE INDEX visitors_table ON visitors (table_id);

-- Promises given before a table was opened.
CREATE TABLE commitments (
  commitment BLOB NOT NULL PRIMARY KEY,
  server_seed BLOB NOT NULL,
  at_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX commitments_at ON commitments (at_ms);

CREATE TABLE secrets (
  name TEXT NOT NULL PRIMARY KEY,
  value BLOB NOT NULL
) WITHOUT ROWID;
