/**
 * Programs that break as soon as a tool holds an `await` instead of the answer of the host: what is handed over
 * inside one turn must be taken inside that turn.
 */
import crypto from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { stat } from 'node:fs';
import fsp from 'node:fs/promises';
import type { Case } from './program.ts';
import { impossible } from './program.ts';

const io = () => fsp.stat('.');

export const handover: Record<string, Case> = {
  'microtasks in lockstep': {
    run: async () => {
      let x = 0;
      let seen = 0;
      const a = async () => {
        x = 1;
        await Promise.resolve();
        seen = x;
        x = 0;
      };
      const b = async () => {
        await io();
        x = 7;
        await io();
        x = 0;
      };
      await Promise.all([a(), b()]);
      if (seen !== 1) impossible(seen);
    },
  },
  'a hand-made mutex': {
    run: async () => {
      let owner: string | null = null;
      let inside = 0;
      const queue: (() => void)[] = [];
      const acquire = (me: string): Promise<void> => {
        if (owner !== null)
          return new Promise((resolve) =>
            queue.push(() => {
              owner = me;
              resolve();
            }),
          );
        owner = me;
        return Promise.resolve();
      };
      const release = () => {
        owner = null;
        queue.shift()?.();
      };
      const task = async (me: string) => {
        await acquire(me);
        if (owner !== me) impossible(`${me} is not the owner`);
        if (++inside > 1) impossible('two inside');
        await io();
        inside -= 1;
        release();
      };
      await Promise.all([task('a'), task('b'), task('c')]);
    },
  },
  'a lease that ends with the turn': {
    run: async () => {
      let lease: string | null = null;
      let expired = false;
      const waiters: (() => void)[] = [];
      const task = async () => {
        await new Promise<void>((resolve) => waiters.push(resolve));
        lease = 'taken';
      };
      const working = task();
      await io();
      lease = 'offered';
      waiters.shift()?.();
      setImmediate(() => {
        expired = lease === 'offered';
      });
      await working;
      await io();
      if (expired) impossible('nobody took the lease');
    },
  },
  'a value that is there only while it is announced': {
    run: async () => {
      const emitter = new EventEmitter();
      let current: { v: number } | null = null;
      const consume = async () => {
        await once(emitter, 'message');
        if (current === null) impossible('the message is gone');
        return current.v;
      };
      const produce = async () => {
        await io();
        current = { v: 1 };
        emitter.emit('message');
        setImmediate(() => {
          current = null;
        });
      };
      await Promise.all([consume(), produce()]);
    },
  },
  'a flag taken in the turn that sets it': {
    run: async () => {
      let ready = false;
      const set = new Promise<void>((resolve) =>
        setTimeout(() => {
          ready = true;
          resolve();
        }, 2),
      );
      const take = async () => {
        await set;
        if (!ready) impossible('not ready');
        ready = false;
      };
      const look = async () => {
        for (let i = 0; i < 6; i++) {
          await io();
          if (ready) impossible('seen outside of its turn');
        }
      };
      await Promise.all([take(), look()]);
    },
  },
  'a pool that reuses its buffer': {
    run: async () => {
      const connection = {
        busy: false,
        buffer: '',
        queue: [] as [string, (c: { buffer: string }) => void][],
      };
      const pump = () => {
        const next = connection.busy ? undefined : connection.queue.shift();
        if (!next) return;
        connection.busy = true;
        stat('.', () => {
          connection.busy = false;
          connection.buffer = next[0];
          next[1](connection);
          pump();
        });
      };
      const query = (text: string) =>
        new Promise<{ buffer: string }>((resolve) => {
          connection.queue.push([text, resolve]);
          pump();
        });
      const task = async (text: string) => {
        const { buffer } = await query(text);
        if (buffer !== text) impossible(`${buffer} for ${text}`);
      };
      await Promise.all([task('a'), task('b'), task('c')]);
    },
  },
  'the result of an async callee': {
    run: async () => {
      let open = false;
      const callee = async () => {
        await io();
        open = true;
      };
      const caller = async () => {
        await callee();
        if (!open) impossible('closed');
        open = false;
      };
      const look = async () => {
        for (let i = 0; i < 5; i++) {
          await io();
          if (open) impossible('seen open');
        }
      };
      await Promise.all([caller(), look()]);
    },
  },
  'a queue drained in one turn': {
    run: async () => {
      const queue: number[] = [];
      let draining = false;
      const drain = async () => {
        if (draining) return;
        draining = true;
        while (queue.length > 0) {
          queue.shift();
          await null;
        }
        draining = false;
      };
      const task = async (n: number) => {
        await io();
        queue.push(n);
        await drain();
        if (queue.length > 0) impossible('left over');
      };
      await Promise.all([1, 2, 3, 4].map(task));
    },
  },
  'the turn of an answer that comes in a microtask': {
    run: async () => {
      let busy = false;
      const digest = async () => {
        await crypto.subtle.digest('SHA-1', new Uint8Array(1));
        busy = true;
        for (let i = 0; i < 5; i++) await null;
        busy = false;
      };
      const look = async () => {
        for (let i = 0; i < 5; i++) {
          await io();
          if (busy) impossible('seen within the turn');
        }
      };
      await Promise.all([digest(), look(), digest()]);
    },
  },
};
