/**
 * A trace of threads that is predicted from or shown. A file that fits is read into memory; a larger one goes
 * through a store, which is read in chunks: the one that was asked for, or a temporary one.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  collectThreadEvents,
  openStore,
  type Store,
  type StoredThreadTrace,
} from '../../data/store/index.ts';
import { TraceError } from '../../data/threads/error.ts';
import { piecesOf, readStdFile, StdReader } from '../../data/threads/std-reader.ts';
import type { ThreadTrace } from '../../data/threads/trace.ts';
import { inMemory, type LongTrace } from '../../predictor/threads/long/long-trace.ts';

/** Bytes of a file that is read into memory: some millions of events. */
const LARGE = 1 << 26;

/** A trace in memory that is kept nowhere. */
export const inMemorySource = (trace: ThreadTrace): TraceSource =>
  sourceOf(trace, null, new DisposableStack());

export interface TraceSource extends Disposable {
  readonly long: LongTrace;
  /** All of it in memory; null: it is too long for that. */
  readonly whole: ThreadTrace | null;
  /** The store that it is in; null: it is in memory only. */
  readonly store: Store | null;
  /** All of it in memory, however long it is. */
  load(): ThreadTrace;
}

/** The trace of a file, checked. Throws a TraceError that names it. `keep`: the store to keep it in; null: none. */
export function fromFile(name: string, cwd: string, keep: string | null, large = LARGE): TraceSource {
  using stack = new DisposableStack();
  const path = resolve(cwd, name);
  const isLarge = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > large;
  const whole = isLarge ? null : readStdFile(path, name);
  if (whole && keep === null) return sourceOf(whole, null, stack);
  const store = stack.use(openStore(keep === null ? temporary(stack) : resolve(cwd, keep), { create: true }));
  try {
    store.putThreadTrace(
      name,
      whole ? { names: whole.names, chunks: () => [whole.events] } : new StdReader(piecesOf(path)),
    );
  } catch (error) {
    throw error instanceof TraceError ? new TraceError(`${name}: ${error.message}`) : error;
  }
  return sourceOf(whole ?? store.getThreadTrace(name)!, store, stack);
}

/** What `predict --std … --store …` has kept under this name; null: nothing. */
export function fromStore(name: string, path: string, large = LARGE): TraceSource | null {
  using stack = new DisposableStack();
  const store = stack.use(openStore(path, { readonly: true }));
  const stored = store.getThreadTrace(name);
  if (!stored) return null;
  const isLarge = stored.counts.events * BYTES_PER_LINE > large;
  return sourceOf(isLarge ? stored : loaded(stored), store, stack);
}

/** Of a line of a trace, about. */
const BYTES_PER_LINE = 20;

const loaded = (stored: StoredThreadTrace): ThreadTrace => ({
  events: collectThreadEvents(stored),
  names: stored.names(),
});

/** Takes over what is to be disposed of. */
function sourceOf(
  trace: ThreadTrace | StoredThreadTrace,
  store: Store | null,
  stack: DisposableStack,
): TraceSource {
  const own = stack.move();
  const dispose = (): void => own.dispose();
  if ('events' in trace)
    return { long: inMemory(trace), whole: trace, store, load: () => trace, [Symbol.dispose]: dispose };
  return { long: trace, whole: null, store, load: () => loaded(trace), [Symbol.dispose]: dispose };
}

/** The path of a store that is removed in the end. */
function temporary(stack: DisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'unweave-'));
  stack.defer(() => rmSync(folder, { recursive: true }));
  return join(folder, 'trace.db');
}
