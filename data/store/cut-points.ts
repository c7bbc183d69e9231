/** What the predictor found, and the windows of events around it. */
import { type AccessPoint, type CutPoint, PATTERNS } from '../prediction.ts';
import { type Cell, int, nullable, oneOf, real, text } from './cells.ts';
import type { Connection } from './connection.ts';
import { StoreError } from './error.ts';
import { putRows, stretches } from './rows.ts';
import type { SiteMap } from './sites.ts';
import { traceRef } from './traces.ts';

const POINTS = ['first', 'remote', 'second'] as const;
const POINT_COLUMNS = ['site', 'at', 'path', 'task', 'access', 'ordinal', 'request', 'event'] as const;
const COLUMNS = [
  'id',
  'pattern',
  'entity',
  'transaction_path',
  'rank',
  ...POINTS.flatMap((point) => POINT_COLUMNS.map((column) => `${point}_${column}`)),
];
/** First column of each access point. */
const POINT_AT = {
  first: 5,
  remote: 5 + POINT_COLUMNS.length,
  second: 5 + 2 * POINT_COLUMNS.length,
} as const;

const LISTS = [
  ['lock-first', 'locksFirst'],
  ['lock-remote', 'locksRemote'],
  ['reason', 'reasons'],
] as const;

/**
 * Replaces the cut points of a test and marks it predicted, even if there are none. Schedules that were never
 * begun go with the old cut points; what was run stays.
 */
export function putCutPoints(connection: Connection, test: string, cutPoints: readonly CutPoint[]): void {
  connection.write(() => {
    const ref = traceRef(connection, test);
    if (!ref) throw new StoreError('invalid', `no trace of test ${test}`);
    connection.run('DELETE FROM cut_points WHERE test = ?', test);
    connection.run('DELETE FROM schedules WHERE test = ? AND attempts = 0', test);
    for (const [seq, cutPoint] of cutPoints.entries())
      putOne(connection, test, ref.id, ref.sites, seq, cutPoint);
    const accesses = cutPoints.flatMap((c) => [c.first.event, c.remote.event, c.second.event]);
    putRows(connection, ref.id, ref.sites, stretches(accesses, ref.counts.events));
    connection.run('UPDATE tests SET predicted = 1, finished = 0 WHERE id = ?', test);
  });
}

function putOne(
  connection: Connection,
  test: string,
  trace: number,
  sites: SiteMap,
  seq: number,
  cutPoint: CutPoint,
): void {
  const { id, pattern, entity, transaction, rank } = cutPoint;
  const point = (p: AccessPoint): Cell[] => [
    sites.toId(p.site),
    p.at,
    p.path,
    p.task,
    p.access,
    p.ordinal,
    p.request,
    p.event,
  ];
  connection.run(
    `INSERT INTO cut_points (test, trace, seq, ${COLUMNS.join(', ')})
     VALUES (?, ?, ?, ${COLUMNS.map(() => '?').join(', ')})`,
    test,
    trace,
    seq,
    id,
    pattern,
    entity,
    transaction,
    rank,
    ...POINTS.flatMap((each) => point(cutPoint[each])),
  );
  for (const [list, key] of LISTS)
    for (const [at, line] of cutPoint[key].entries())
      connection.run(
        'INSERT INTO cut_point_notes (test, cut_point, list, seq, text) VALUES (?, ?, ?, ?, ?)',
        test,
        id,
        list,
        at,
        line,
      );
}

/** The cut points of a test, best first. */
export function getCutPoints(connection: Connection, test: string): CutPoint[] {
  const ref = traceRef(connection, test);
  if (!ref) return [];
  const notes = readNotes(connection, test);
  return connection
    .rows(`SELECT ${COLUMNS.join(', ')} FROM cut_points WHERE test = ? ORDER BY rank DESC, seq`, test)
    .map((row) => {
      const id = text(row[0], 'cut_points.id');
      const point = (name: keyof typeof POINT_AT): AccessPoint => {
        const from = POINT_AT[name];
        return {
          site: ref.sites.toIndex(row[from]),
          at: text(row[from + 1], `cut_points.${name}_at`),
          path: text(row[from + 2], `cut_points.${name}_path`),
          task: text(row[from + 3], `cut_points.${name}_task`),
          access: oneOf(['read', 'write'], row[from + 4], `cut_points.${name}_access`),
          ordinal: int(row[from + 5], `cut_points.${name}_ordinal`),
          request: nullable(text, row[from + 6], `cut_points.${name}_request`),
          event: int(row[from + 7], `cut_points.${name}_event`),
        };
      };
      return {
        id,
        pattern: oneOf(PATTERNS, row[1], 'cut_points.pattern'),
        entity: text(row[2], 'cut_points.entity'),
        first: point('first'),
        remote: point('remote'),
        second: point('second'),
        transaction: text(row[3], 'cut_points.transaction_path'),
        locksFirst: notes.get(`lock-first ${id}`) ?? [],
        locksRemote: notes.get(`lock-remote ${id}`) ?? [],
        rank: real(row[4], 'cut_points.rank'),
        reasons: notes.get(`reason ${id}`) ?? [],
      };
    });
}

function readNotes(connection: Connection, test: string): Map<string, string[]> {
  const notes = new Map<string, string[]>();
  const rows = connection.rows(
    'SELECT cut_point, list, text FROM cut_point_notes WHERE test = ? ORDER BY cut_point, list, seq',
    test,
  );
  for (const [cutPoint, list, line] of rows) {
    const key = `${String(list)} ${String(cutPoint)}`;
    const lines = notes.get(key) ?? [];
    lines.push(text(line, 'cut_point_notes.text'));
    notes.set(key, lines);
  }
  return notes;
}
