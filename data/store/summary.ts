/** The store as the JSON report tells it. */
import { type Analysis, REPORT_VERSION, type Report, type ReportTest } from '../report.ts';
import { noVerdicts, VERDICTS, type VerdictCounts } from '../verdicts.ts';
import { getBugs } from './bugs.ts';
import { int, oneOf, real } from './cells.ts';
import type { Connection } from './connection.ts';
import { MINIMAL } from './schedules.ts';
import { listTests, type TestRecord } from './tests.ts';

/** Stages whose time is told. */
const TIMED = ['monitor', 'predict', 'reschedule'] as const;
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

function summarise(connection: Connection, test: TestRecord): ReportTest {
  const count = (sql: string): number => int(connection.row(sql, test.id)?.[0] ?? 0, 'count');
  const verdicts = noVerdicts();
  const given = connection.rows(
    'SELECT verdict, count(*) FROM verdicts WHERE test = ? GROUP BY verdict',
    test.id,
  );
  for (const [verdict, times] of given)
    verdicts[oneOf(VERDICTS, verdict, 'verdicts.verdict')] = int(times, 'count');
  const left = count(LEFT);
  return {
    id: test.id,
    file: test.file,
    name: test.name,
    baseline: test.baseline,
    coverage: test.coverage,
    analysis: analysisOf(test, verdicts, left),
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
    left,
    verdicts,
    endless: count(ENDLESS),
    plain: null,
    natural: null,
    peers: [],
    unseen: [],
    ownProcesses: null,
    undecided: null,
    beside: [...test.beside],
    partOf: null,
  };
}

/** Predicted orders without a verdict. The minimal form of a found one is kept for its replay and not forced again. */
const LEFT = `SELECT count(*) FROM schedules s WHERE test = ? AND origin = 'directed' AND id NOT LIKE '%${MINIMAL}'
  AND NOT EXISTS (SELECT 1 FROM verdicts v WHERE v.test = s.test AND v.schedule = s.id)`;

/** Forced orders that came to no end in the time allowed, of which nothing else is known either. */
const ENDLESS = `SELECT count(*) FROM verdicts v WHERE test = ? AND verdict = 'unknown' AND EXISTS (
  SELECT 1 FROM runs r WHERE r.test = v.test AND r.schedule = v.schedule AND r.outcome = 'unknown'
    AND r.failure ->> 'kind' = 'timeout')`;

function analysisOf(test: TestRecord, verdicts: VerdictCounts, left: number): Analysis {
  if (test.baseline !== 'passed' || test.coverage === null || test.coverage === 'blind') return 'none';
  const forced = VERDICTS.reduce((sum, verdict) => sum + verdicts[verdict], 0);
  if (forced > 0 && verdicts.unknown === forced) return 'none';
  if (!test.finished) return forced > 0 ? 'partly' : 'none';
  // Of a test that was analysed the note says which budget ended it.
  const isCut = test.coverage === 'analysed' && test.note !== null;
  return isCut || left > 0 || verdicts.unknown > 0 ? 'partly' : 'complete';
}
