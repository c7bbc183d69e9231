/** The asynchronous context (AsyncLocalStorage) in which a request was issued, to be restored at delivery. */
import { AsyncResource } from 'node:async_hooks';
import type { Innards } from './innards.ts';

export type Context = <T>(fn: () => T) => T;

/** Gives a function that captures the present context, as cheaply as this Node allows. */
export function contextCapturer(frames: Innards['AsyncContextFrame']): () => Context {
  if (!frames.enabled)
    return () => {
      const resource = new AsyncResource('unweave');
      return (fn) => resource.runInAsyncScope(fn);
    };
  return () => {
    const captured = frames.current();
    return (fn) => {
      const before = frames.current();
      frames.set(captured);
      try {
        return fn();
      } finally {
        frames.set(before);
      }
    };
  };
}
