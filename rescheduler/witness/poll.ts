/**
 * Brings callbacks into the poll phase that comes next, each with the ticks and microtasks that Node drains behind a
 * callback of its own. A message to a port of this thread is there without the help of another one.
 */
import { MessageChannel } from 'node:worker_threads';

export class PollPhaseCalls {
  private readonly channel = new MessageChannel();
  private readonly waiting: (() => void)[] = [];

  /** Make it where the program's context is not. */
  constructor() {
    const { port1 } = this.channel;
    port1.on('message', () => {
      const next = this.waiting.shift();
      if (this.waiting.length === 0) port1.unref();
      next?.();
    });
    port1.unref();
  }

  /** Calls `fn` in the next poll phase, behind those that were given before. */
  next(fn: () => void): void {
    if (this.waiting.push(fn) === 1) this.channel.port1.ref();
    this.channel.port2.postMessage(null);
  }
}
