/** What `async_hooks` tell: which object's callback runs, what led to it, and what is gone. */
import { createHook, executionAsyncId, triggerAsyncId } from 'node:async_hooks';
import fs from 'node:fs';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { answer, type Case, impossible } from './program.ts';

/** Runs `use` while what is made, run and gone is told. */
async function watching(hooks: Parameters<typeof createHook>[0], use: () => Promise<unknown>): Promise<void> {
  const hook = createHook(hooks).enable();
  try {
    await use();
  } finally {
    hook.disable();
  }
}

export const hooks: Record<string, Case> = {
  'an answer of a file runs as the callback of its request': {
    run: async (d) => {
      const requests = new Set<number>();
      const running: number[] = [];
      await watching(
        {
          init: (id, type) => void (type === 'FSREQCALLBACK' && requests.add(id)),
          before: (id) => running.push(id),
          after: (id) => void (running.at(-1) === id && running.pop()),
        },
        () =>
          answer((resolve) =>
            setImmediate(() => {
              const cause = executionAsyncId();
              fs.mkdir(`${d}/a/b`, { recursive: true }, () => {
                if (!requests.has(executionAsyncId())) impossible('nobody called');
                if (triggerAsyncId() !== cause) impossible('somebody else had asked');
                if (running.at(-1) !== executionAsyncId()) impossible('it was not told');
                const before = executionAsyncId();
                fs.stat(d, () => {
                  if (triggerAsyncId() !== before) impossible('somebody else had asked');
                  resolve();
                });
              });
            }),
          ),
      );
    },
  },
  'a timer that has fired is told to be gone in the check phase': {
    run: async () => {
      const timers = new Set<number>();
      await watching(
        {
          init: (id, type) => void (type === 'Timeout' && timers.add(id)),
          destroy: (id) => timers.delete(id),
        },
        async () => {
          await sleep(1);
          await immediate();
          await immediate();
          if (timers.size > 0) impossible('it was not');
        },
      );
    },
  },
};
