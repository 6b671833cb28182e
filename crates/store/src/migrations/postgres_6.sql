-- The nodes that live. After a crash of the database they say so again.
CREATE UNLOGGED TABLE nodes (
  node BIGINT NOT NULL PRIMARY KEY,
  beat_ms BIGINT NOT NULL
);
INSERT INTO compatible (schema, since) VALUES (6, 5);
