/**
 * The first schema. Who writes what, and when:
 * - the command that opens the store: `meta`, `processes`, `tests`, `timings`;
 * - recording processes, several at once, one transaction per test: `traces` and what hangs on them;
 * - the predictor: `cut_points`, `schedules`;
 * - the rescheduler: `schedules.planned` before each run, then `runs`, `verdicts`, `bugs`.
 * Whatever hangs on a trace goes with it; sites and step names stay, so nothing refers to them by key. Row `idx` of a trace's table is the index that its events use.
 */
export const FIRST = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE processes (
  id INTEGER PRIMARY KEY, pid INTEGER NOT NULL, role TEXT NOT NULL, argv TEXT NOT NULL, node TEXT NOT NULL
) STRICT;

CREATE TABLE timings (stage TEXT PRIMARY KEY, ms REAL NOT NULL) STRICT, WITHOUT ROWID;

-- Program points of all traces; nth tells apart equal ones within a trace.
CREATE TABLE sites (
  id INTEGER PRIMARY KEY, file TEXT NOT NULL, line INTEGER NOT NULL, col INTEGER NOT NULL,
  text TEXT NOT NULL, fn TEXT NOT NULL, nth INTEGER NOT NULL,
  UNIQUE (file, line, col, text, fn, nth)
) STRICT;

-- Stable names of steps, used by observed orders, schedules and runs.
CREATE TABLE step_names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE tests (
  id TEXT PRIMARY KEY, seq INTEGER NOT NULL,
  file TEXT NOT NULL, name TEXT NOT NULL, ordinal INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('harness', 'node-test', 'script')),
  recipe TEXT NOT NULL,
  baseline TEXT CHECK (baseline IN ('passed', 'red', 'flaky')),
  coverage TEXT CHECK (coverage IN ('analysed', 'no-concurrency', 'blind')),
  note TEXT,
  tasks INTEGER NOT NULL DEFAULT 0, shared_entities INTEGER NOT NULL DEFAULT 0,
  predicted INTEGER NOT NULL DEFAULT 0, finished INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX tests_in_order ON tests (seq);

CREATE TABLE traces (
  id INTEGER PRIMARY KEY,
  test TEXT NOT NULL UNIQUE REFERENCES tests ON DELETE CASCADE,
  process INTEGER REFERENCES processes ON DELETE SET NULL,
  events INTEGER NOT NULL, sites INTEGER NOT NULL, activations INTEGER NOT NULL, requests INTEGER NOT NULL,
  entities INTEGER NOT NULL, locks INTEGER NOT NULL, conditions INTEGER NOT NULL, jobs INTEGER NOT NULL,
  steps INTEGER NOT NULL,
  site_map BLOB NOT NULL,   -- trace's site index -> sites.id, as a varint column
  saturated TEXT NOT NULL, ungated TEXT NOT NULL,
  all_rows INTEGER NOT NULL DEFAULT 0   -- 1: events_rows holds every event, 0: only windows
) STRICT;

CREATE TABLE event_chunks (
  trace INTEGER NOT NULL REFERENCES traces ON DELETE CASCADE, chunk INTEGER NOT NULL,
  first INTEGER NOT NULL, last INTEGER NOT NULL, bytes INTEGER NOT NULL, crc INTEGER NOT NULL,
  kind BLOB NOT NULL, activation BLOB NOT NULL, site BLOB NOT NULL, object BLOB NOT NULL,
  PRIMARY KEY (trace, chunk)
) STRICT;

