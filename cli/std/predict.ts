/** `unweave predict --std`: prediction on a trace of threads that another tool has written. */

import { placesOf } from '../../predictor/threads/long/extract.ts';
import { predictLong } from '../../predictor/threads/long/predict.ts';
import { isShort, mostPromisingFirst } from '../../predictor/threads/predict.ts';
import { decideAll, newTally, type Tally } from '../../predictor/threads/predict-all.ts';
import { type Representative, representatives } from '../../predictor/threads/representatives.ts';
import { writeText } from '../../report/json.ts';
import { leftLines, renderStd, type StdAccess, type StdView } from '../../report/std.ts';
import type { CliIo } from '../handlers.ts';
import type { RunOptions } from '../options.ts';
import type { StdOptions } from './options.ts';
import { detailsOf, inPieces, interruptible, jsonLines } from './rows.ts';
import { fromFile, type TraceSource } from './source.ts';

/** Returns the exit code: 3 if the budget left something undecided or without a schedule. */
export async function predictStd(
  { file, all, store }: StdOptions,
  options: RunOptions,
  io: CliIo,
): Promise<number> {
  using source = fromFile(file, options.cwd, store);
  const names = source.long.names();
  const tally = newTally();
  const where = { cwd: options.cwd, stdout: io.stdout };
  if (all) {
    await writeText(
      inPieces(jsonLines(names, interruptible(decideAll(source.load(), tally), io.signal))),
      options.json ?? '-',
      where,
    );
  } else {
    const found = await cutPointsOf(source, tally, io.signal);
    if (store !== null) keep(source, file, found);
    if (options.json !== null)
      await writeText(inPieces(jsonLines(names, found, detailsOf)), options.json, where);
    if (!options.quiet) await writeText([renderStd(viewOf(source, found, tally))], '-', where);
  }
  const left = leftLines(tally);
  if (all || options.quiet) for (const line of left) io.stderr.write(`unweave: ${line}\n`);
  return left.length > 0 ? 3 : 0;
}

/** One cut point of each kind, the most promising first. Throws an AbortError soon after the signal. */
export async function cutPointsOf(
  { long, whole }: TraceSource,
  tally: Tally,
  signal: AbortSignal,
): Promise<readonly Representative[]> {
  if (whole && isShort(whole)) return representatives(whole, tally);
  const found: Representative[] = [];
  for await (const cutPoint of interruptible(predictLong(long, tally), signal)) found.push(cutPoint);
  return mostPromisingFirst(found);
}

/** Stores what was predicted with the trace. */
function keep({ long, store }: TraceSource, name: string, found: readonly Representative[]): void {
  const { entities } = long.names();
  store!.putThreadCutPoints(
    name,
    found.map(({ entity, reduced, ...cutPoint }) => ({
      ...cutPoint,
      entity: entities[entity]!,
      reduced: reduced.schedule,
      switches: { before: reduced.before, after: reduced.after },
    })),
  );
}

function viewOf({ long }: TraceSource, found: readonly Representative[], tally: Tally): StdView {
  const names = long.names();
  const places = placesOf(
    long,
    new Set(found.flatMap(({ first, remote, second }) => [first, remote, second])),
  );
  const access = (event: number): StdAccess => {
    const { thread, point } = places.get(event)!;
    return { line: event + 1, thread: names.threads[thread]!, location: names.points[point]! };
  };
  return {
    events: long.counts.events,
    threads: names.threads.length,
    triples: tally.triples,
    undecided: tally.undecided,
    unscheduled: tally.unscheduled,
    cutPoints: found.map(
      ({ pattern, entity, first, remote, second, completes, alike, reduced, reasons }) => ({
        pattern,
        entity: names.entities[entity]!,
        first: access(first),
        remote: access(remote),
        second: access(second),
        completes,
        alike,
        switches: reduced.after,
        reasons,
      }),
    ),
  };
}
