/** Traces of threads (data/threads/), by name, with the cut points that were predicted from them. */
export const FIFTH = `
CREATE TABLE thread_traces (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
  events INTEGER NOT NULL, threads INTEGER NOT NULL, entities INTEGER NOT NULL, locks INTEGER NOT NULL,
  channels INTEGER NOT NULL, points INTEGER NOT NULL
) STRICT;

CREATE TABLE thread_names (
  trace INTEGER NOT NULL REFERENCES thread_traces ON DELETE CASCADE,
  list TEXT NOT NULL CHECK (list IN ('threads', 'entities', 'locks', 'channels', 'points')),
  idx INTEGER NOT NULL, name TEXT NOT NULL,
  PRIMARY KEY (trace, list, idx)
) STRICT, WITHOUT ROWID;

-- Columns in observed order, as varints of differences.
CREATE TABLE thread_chunks (
  trace INTEGER NOT NULL REFERENCES thread_traces ON DELETE CASCADE, chunk INTEGER NOT NULL,
  first INTEGER NOT NULL, last INTEGER NOT NULL, bytes INTEGER NOT NULL, crc INTEGER NOT NULL,
  op BLOB NOT NULL, thread BLOB NOT NULL, object BLOB NOT NULL, point BLOB NOT NULL,
  PRIMARY KEY (trace, chunk)
) STRICT;

-- Events are indices from 0; schedules are varints of differences.
CREATE TABLE thread_cut_points (
  trace INTEGER NOT NULL REFERENCES thread_traces ON DELETE CASCADE, seq INTEGER NOT NULL,
  pattern TEXT NOT NULL, entity TEXT NOT NULL,
  first INTEGER NOT NULL, remote INTEGER NOT NULL, second INTEGER NOT NULL,
  completes INTEGER NOT NULL, alike INTEGER NOT NULL, rank REAL NOT NULL,
  reasons TEXT NOT NULL,   -- JSON
  switches_before INTEGER NOT NULL, switches_after INTEGER NOT NULL,
  events INTEGER NOT NULL, schedule BLOB NOT NULL, reduced BLOB NOT NULL,
  PRIMARY KEY (trace, seq)
) STRICT;
`;
