-- All changes of a table that is over, in the row of the last of them; the others' rows are gone then.
ALTER TABLE changes ADD COLUMN merged BLOB;

-- Whether that was done.
ALTER TABLE tables ADD COLUMN merged BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX tables_unmerged ON tables (changed_ms) WHERE state = 2 AND NOT merged;
