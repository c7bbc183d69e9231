/** Transactions of traces of threads have names. */
export const EIGHTH = `
ALTER TABLE thread_traces ADD COLUMN transactions INTEGER NOT NULL DEFAULT 0;

CREATE TABLE named (
  trace INTEGER NOT NULL REFERENCES thread_traces ON DELETE CASCADE,
  list TEXT NOT NULL
    CHECK (list IN ('threads', 'entities', 'locks', 'channels', 'points', 'transactions')),
  idx INTEGER NOT NULL, name TEXT NOT NULL,
  PRIMARY KEY (trace, list, idx)
) STRICT, WITHOUT ROWID;
INSERT INTO named SELECT trace, list, idx, name FROM thread_names;
DROP TABLE thread_names;
ALTER TABLE named RENAME TO thread_names;
`;
