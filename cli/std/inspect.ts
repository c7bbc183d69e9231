/** `unweave inspect --std`: cut points of a trace in detail, or why three accesses are none. */
import { basename, resolve } from 'node:path';
import { openStore, StoreError } from '../../data/store/index.ts';
import { stdLines } from '../../data/threads/std-writer.ts';
import { type Occurrence, patternOf, transactionsOf } from '../../predictor/threads/occurrences.ts';
import { newTally } from '../../predictor/threads/predict-all.ts';
import { writeJson, writeText } from '../../report/json.ts';
import { renderDetail, type StdDetail } from '../../report/std-detail.ts';
import { UsageError } from '../errors.ts';
import type { CliIo } from '../handlers.ts';
import type { RunOptions } from '../options.ts';
import { detailOf } from './detail.ts';
import { Frames, type Wanted } from './frames.ts';
import type { StdOptions } from './options.ts';
import { cutPointsOf } from './predict.ts';
import { fromFile, fromStore, type TraceSource } from './source.ts';

/** Three lines of the trace: first, remote and second access. */
const TRIPLE = /^(\d+)-(\d+)-(\d+)$/;

export async function inspectStd(
  std: StdOptions,
  filters: readonly string[],
  options: RunOptions,
  io: CliIo,
): Promise<number> {
  using source = std.store === null ? fromFile(std.file, options.cwd, null) : stored(std, std.store, options);
  const asked = filters.filter((filter) => TRIPLE.test(filter)).map((filter) => tripleOf(source, filter));
  const others = filters.filter((filter) => !TRIPLE.test(filter));
  const frames = new Frames(source);
  const triples = asked.length > 0 ? asked : await known(source, std, io);
  const shown = triples
    .map((triple) => ({ triple, detail: detailOf(frames.of(triple), triple) }))
    .filter(({ detail }) => others.every((filter) => isTrace(std.file, filter) || matches(detail, filter)));
  const details = shown.map(({ detail }) => detail);
  const where = { cwd: options.cwd, stdout: io.stdout };
  if (std.writeStd !== null) {
    const { triple } =
      shown.find(({ detail }) => detail.schedule) ?? nothing('no cut point fits: no schedule to write');
    await writeText(stdLines(frames.scheduleOf(triple)), std.writeStd, where);
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

function stored({ file }: StdOptions, path: string, { cwd }: RunOptions): TraceSource {
  const source = fromStore(file, resolve(cwd, path));
  if (source) return source;
  using store = openStore(resolve(cwd, path), { readonly: true });
  const names = store.threadTraceNames();
  throw new UsageError(`${path}: no trace ${file}; there are: ${names.join(', ') || 'none'}`);
}

/** The cut points that `predict --std … --store …` has kept: nothing is predicted again; else predicted now. */
async function known(
  source: TraceSource,
  { file, store }: StdOptions,
  io: CliIo,
): Promise<readonly Wanted[]> {
  if (store === null) return cutPointsOf(source, newTally(), io.signal);
  const entities = new Map(source.long.names().entities.map((name, id) => [name, id]));
  return source.store!.getThreadCutPoints(file).map((cutPoint) => {
    const entity = entities.get(cutPoint.entity);
    if (entity === undefined) throw new StoreError('corrupt', `${store}: damaged: a cut point of no entity`);
    return { ...cutPoint, entity };
  });
}

/** The occurrence that `first-remote-second` names. Throws a {@link UsageError} that says why it names none. */
function tripleOf({ load }: TraceSource, filter: string): Occurrence {
  const { events } = load();
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

/** The trace is what a test is elsewhere: its name chooses all of it. */
const isTrace = (file: string, filter: string): boolean => filter === file || filter === basename(file);

/** A filter is a pattern, a verdict, a thread, or part of an entity or location. */
function matches({ pattern, entity, verdict, first, remote, second }: StdDetail, filter: string): boolean {
  if (pattern === filter || verdict === filter) return true;
  const accesses = [first, remote, second];
  if (accesses.some(({ thread, line }) => thread === filter || `${line}` === filter)) return true;
  return [entity, ...accesses.map(({ location }) => location)].some((text) => text.includes(filter));
}
