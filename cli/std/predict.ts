/** `unweave predict --std`: prediction on a trace of threads that another tool has written. */
import { resolve } from 'node:path';
import { openStore } from '../../data/store/index.ts';
import { readStdFile } from '../../data/threads/std-reader.ts';
import type { ThreadTrace } from '../../data/threads/trace.ts';
import { cutPointsOf } from '../../predictor/threads/predict.ts';
import { decideAll, newTally, type Tally } from '../../predictor/threads/predict-all.ts';
import type { Representative } from '../../predictor/threads/representatives.ts';
import { writeText } from '../../report/json.ts';
import { renderStd, type StdView } from '../../report/std.ts';
import type { CliIo } from '../handlers.ts';
import type { RunOptions } from '../options.ts';
import { accessOf } from './detail.ts';
import type { StdOptions } from './options.ts';
import { detailsOf, inPieces, interruptible, jsonLines } from './rows.ts';

/** Returns the exit code: 3 if the budget left something undecided. */
export async function predictStd(
  { file, all, store }: StdOptions,
  options: RunOptions,
  io: CliIo,
): Promise<number> {
  const trace = readStdFile(resolve(options.cwd, file), file);
  const tally = newTally();
  const where = { cwd: options.cwd, stdout: io.stdout };
  if (all) {
    await writeText(
      inPieces(jsonLines(trace, interruptible(decideAll(trace, tally), io.signal))),
      options.json ?? '-',
      where,
    );
  } else {
    const found = cutPointsOf(trace, tally);
    if (store !== null) keep(resolve(options.cwd, store), file, trace, found);
    if (options.json !== null)
      await writeText(inPieces(jsonLines(trace, found, detailsOf)), options.json, where);
    if (!options.quiet) await writeText([renderStd(viewOf(trace, found, tally))], '-', where);
  }
  if (tally.undecided === 0) return 0;
  if (all || options.quiet) io.stderr.write(`unweave: ${undecidedLine(tally)}\n`);
  return 3;
}

/** Stores the trace under the name of its file, with what was predicted from it. */
function keep(path: string, name: string, trace: ThreadTrace, found: readonly Representative[]): void {
  using store = openStore(path, { create: true });
  store.atomically(() => {
    store.putThreadTrace(name, { names: trace.names, chunks: () => [trace.events] });
    store.putThreadCutPoints(
      name,
      found.map(({ entity, reduced, ...cutPoint }) => ({
        ...cutPoint,
        entity: trace.names.entities[entity]!,
        reduced: reduced.schedule,
        switches: { before: reduced.before, after: reduced.after },
      })),
    );
  });
}

const undecidedLine = ({ undecided, triples }: Tally): string =>
  `${undecided} of ${triples} triples are undecided: the budget ended before them`;

function viewOf(trace: ThreadTrace, found: readonly Representative[], tally: Tally): StdView {
  return {
    events: trace.events.length,
    threads: trace.names.threads.length,
    triples: tally.triples,
    undecided: tally.undecided,
    cutPoints: found.map(
      ({ pattern, entity, first, remote, second, completes, alike, reduced, reasons }) => ({
        pattern,
        entity: trace.names.entities[entity]!,
        first: accessOf(trace, first),
        remote: accessOf(trace, remote),
        second: accessOf(trace, second),
        completes,
        alike,
        switches: reduced.after,
        reasons,
      }),
    ),
  };
}
