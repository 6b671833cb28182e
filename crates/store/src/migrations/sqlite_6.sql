-- The changes of the last moments, a row for each batch of them: [[table, version, time, events], …]. From time to time they
-- are put to the others. There is always a row, and its number grows with whatever happens to changes.
CREATE TABLE recent (
  number INTEGER NOT NULL PRIMARY KEY,
  body TEXT NOT NULL
);
INSERT INTO recent (number, body) VALUES (1, '[]');
