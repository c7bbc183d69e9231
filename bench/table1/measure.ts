/** One row of the table: the stages of the pipeline on one harness and a store of its own. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CutPoint } from '../../data/prediction.ts';
import type { StoredThreadTrace, TestRecord } from '../../data/store/index.ts';
import type { Verdict } from '../../data/verdicts.ts';
import { temporary } from '../../test/temporary.ts';
import { ours } from '../lib/ours.ts';
import type { TableRow } from './rows.ts';

const [
  { StageContext },
  { resolveOptions },
  { openStore },
  { ThreadSubject },
  { openSubject },
  { loaderConfigOf },
] = await Promise.all([
  ours<typeof import('../../cli/stages/context.ts')>('cli/stages/context'),
  ours<typeof import('../../cli/options.ts')>('cli/options'),
  ours<typeof import('../../data/store/index.ts')>('data/store/index'),
  ours<typeof import('../../rescheduler/tokens/subject.ts')>('rescheduler/tokens/subject'),
  ours<typeof import('../../rescheduler/subjects/open.ts')>('rescheduler/subjects/open'),
  ours<typeof import('../../rescheduler/subjects/config.ts')>('rescheduler/subjects/config'),
]);
const [{ monitorStage }, { predictStage }, { rescheduleStage }] = await Promise.all([
  ours<typeof import('../../cli/stages/monitor.ts')>('cli/stages/monitor'),
  ours<typeof import('../../cli/stages/predict.ts')>('cli/stages/predict'),
  ours<typeof import('../../cli/stages/reschedule.ts')>('cli/stages/reschedule'),
]);
type StageContext = InstanceType<typeof StageContext>;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The subject is given; nothing is looked for. */
class OneSubject extends StageContext {
  override async findSubjects(): Promise<void> {}
}

/** What happened to the schedules of a row's cut points. */
export interface Tried {
  /** The observed order has the pattern already. */
  readonly seen: number;
  readonly infeasible: number;
  readonly feasible: number;
  /** Mean context switches of a schedule, and mean time of a run of one in ms. */
  readonly switches: number;
  readonly ms: number;
  /** Failures that differ, confirmed. */
  readonly errors: number;
}

export interface Measured {
  readonly note: string | null;
  readonly threads: number;
  readonly entities: number;
  readonly locks: number;
  readonly events: number;
  readonly monitorMs: number;
  /** Context switches of the observed order; null where the order is not one of threads. */
  readonly switches: number | null;
  readonly predicted: number;
  readonly undecided: number;
  readonly predictMs: number;
  readonly tried: Tried;
  /** `RWR source.elementCount`, after how many schedules. */
  readonly bugs: readonly { readonly what: string; readonly after: number }[];
}

/** @param name of the harness: that of the row, or its twin. */
export async function measure({ kind, file }: TableRow, name: string): Promise<Measured> {
  const dir = temporary('unweave-table1');
  const path = join(ROOT, 'harnesses', file);
  const target = { kind: 'harness' as const, paths: [path] };
  const flags = { store: join(dir, 'trace.db'), jobs: 1, maxTime: 30, maxSchedules: 300 };
  const options = { ...(await resolveOptions(flags, target, ROOT)), quiet: true, watchdogMs: 120_000 };
  const store = openStore(options.store, { create: true, cwd: ROOT });
  const context = new OneSubject(options, store, new AbortController().signal);
  try {
    let id: string;
    if (kind === 'threads') {
      const subject = new ThreadSubject(path, name, loaderConfigOf(options));
      context.threads.set((id = subject.id), subject);
    } else {
      const subject = openSubject({ kind: 'harness', file: path, name }, options);
      context.subjects.set((id = subject.id), subject);
    }
    const times: number[] = [];
    for (const stage of [monitorStage, predictStage, rescheduleStage]) {
      const started = performance.now();
      await stage(context);
      times.push(performance.now() - started);
    }
    return read(context, store.getTest(id)!, times);
  } finally {
    await context.close();
    store.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

function read(
  context: StageContext,
  test: TestRecord,
  [monitorMs = 0, predictMs = 0]: readonly number[],
): Measured {
  const { store } = context;
  const trace = store.getThreadTrace(test.id);
  const counts = trace
    ? countsOf(trace)
    : { ...store.traceCounts(test.id)!, threads: test.tasks, switches: null };
  const { threads, entities, locks, events, switches } = counts;
  const bugs = store.bugs(test.id).map(({ report }) => ({
    what: report.pattern ? `${report.pattern} \`${report.entity}\`` : report.kind,
    after: report.schedulesUntilFound,
  }));
  const cutPoints = trace ? store.getThreadCutPoints(test.id) : store.getCutPoints(test.id).map(eventsOf);
  return {
    ...{ note: test.note, threads, entities, locks, events, monitorMs, switches, predictMs },
    predicted: cutPoints.length,
    undecided: context.notes.get(test.id)?.silence?.left ?? 0,
    tried: {
      ...triedOf(context, test.id),
      seen: cutPoints.filter(({ first, remote, second }) => first < remote && remote < second).length,
      errors: bugs.length,
    },
    bugs,
  };
}

const eventsOf = ({ first, remote, second }: CutPoint) => ({
  first: first.event,
  remote: remote.event,
  second: second.event,
});

function countsOf(trace: StoredThreadTrace) {
  const { threads, entities, locks } = trace.names();
  let [events, switches, last] = [0, 0, -1];
  for (const { length, thread } of trace.chunks())
    for (let at = 0; at < length; at++, events++) {
      if (last >= 0 && thread[at] !== last) switches++;
      last = thread[at]!;
    }
  return { threads: threads.length, entities: entities.length, locks: locks.length, events, switches };
}

const GONE: ReadonlySet<Verdict | null> = new Set(['infeasible', 'diverged', 'unknown', null]);

function triedOf({ store }: StageContext, id: string) {
  const schedules = store
    .schedules(id)
    .filter(({ origin, attempts }) => origin === 'directed' && attempts > 0);
  const feasible = schedules.filter(({ verdict }) => !GONE.has(verdict));
  const ids = new Set(feasible.map(({ schedule }) => schedule.id));
  const runs = store.runs(id).filter(({ schedule, mode }) => mode === 'warm' && ids.has(schedule ?? ''));
  return {
    infeasible: schedules.length - feasible.length,
    feasible: feasible.length,
    switches: mean(feasible.map(({ schedule }) => schedule.switches)),
    ms: mean(runs.map(({ result }) => result.durationMs)),
  };
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
