-- What was found out about games that are over: JSON, compressed.
CREATE TABLE analyses (
  table_id INTEGER NOT NULL PRIMARY KEY,
  json BLOB NOT NULL
);
