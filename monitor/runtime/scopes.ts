/** What executors and the gate do with frames: begin runs, run code as somebody, deliver. */
import type { Site } from '../../data/trace.ts';
import { ActivationFrame, nextOrdinal, nextRun } from './frames.ts';
import { flush } from './pending.ts';
import { refillBirths, registerSites } from './points.ts';
import { rootFrame, state } from './state.ts';
import type { Frame } from './types.ts';

/** What a delivery frame needs to know about its request. */
export interface Delivery {
  readonly api: string;
  readonly name: string;
  readonly frame: Frame | null;
  readonly site: number;
}

/** How the gate and the host wrappers see activations. */
export interface FrameStack {
  cur(): Frame | null;
  /** Runs `fn` as `frame`, then whoever was current is again. */
  runAs<T>(frame: Frame | null, fn: () => T): T;
  /** The activation of the callback that a delivery runs. */
  deliveryFrame(request: Delivery): Frame;
  /** The activation that a child process is: a transaction under the root. */
  processFrame(name: string, path: string): Frame;
  /** Runs `fn` as a further stretch of an activation. */
  goOn(frame: Frame, fn: () => void): void;
  /** The program point at a place that is not instrumented. */
  pointAt(place: Site): number;
}

function runAs<T>(frame: Frame | null, fn: () => T): T {
  flush();
  const before = state.cur;
  state.cur = frame as ActivationFrame | null;
  try {
    return fn();
  } finally {
    flush();
    state.cur = before;
  }
}

/** Points of places that are not instrumented. */
const places = new Map<string, number>();

export const frameAccess: FrameStack = {
  processFrame: (name, path) => new ActivationFrame('task', state.root, -1, name, null, path),
  goOn: (frame, fn) =>
    runAs(frame, () => {
      state.observer?.resume?.(frame);
      fn();
    }),
  pointAt(place) {
    const key = `${place.file}:${place.line}:${place.column}`;
    let point = places.get(key);
    if (point === undefined)
      places.set(key, (point = registerSites([{ ...place, key: null, access: null, atomic: null }])));
    return point;
  },
  cur: () => {
    flush();
    return state.cur;
  },
  runAs,
  deliveryFrame: (request) => {
    flush();
    return new ActivationFrame(
      'callback',
      (request.frame as ActivationFrame | null) ?? state.root,
      request.site,
      request.api,
      null,
      `${request.name}!`,
    );
  },
};

/**
 * Runs `fn` such that the instrumented function that `fn` is (or calls first) becomes `frame` itself: the
 * body of a test is its root, the function of a task is the task.
 */
export function runAsBody<T>(frame: Frame, fn: () => T): T {
  const body = frame as ActivationFrame;
  flush();
  const before = state.cur;
  body.saved = before;
  body.adopts = true;
  state.cur = body;
  try {
    return fn();
  } finally {
    flush();
    body.adopts = false;
    state.cur = before;
  }
}

/** A frame for one task of a harness: a transaction under the root. */
export function taskFrame(name: string, root: Frame = state.root): Frame {
  return new ActivationFrame('task', root as ActivationFrame, -1, name, null, `${root.path}.${name}`);
}

/** Begins a run: a fresh root, nobody current, full budgets for names. */
export function beginRun(name?: string): Frame {
  flush();
  nextRun();
  state.cur = null;
  state.root = rootFrame(name);
  refillBirths();
  return state.root;
}

/** The ordinal of the next thing called `name` that `frame` starts (requests of one API, for example). */
export function ordinalIn(frame: Frame | null, name: string): number {
  return nextOrdinal((frame ?? state.root).ordinals, name);
}