CREATE TABLE activations (
  trace INTEGER NOT NULL REFERENCES traces ON DELETE CASCADE, idx INTEGER NOT NULL,
  kind TEXT NOT NULL, parent INTEGER NOT NULL, joined INTEGER NOT NULL, cause INTEGER NOT NULL,
  path TEXT NOT NULL, name TEXT NOT NULL, site INTEGER, atomic INTEGER,
  PRIMARY KEY (trace, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE requests (
  trace INTEGER NOT NULL REFERENCES traces ON DELETE CASCADE, idx INTEGER NOT NULL,
  kind TEXT NOT NULL, api TEXT NOT NULL, what TEXT NOT NULL, name TEXT NOT NULL,
  activation INTEGER NOT NULL, site INTEGER, delay REAL NOT NULL, ref INTEGER NOT NULL,
  PRIMARY KEY (trace, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE entities (
  trace INTEGER NOT NULL REFERENCES traces ON DELETE CASCADE, idx INTEGER NOT NULL,
  name TEXT NOT NULL, kind TEXT NOT NULL,
  PRIMARY KEY (trace, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE locks (
  trace INTEGER NOT NULL REFERENCES traces ON DELETE CASCADE, idx INTEGER NOT NULL, name TEXT NOT NULL,
  PRIMARY KEY (trace, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE conditions (
  trace INTEGER NOT NULL REFERENCES traces ON DELETE CASCADE, idx INTEGER NOT NULL,
  kind TEXT NOT NULL, request INTEGER, job INTEGER, lock INTEGER,
  members TEXT,   -- all, any: indices of conditions, as JSON
  PRIMARY KEY (trace, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
  trace INTEGER NOT NULL REFERENCES traces ON DELETE CASCADE, idx INTEGER NOT NULL,
  activation INTEGER NOT NULL, condition INTEGER NOT NULL, hops INTEGER NOT NULL,
  PRIMARY KEY (trace, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE steps (
  trace INTEGER NOT NULL REFERENCES traces ON DELETE CASCADE, idx INTEGER NOT NULL,
  name INTEGER NOT NULL,
  PRIMARY KEY (trace, idx)
) STRICT, WITHOUT ROWID;

-- Decoded events: the windows around the cut points, or all of them after an export.
CREATE TABLE events_rows (
  trace INTEGER NOT NULL REFERENCES traces ON DELETE CASCADE, event INTEGER NOT NULL,
  kind INTEGER NOT NULL, activation INTEGER NOT NULL, site INTEGER, object INTEGER NOT NULL,
  PRIMARY KEY (trace, event)
) STRICT, WITHOUT ROWID;

CREATE TABLE cut_points (
  test TEXT NOT NULL REFERENCES tests ON DELETE CASCADE, id TEXT NOT NULL, seq INTEGER NOT NULL,
  trace INTEGER NOT NULL REFERENCES traces ON DELETE CASCADE,
  pattern TEXT NOT NULL, entity TEXT NOT NULL, transaction_path TEXT NOT NULL, rank REAL NOT NULL,
  first_site INTEGER, first_at TEXT NOT NULL, first_path TEXT NOT NULL, first_task TEXT NOT NULL,
  first_access TEXT NOT NULL, first_ordinal INTEGER NOT NULL, first_request TEXT,
  first_event INTEGER NOT NULL,
  remote_site INTEGER, remote_at TEXT NOT NULL, remote_path TEXT NOT NULL, remote_task TEXT NOT NULL,
  remote_access TEXT NOT NULL, remote_ordinal INTEGER NOT NULL, remote_request TEXT,
  remote_event INTEGER NOT NULL,
  second_site INTEGER, second_at TEXT NOT NULL, second_path TEXT NOT NULL, second_task TEXT NOT NULL,
  second_access TEXT NOT NULL, second_ordinal INTEGER NOT NULL, second_request TEXT,
  second_event INTEGER NOT NULL,
  PRIMARY KEY (test, id)
) STRICT;

-- Lists of a cut point, one text per row.
CREATE TABLE cut_point_notes (
  test TEXT NOT NULL, cut_point TEXT NOT NULL,
  list TEXT NOT NULL CHECK (list IN ('lock-first', 'lock-remote', 'reason')), seq INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (test, cut_point, list, seq),
  FOREIGN KEY (test, cut_point) REFERENCES cut_points ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- cut_point is a name and no reference: a schedule outlives its cut point when a test is predicted again.
CREATE TABLE schedules (
  test TEXT NOT NULL REFERENCES tests ON DELETE CASCADE, id TEXT NOT NULL, seq INTEGER NOT NULL,
  cut_point TEXT, origin TEXT NOT NULL CHECK (origin IN ('directed', 'random', 'enumerated')), seed INTEGER,
  steps TEXT NOT NULL,   -- ids of step_names, as JSON
  moves INTEGER NOT NULL, switches INTEGER NOT NULL, stall REAL NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  planned INTEGER NOT NULL DEFAULT 0,   -- 1: a run was announced and has not come back
  PRIMARY KEY (test, id)
) STRICT;
CREATE INDEX schedules_in_order ON schedules (test, seq);

CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  test TEXT NOT NULL REFERENCES tests ON DELETE CASCADE,
  schedule TEXT,   -- null: the observed order
  mode TEXT NOT NULL CHECK (mode IN ('fresh', 'warm')), control INTEGER NOT NULL,
  outcome TEXT NOT NULL, followed TEXT, pattern_seen INTEGER NOT NULL,
  failure TEXT, fingerprint TEXT, steps TEXT NOT NULL, required_stall REAL NOT NULL, late TEXT NOT NULL,
  trace_hash TEXT NOT NULL, divergence TEXT, waits TEXT NOT NULL, ungated TEXT NOT NULL, duration REAL NOT NULL,
  FOREIGN KEY (test, schedule) REFERENCES schedules ON DELETE CASCADE
) STRICT;
CREATE INDEX runs_of_schedule ON runs (test, schedule);

CREATE TABLE verdicts (
  test TEXT NOT NULL, schedule TEXT NOT NULL, seq INTEGER NOT NULL, verdict TEXT NOT NULL, note TEXT,
  evidence TEXT,   -- of a failure that was confirmed: how often, under which assumption; JSON
  PRIMARY KEY (test, schedule),
  FOREIGN KEY (test, schedule) REFERENCES schedules ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX verdicts_in_order ON verdicts (seq);

CREATE TABLE bugs (
  id TEXT PRIMARY KEY, seq INTEGER NOT NULL,
  test TEXT NOT NULL REFERENCES tests ON DELETE CASCADE,
  schedule TEXT, fingerprint TEXT NOT NULL, report TEXT NOT NULL
) STRICT;
CREATE INDEX bugs_of_test ON bugs (test);
`;
