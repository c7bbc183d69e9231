/** The asynchronous context in which a request was issued, to be restored at delivery. */
import { AsyncResource, executionAsyncId } from 'node:async_hooks';

export type Context = <T>(fn: () => T) => T;

/** Node's own store of what AsyncLocalStorage keeps; not enabled: async_hooks does it. */
export interface ContextFrames {
  current(): unknown;
  set(frame: unknown): void;
  readonly enabled: boolean;
}

/** How Node tells async_hooks that a callback of an object begins and ends. */
export interface AsyncHooks {
  emitBefore(asyncId: number, triggerAsyncId: number, object: object): void;
  emitAfter(asyncId: number): void;
}

/** An object of Node's that has an async id of its own. */
export interface AsyncObject {
  getAsyncId(): number;
}

/** One for a callback of whose own object nothing is known: hooks that carry a context from call to callback find it by that. */
export function newObject(type: string): AsyncObject {
  const resource = new AsyncResource(type);
  return { getAsyncId: () => resource.asyncId() };
}

/**
 * Captures the present context (AsyncLocalStorage); what runs in it is, for `async_hooks`, a callback of the given
 * object, if there is one.
 */
export type Capture = (object?: AsyncObject) => Context;

/** Gives a function that captures contexts, as cheaply as this Node allows. */
export function contextCapturer(frames: ContextFrames, hooks?: AsyncHooks): Capture {
  const capture = frameCapturer(frames);
  if (!hooks) return capture;
  return (object) => {
    const context = capture();
    if (!object) return context;
    const trigger = executionAsyncId();
    return (fn) =>
      context(() => {
        const id = object.getAsyncId();
        hooks.emitBefore(id, trigger, object);
        const value = fn();
        // Where it throws, the error is handled before, as natively.
        hooks.emitAfter(id);
        return value;
      });
  };
}

function frameCapturer(frames: ContextFrames): () => Context {
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
