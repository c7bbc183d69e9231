/** Answers to requests on handles: taken for themselves, and given to whatever the program has put there by then. */
import type { Call, Req } from './binding.ts';

export interface Answers {
  /** The program's callback is called with an answer. */
  reply(values: readonly unknown[]): void;
  /** The request is Node's again: its answer goes to the program by itself. */
  restore(): void;
}

/**
 * From now on Node answers to `come`, and `oncomplete` is what the program wants to be called. Node's own code and the users
 * of its handles say that before they make the request, or behind it.
 */
export function takeAnswers(req: Req, come: Call, oncomplete = req.oncomplete): Answers {
  Object.defineProperty(req, 'oncomplete', {
    configurable: true,
    get: () => come,
    set: (called: Call) => {
      oncomplete = called;
    },
  });
  return {
    reply: (values) => void oncomplete.apply(req, [...values]),
    restore: () => void Object.defineProperty(req, 'oncomplete', { value: oncomplete, writable: true }),
  };
}
