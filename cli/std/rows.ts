/** Occurrences and cut points of a trace of threads as JSON. */
import type { ThreadNames } from '../../data/threads/trace.ts';
import type { Found } from '../../predictor/threads/predict-all.ts';
import type { Representative } from '../../predictor/threads/representatives.ts';

/** A JSON array with an occurrence on each line. Events are 1-based lines of the trace. */
export async function* jsonLines<F extends Found>(
  names: Pick<ThreadNames, 'entities'>,
  found: Iterable<F> | AsyncIterable<F>,
  details: (row: F) => object = () => ({}),
): AsyncGenerator<string> {
  let before = '[';
  for await (const occurrence of found) {
    const { pattern, entity, first, remote, second, completes, schedule } = occurrence;
    const row = {
      pattern,
      entity: names.entities[entity],
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
export const detailsOf = ({ alike, observed, reduced, rank, reasons }: Representative): object => ({
  alike,
  observed,
  reduced: linesOf(reduced.schedule),
  switches: { before: reduced.before, after: reduced.after },
  rank,
  reasons,
});

/** Fewer, larger pieces: each costs a write. */
export async function* inPieces(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const line of lines) {
    piece += line;
    if (piece.length < 1 << 16) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** How long the work goes on before a signal is let through, in ms. */
const PATIENCE = 100;

/** What is there of `work`; throws an AbortError soon after `signal`, which would otherwise wait for the end. */
export async function* interruptible<T>(work: Iterable<T | null>, signal: AbortSignal): AsyncGenerator<T> {
  let last = performance.now();
  for (const item of work) {
    if (item !== null) yield item;
    if (performance.now() - last < PATIENCE) continue;
    await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) throw new DOMException('interrupted', 'AbortError');
    last = performance.now();
  }
}
