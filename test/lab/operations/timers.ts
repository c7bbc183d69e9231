/** Timers and immediates. */
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { type Operations, settles } from './operation.ts';

export const timers: Operations = {
  setTimeout: ({ n }, { done }) => {
    setTimeout(() => done(), n);
  },
  setImmediate: (_, { done }) => {
    setImmediate(() => done());
  },
  sleep: ({ n }, story) => settles(story, sleep(n)),
  immediate: (_, story) => settles(story, immediate()),
  'two immediates': (_, { tell, done }) => {
    setImmediate(() => tell('first'));
    setImmediate(() => done());
  },
  setInterval: ({ n }, { tell, done }) => {
    let left = 3;
    const interval = setInterval(() => {
      if (--left > 0) tell('tick');
      else {
        clearInterval(interval);
        done();
      }
    }, n);
  },
  'a timer put off': ({ n }, { tell, done }) => {
    const timer = setTimeout(() => done(), n + 1);
    setTimeout(() => {
      tell('refreshed');
      timer.refresh();
    }, 1);
  },
  'a timer taken back': ({ n }, { done }) => {
    let fired = false;
    const timer = setTimeout(() => {
      fired = true;
      done('fired');
    }, n);
    setTimeout(() => {
      clearTimeout(timer);
      if (!fired) done('taken-back');
    }, 2);
  },
  'an immediate taken back': (_, { tell, done }) => {
    const second = (): void => tell('never');
    setImmediate(() => {
      clearImmediate(next);
      done();
    });
    const next = setImmediate(second);
  },
  'AbortSignal.timeout': ({ n }, { done, hold }) => {
    const over = hold();
    const alive = setTimeout(() => {}, 1000);
    AbortSignal.timeout(n).addEventListener('abort', () => {
      clearTimeout(alive);
      done();
      over();
    });
  },
  'a sleep aborted': ({ n }, story) => {
    const control = new AbortController();
    settles(story, sleep(2, undefined, { signal: control.signal }));
    setTimeout(() => control.abort(), n);
  },
};
