/** `unweave inspect --std`: cut points of a trace in detail, or why three accesses are none. */
import { resolve } from 'node:path';
import { collectThreadEvents, openStore } from '../../data/store/index.ts';
import { readStdFile } from '../../data/threads/std-reader.ts';
import { stdLines } from '../../data/threads/std-writer.ts';
import { reordered, type ThreadTrace } from '../../data/threads/trace.ts';
import { type Occurrence, patternOf, transactionsOf } from '../../predictor/threads/occurrences.ts';
import { cutPointsOf } from '../../predictor/threads/predict.ts';
import { Reach } from '../../predictor/threads/reach.ts';
import { skeletonOf } from '../../predictor/threads/skeleton.ts';
import { writeJson, writeText } from '../../report/json.ts';
import { renderDetail, type StdDetail } from '../../report/std-detail.ts';
import { UsageError } from '../errors.ts';
import type { CliIo } from '../handlers.ts';
import type { RunOptions } from '../options.ts';
import { detailOf } from './detail.ts';
import type { StdOptions } from './options.ts';

/** Three lines of the trace: first, remote and second access. */
const TRIPLE = /^(\d+)-(\d+)-(\d+)$/;

export async function inspectStd(
  std: StdOptions,
  filters: readonly string[],
  options: RunOptions,
  io: CliIo,
): Promise<number> {
  const { trace, cutPoints } =
    std.store === null ? fromFile(std.file, options) : fromStore(std, std.store, options);
  const asked = filters.filter((filter) => TRIPLE.test(filter)).map((filter) => tripleOf(trace, filter));
  const others = filters.filter((filter) => !TRIPLE.test(filter));
  const skeleton = skeletonOf(trace);
  const reach = new Reach(skeleton);
  const triples = asked.length > 0 ? asked : cutPoints();
  const shown = triples
    .map((triple) => ({ triple, detail: detailOf(skeleton, reach, triple) }))
    .filter(({ detail }) => others.every((filter) => matches(detail, filter)));
  const details = shown.map(({ detail }) => detail);
  const where = { cwd: options.cwd, stdout: io.stdout };
  if (std.writeStd !== null) {
    const { triple } =
      shown.find(({ detail }) => detail.schedule) ?? nothing('no cut point fits: no schedule to write');
    const reached = reach.reach(triple);
    if (reached !== null && reached !== 'undecided')
      await writeText(stdLines(reordered(trace, reached.schedule)), std.writeStd, where);
  }
  if (options.json !== null) await writeJson(details, options.json, where);
  if (!options.quiet) {
    const text = details.map(renderDetail).join('\n');
    await writeText([text === '' ? 'no cut point fits\n' : text], '-', where);
  }
  return 0;
}

const nothing = (why: string): never => {
  throw new UsageError(why);
};

interface Subject {
  readonly trace: ThreadTrace;
  readonly cutPoints: () => readonly Occurrence[];
}

function fromFile(file: string, { cwd }: RunOptions): Subject {
  const trace = readStdFile(resolve(cwd, file), file);
  return { trace, cutPoints: () => cutPointsOf(trace) };
}

/** What `predict --std … --store …` has kept: nothing is predicted again. */
function fromStore({ file }: StdOptions, path: string, { cwd }: RunOptions): Subject {
  using store = openStore(resolve(cwd, path), { readonly: true });
  const stored = store.getThreadTrace(file);
  const known = store.threadTraceNames();
  if (!stored) throw new UsageError(`${path}: no trace ${file}; there are: ${known.join(', ') || 'none'}`);
  const trace = { events: collectThreadEvents(stored), names: stored.names() };
  const cutPoints = store.getThreadCutPoints(file).map((cutPoint) => ({
    ...cutPoint,
    entity: trace.events.object[cutPoint.first]!,
  }));
  return { trace, cutPoints: () => cutPoints };
}

/** The occurrence that `first-remote-second` names. Throws a {@link UsageError} that says why it names none. */
function tripleOf({ events }: ThreadTrace, filter: string): Occurrence {
  const [first, remote, second] = TRIPLE.exec(filter)!
    .slice(1)
    .map((line) => Number(line) - 1) as [number, number, number];
  const wrong = (why: string): never => {
    throw new UsageError(`${filter}: ${why}`);
  };
  for (const event of [first, remote, second])
    if (event < 0 || event >= events.length) wrong(`the trace has no line ${event + 1}`);
    else if (events.op[event]! > 1) wrong(`line ${event + 1} is no access`);
    else if (events.object[event] !== events.object[first]) wrong('the accesses are to different entities');
  const transactions = transactionsOf(events);
  if (transactions[first]! < 0 || transactions[first] !== transactions[second] || second <= first)
    wrong('the first and the last line are no two accesses of one transaction, in order');
  if (events.thread[remote] === events.thread[first]) wrong('the middle line is of the same thread');
  const pattern =
    patternOf(events, first, remote, second) ??
    wrong('the accesses form no pattern: some serial order explains them');
  return { pattern, entity: events.object[first]!, first, remote, second };
}

/** A filter is a pattern, a verdict, a thread, or part of an entity or location. */
function matches({ pattern, entity, verdict, first, remote, second }: StdDetail, filter: string): boolean {
  if (pattern === filter || verdict === filter) return true;
  const accesses = [first, remote, second];
  if (accesses.some(({ thread, line }) => thread === filter || `${line}` === filter)) return true;
  return [entity, ...accesses.map(({ location }) => location)].some((text) => text.includes(filter));
}
