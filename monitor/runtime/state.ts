/** The mutable heart of the runtime: one object, read by every hook. */
import { ActivationFrame } from './frames.ts';
import type { AccessSink, RuntimeObserver } from './types.ts';

interface RuntimeState {
  /** The activation on top of the stack; null in module bodies and un-instrumented callbacks. */
  cur: ActivationFrame | null;
  /** The root of the present run: parent of everything that has no other. */
  root: ActivationFrame;
  sink: AccessSink | null;
  observer: RuntimeObserver | null;
  /** Point of the last call of the host; -1: none yet. */
  hostCall: number;
  /** Asks the host for an answer to a call of `fn`; null where the present run does not assume I/O. */
  assume: ((fn: string, site: number) => Promise<void> | null) | null;
}

/** A fresh root: the body of a test case, a suite or a script. */
export function rootFrame(name = 'root', path = 'root'): ActivationFrame {
  return new ActivationFrame('root', null, -1, name, false, path);
}

export const state: RuntimeState = {
  cur: null,
  root: rootFrame(),
  sink: null,
  observer: null,
  hostCall: -1,
  assume: null,
};
