-- What was found out about games that are over: JSON, compressed.
CREATE TABLE analyses (
  table_id BIGINT NOT NULL PRIMARY KEY,
  json BYTEA NOT NULL
);
