-- How many tables are open is asked for when one is opened; those that are over, which are many more, do not count.
CREATE INDEX tables_open ON tables (id) WHERE state < 2;
