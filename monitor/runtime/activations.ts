/** Hooks that say which activation runs. None of them adds a tick or changes a value. */
import { ActivationFrame } from './frames.ts';
import { flush } from './pending.ts';
import { renew, siteInfo } from './points.ts';
import { state } from './state.ts';

type F = ActivationFrame;

function open(kind: 'async' | 'sync' | 'callback', parent: F, site: number): F {
  flush();
  const info = siteInfo(site);
  const frame = new ActivationFrame(kind, parent, site, info?.fn ?? '?', info?.atomic ?? null, null);
  if (state.cur === null) renew();
  frame.saved = state.cur;
  state.cur = frame;
  state.observer?.begin?.(frame);
  return frame;
}

/** The function that starts is the body of the test or task that `frame` stands for. */
function adopted(frame: F, site: number): F {
  frame.adopts = false;
  frame.atomic ??= siteInfo(site)?.atomic ?? null;
  return frame;
}

/** The call of an async function starts; `lex` is the frame of the enclosing function. */
export function enter(site: number, lex: F | null): F {
  const parent = state.cur ?? lex ?? state.root;
  if (parent.adopts && parent === state.cur) return adopted(parent, site);
  const frame = open('async', parent, site);
  parent.last = frame;
  return frame;
}

/** The call of an async function is over, on every way out: also straight from an `await` that threw. */
export function exit(frame: F): void {
  if (frame.waiting) wake(frame);
  flush();
  state.cur = frame.saved;
  state.observer?.end?.(frame);
}

/** For functions whose body must not be put into a block: a resource whose end is theirs. */
export function closing(_site: number, frame: F): Disposable {
  return { [Symbol.dispose]: () => exit(frame) };
}

/**
 * A synchronous function starts. It is an activation of its own only where nothing else can take its events:
 * when the host or a library called it, or as an operation of a root.
 */
export function senter(site: number, lex: F | null): F {
  const { cur } = state;
  if (cur === null) {
    const frame = open('callback', lex ?? state.root, site);
    frame.depth = 1;
    return frame;
  }
  if (cur.depth > 0) cur.depth++;
  else if (cur.kind === 'root') {
    if (cur.adopts) return adopted(cur, site);
    const frame = open('sync', cur, site);
    frame.depth = 1;
    return frame;
  } else if (cur.adopts) adopted(cur, site);
  return cur;
}

/** A synchronous function is over. */
export function sexit(frame: F): void {
  if (frame.depth > 0 && --frame.depth === 0) {
    flush();
    state.cur = frame.saved;
    state.observer?.end?.(frame);
  }
}

/** Before the operand of `await f(…)`: forget earlier children, so that only this call's are joined. */
export function mark(frame: F | null): F | null {
  if (frame !== null) frame.last = null;
  return frame;
}

/** Between the operand and its `await`. A null frame is a module body. */
export function suspend<T>(site: number, frame: F | null, value: T): T {
  flush();
  if (frame === null) {
    state.observer?.suspend?.(state.root, value, site);
    return value;
  }
  state.cur = frame.saved;
  frame.saved = null;
  frame.waiting = true;
  state.observer?.suspend?.(frame, value, site);
  return value;
}

/** {@link suspend} where the operand is a call: what it started is awaited in place. */
export function suspendCall<T>(site: number, frame: F | null, value: T): T {
  if (frame !== null) joinLast(frame);
  return suspend(site, frame, value);
}

/** The `await` has a value. */
export function resume<T>(_site: number, frame: F | null, value: T): T {
  if (frame === null) {
    flush();
    state.observer?.resume?.(state.root);
    return value;
  }
  wake(frame);
  return value;
}

/** Where code of an activation may continue without its `await` having had a value: catch, finally, loops. */
export function re(frame: F | null): void {
  if (frame !== null && state.cur !== frame) wake(frame);
}

function wake(frame: F): void {
  flush();
  renew();
  frame.saved = state.cur;
  frame.waiting = false;
  state.cur = frame;
  state.observer?.resume?.(frame);
}

/** The operand of `return f()` in an async function: the caller waits for it through us. */
export function join<T>(_site: number, frame: F, value: T): T {
  joinLast(frame);
  return value;
}

function joinLast(frame: F): void {
  if (frame.last !== null) frame.last.joined = true;
  frame.last = null;
}

/** Runs a callback of a promise as an activation under the one that registered it. */
export function runCallback(
  site: number,
  parent: F,
  promise: object,
  callback: (...args: unknown[]) => unknown,
  args: unknown[],
): unknown {
  const frame = open('callback', parent, site);
  state.observer?.reaction?.(frame, promise);
  try {
    return callback(...args);
  } finally {
    flush();
    state.cur = frame.saved;
    state.observer?.end?.(frame);
  }
}
