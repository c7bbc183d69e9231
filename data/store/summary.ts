/** The store as the JSON report tells it. */
import { REPORT_VERSION, type Report, type ReportTest } from '../report.ts';
import { noVerdicts, VERDICTS } from '../verdicts.ts';
import { getBugs } from './bugs.ts';
import { int, oneOf, real } from './cells.ts';
import type { Connection } from './connection.ts';
import { listTests } from './tests.ts';

/** Stages whose time is told. */
export const TIMED = ['monitor', 'predict', 'reschedule'] as const;
export type Timed = (typeof TIMED)[number];

/** Adds to the time that a stage took. */
export function addTiming(connection: Connection, stage: Timed, ms: number): void {
  connection.run(
    'INSERT INTO timings (stage, ms) VALUES (?, ?) ON CONFLICT DO UPDATE SET ms = ms + excluded.ms',
    stage,
    ms,
  );
}

export function buildReport(connection: Connection): Report {
  const spent = new Map(
    connection.rows('SELECT stage, ms FROM timings').map(([stage, ms]) => [stage, real(ms, 'timings.ms')]),
  );
  return {
    version: REPORT_VERSION,
    tests: listTests(connection).map((test) => summarise(connection, test)),
    bugs: getBugs(connection).map(({ report }) => report),
    timing: {
      monitorMs: spent.get('monitor') ?? 0,
      predictMs: spent.get('predict') ?? 0,
      rescheduleMs: spent.get('reschedule') ?? 0,
    },
  };
}

function summarise(connection: Connection, test: ReturnType<typeof listTests>[number]): ReportTest {
  const count = (sql: string): number => int(connection.row(sql, test.id)?.[0] ?? 0, 'count');
  const verdicts = noVerdicts();
  const given = connection.rows(
    'SELECT verdict, count(*) FROM verdicts WHERE test = ? GROUP BY verdict',
    test.id,
  );
  for (const [verdict, times] of given)
    verdicts[oneOf(VERDICTS, verdict, 'verdicts.verdict')] = int(times, 'count');
  return {
    id: test.id,
    file: test.file,
    name: test.name,
    baseline: test.baseline,
    coverage: test.coverage,
    events:
      count('SELECT events FROM traces WHERE test = ?') +
      count('SELECT events FROM thread_traces WHERE name = ?'),
    tasks: test.tasks,
    sharedEntities: test.sharedEntities,
    orders: test.orders === null ? null : { count: Math.round(test.orders), all: test.allOrders },
    cutPoints:
      count('SELECT count(*) FROM cut_points WHERE test = ?') +
      count(
        'SELECT count(*) FROM thread_cut_points c JOIN thread_traces t ON t.id = c.trace WHERE t.name = ?',
      ),
    schedules: count('SELECT count(*) FROM schedules WHERE test = ?'),
    verdicts,
  };
}
