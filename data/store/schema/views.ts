/** What a person reads with the sqlite3 shell. Views hold nothing: each migration makes them anew. */

const place = (site: string): string => `${site}.file || ':' || ${site}.line || ':' || ${site}.col`;

const KIND_NAMES = ['read', 'write', 'acquire', 'release', 'issue', 'effect', 'turn', 'job', 'wait'];
const kindName = `CASE e.kind ${KIND_NAMES.map((name, kind) => `WHEN ${kind} THEN '${name}'`).join(' ')} END`;

const eventColumns = `
  e.event, ${kindName} AS kind, a.name AS activation, a.path, ${place('s')} AS place, s.text,
  CASE WHEN e.kind <= 1 THEN n.name WHEN e.kind <= 3 THEN l.name WHEN e.kind <= 6 THEN r.name
       WHEN e.kind = 7 THEN 'job ' || e.object
       ELSE coalesce(l.name, 'condition ' || e.object) END AS object`;
const eventJoins = `
  LEFT JOIN activations a ON a.trace = e.trace AND a.idx = e.activation
  LEFT JOIN sites s ON s.id = e.site
  LEFT JOIN entities n ON e.kind <= 1 AND n.trace = e.trace AND n.idx = e.object
  LEFT JOIN conditions d ON e.kind = 8 AND d.trace = e.trace AND d.idx = e.object
  LEFT JOIN locks l ON l.trace = e.trace AND l.idx = CASE WHEN e.kind IN (2, 3) THEN e.object ELSE d.lock END
  LEFT JOIN requests r ON e.kind IN (4, 5, 6) AND r.trace = e.trace AND r.idx = e.object`;

const notes = (list: string): string =>
  `(SELECT group_concat(text, '; ') FROM (SELECT text FROM cut_point_notes k
     WHERE k.test = c.test AND k.cut_point = c.id AND k.list = '${list}' ORDER BY k.seq))`;

/** Events this far before and after an access of a cut point belong to its window. */
export const WINDOW = 100;

const near = (event: string): string => `e.event BETWEEN c.${event} - ${WINDOW} AND c.${event} + ${WINDOW}`;

export const VIEWS: Readonly<Record<string, string>> = {
  /** Cut points with their three places, best first. */
  cut_point_list: `
    SELECT c.test, c.id, c.pattern, c.entity, c.rank,
      ${place('s1')} AS first, c.first_task, s1.text AS first_text,
      ${place('s2')} AS remote, c.remote_task, s2.text AS remote_text,
      ${place('s3')} AS second, s3.text AS second_text,
      c.transaction_path, ${notes('lock-first')} AS locks_first, ${notes('lock-remote')} AS locks_remote,
      ${notes('reason')} AS reasons
    FROM cut_points c
    LEFT JOIN sites s1 ON s1.id = c.first_site
    LEFT JOIN sites s2 ON s2.id = c.remote_site
    LEFT JOIN sites s3 ON s3.id = c.second_site
    ORDER BY c.test, c.rank DESC, c.seq`,
  /** Every schedule with its verdict; null: not judged yet. */
  schedule_list: `
    SELECT c.test, c.id, c.origin, c.cut_point, v.verdict, v.note, c.moves, c.switches, c.stall, c.attempts,
      (SELECT count(*) FROM runs r WHERE r.test = c.test AND r.schedule = c.id) AS runs
    FROM schedules c LEFT JOIN verdicts v ON v.test = c.test AND v.schedule = c.id
    ORDER BY c.test, c.seq`,
  /** The steps of each schedule, in order. */
  schedule_steps: `
    SELECT c.test, c.id AS schedule, j.key AS step, n.name
    FROM schedules c, json_each(c.steps) j JOIN step_names n ON n.id = j.value`,
  /** The steps that each run took, in order. */
  run_steps: `
    SELECT c.test, c.schedule, c.id AS run, j.key AS step, n.name
    FROM runs c, json_each(c.steps) j JOIN step_names n ON n.id = j.value`,
  /** Bugs by test. */
  bug_list: `
    SELECT t.file, t.name AS test_name, c.id, c.fingerprint, c.schedule,
      c.report ->> '$.kind' AS kind, c.report ->> '$.pattern' AS pattern, c.report ->> '$.entity' AS entity,
      c.report ->> '$.error' AS error, c.report ->> '$.conditional' AS conditional,
      c.report ->> '$.first.file' || ':' || (c.report ->> '$.first.line') AS first,
      c.report ->> '$.remote.file' || ':' || (c.report ->> '$.remote.line') AS remote,
      c.report ->> '$.second.file' || ':' || (c.report ->> '$.second.line') AS second,
      c.report ->> '$.replay' AS replay
    FROM bugs c JOIN tests t ON t.id = c.test ORDER BY t.seq, c.seq`,
  /** Decoded events; all of a trace only after an export (`traces.all_rows`). */
  events: `SELECT t.test, ${eventColumns} FROM events_rows e JOIN traces t ON t.id = e.trace ${eventJoins}`,
  /** The events around each cut point; mark says which of them are its accesses. */
  windows: `
    SELECT c.test, c.id AS cut_point,
      CASE e.event WHEN c.first_event THEN 'first' WHEN c.remote_event THEN 'remote'
                   WHEN c.second_event THEN 'second' END AS mark, ${eventColumns}
    FROM cut_points c JOIN events_rows e ON e.trace = c.trace
      AND e.event BETWEEN min(c.first_event, c.remote_event, c.second_event) - ${WINDOW}
                      AND max(c.first_event, c.remote_event, c.second_event) + ${WINDOW}
      AND (${near('first_event')} OR ${near('remote_event')} OR ${near('second_event')}) ${eventJoins}`,
};
