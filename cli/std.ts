/** `unweave predict --std`: prediction on a trace of threads that another tool has written. */
import { resolve } from 'node:path';
import { readStdFile } from '../data/threads/std-reader.ts';
import type { ThreadTrace } from '../data/threads/trace.ts';
import { type Found, newTally, predictAll, type Tally } from '../predictor/threads/predict-all.ts';
import { predictLarge } from '../predictor/threads/predict-large.ts';
import { type Representative, representatives } from '../predictor/threads/representatives.ts';
import { writeText } from '../report/json.ts';
import { renderStd, type StdAccess, type StdView } from '../report/std.ts';
import { UsageError } from './errors.ts';
import type { CliIo } from './handlers.ts';
import type { Flags, RunOptions, Target } from './options.ts';

export interface StdOptions {
  readonly file: string;
  /** Every reachable occurrence, rather than one of each kind. */
  readonly all: boolean;
}

/** What `--std` and `--all` ask for; null: a prediction from the store. */
export function stdOptions({ std, all }: Flags, target: Target | null): StdOptions | null {
  if (std === undefined) {
    if (all) throw new UsageError('--all lists the occurrences of a trace: give it with --std <file>');
    return null;
  }
  if (target) throw new UsageError('give a trace (--std) or something to run, not both');
  return { file: std, all: all ?? false };
}

/** Returns the exit code: 3 if the budget left something undecided. */
export async function predictStd({ file, all }: StdOptions, options: RunOptions, io: CliIo): Promise<number> {
  const trace = readStdFile(resolve(options.cwd, file), file);
  const tally = newTally();
  const where = { cwd: options.cwd, stdout: io.stdout };
  if (all) {
    await writeText(inPieces(jsonLines(trace, predictAll(trace, tally))), options.json ?? '-', where);
  } else {
    const found = trace.events.length > EXACT_EVENTS ? large(trace, tally) : representatives(trace, tally);
    if (options.json !== null)
      await writeText(inPieces(jsonLines(trace, found, detailsOf)), options.json, where);
    if (!options.quiet) await writeText([renderStd(viewOf(trace, found, tally))], '-', where);
  }
  if (tally.undecided === 0) return 0;
  if (all || options.quiet) io.stderr.write(`unweave: ${undecidedLine(tally)}\n`);
  return 3;
}

/** Of longer traces only the most promising candidates are decided, unless --all is given. */
const EXACT_EVENTS = 5000;

function large(trace: ThreadTrace, tally: Tally): readonly Representative[] {
  const { candidates, cutPoints, undecided } = predictLarge(trace);
  tally.triples = candidates;
  tally.undecided = undecided;
  return cutPoints;
}

const undecidedLine = ({ undecided, triples }: Tally): string =>
  `${undecided} of ${triples} triples are undecided: the budget ended before them`;

function viewOf(trace: ThreadTrace, found: readonly Representative[], tally: Tally): StdView {
  const { events, names } = trace;
  const access = (event: number): StdAccess => ({
    line: event + 1,
    thread: names.threads[events.thread[event]!]!,
    location: names.points[events.point[event]!]!,
  });
  return {
    events: events.length,
    threads: names.threads.length,
    triples: tally.triples,
    undecided: tally.undecided,
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

/** A JSON array with an occurrence on each line. Events are 1-based lines of the trace. */
function* jsonLines<F extends Found>(
  trace: ThreadTrace,
  found: Iterable<F>,
  details: (row: F) => object = () => ({}),
): Generator<string> {
  let before = '[';
  for (const occurrence of found) {
    const { pattern, entity, first, remote, second, completes, schedule } = occurrence;
    const row = {
      pattern,
      entity: trace.names.entities[entity],
      first: first + 1,
      remote: remote + 1,
      second: second + 1,
      completes,
      schedule: linesOf(schedule),
      ...details(occurrence),
    };
    yield `${before}\n${JSON.stringify(row)}`;
    before = ',';
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}

const linesOf = (schedule: Int32Array): number[] => Array.from(schedule, (event) => event + 1);

/** What is known of a cut point beyond its occurrence. */
const detailsOf = ({ alike, reduced, rank, reasons }: Representative): object => ({
  alike,
  reduced: linesOf(reduced.schedule),
  switches: { before: reduced.before, after: reduced.after },
  rank,
  reasons,
});

/** Fewer, larger pieces: each costs a write. */
function* inPieces(lines: Iterable<string>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < 1 << 16) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
