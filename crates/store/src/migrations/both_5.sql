-- Which node analyses which game, until when that holds, and how far it has come.
CREATE TABLE studies (
  table_id BIGINT NOT NULL PRIMARY KEY,
  node BIGINT NOT NULL,
  beat_ms BIGINT NOT NULL,
  done INTEGER NOT NULL,
  steps INTEGER NOT NULL
);

-- With which schemas older programs can go on: those that know at least the schema `since` may use a database of this one.
-- A migration that only adds something says so here; one that takes something away does not.
CREATE TABLE compatible (
  schema BIGINT NOT NULL PRIMARY KEY,
  since BIGINT NOT NULL
);
