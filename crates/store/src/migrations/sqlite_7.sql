-- `recent` held the last changes until they were moved to `changes`; now they are stored there at once.
INSERT INTO changes (table_id, version, at_ms, body)
SELECT one.value->>0, one.value->>1, one.value->>2, one.value->3 FROM recent, json_each(recent.body) AS one ORDER BY 1, 2;
-- A program of 0.1 that has the file open reads and writes this table with every change, so it fails from now on. One that
-- opens the file later refuses it, because this schema is not in `compatible`.
DROP TABLE recent;
