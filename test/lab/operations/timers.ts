/** Timers and immediates. */
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { type Operations, settles } from './operation.ts';

export const timers: Operations = {
  setTimeout: ({ n, ms }, { done }) => {
    setTimeout(() => done(), ms(n));
  },
  setImmediate: (_, { done }) => {
    setImmediate(() => done());
  },
  sleep: ({ n, ms }, story) => settles(story, sleep(ms(n))),
  immediate: (_, story) => settles(story, immediate()),
  'two immediates': (_, { tell, done }) => {
    setImmediate(() => tell('first'));
    setImmediate(() => done());
  },
  setInterval: ({ n, ms }, { tell, done }) => {
    let left = 3;
    const interval = setInterval(() => {
      if (--left > 0) tell('tick');
      else {
        clearInterval(interval);
        done();
      }
    }, ms(n));
  },
  'a timer put off': ({ n, ms }, { tell, done }) => {
    let fired = false;
    const timer = setTimeout(
      () => {
        fired = true;
        done();
      },
      ms(n + 1),
    );
    setTimeout(() => {
      tell('refreshed');
      if (!fired) timer.refresh();
    }, ms(1));
  },
  'a timer taken back': ({ n, ms }, { done }) => {
    let fired = false;
    const timer = setTimeout(() => {
      fired = true;
      done('fired');
    }, ms(n));
    setTimeout(() => {
      clearTimeout(timer);
      if (!fired) done('taken-back');
    }, ms(2));
  },
  'an immediate taken back': (_, { tell, done }) => {
    const second = (): void => tell('never');
    setImmediate(() => {
      clearImmediate(next);
      done();
    });
    const next = setImmediate(second);
  },
  'AbortSignal.timeout': ({ n, ms }, { done, hold }) => {
    const over = hold();
    const alive = setTimeout(() => {}, ms(1000));
    AbortSignal.timeout(ms(n)).addEventListener('abort', () => {
      clearTimeout(alive);
      done();
      over();
    });
  },
  'a sleep aborted': ({ n, ms }, story) => {
    const control = new AbortController();
    settles(story, sleep(ms(2), undefined, { signal: control.signal }));
    setTimeout(() => control.abort(), ms(n));
  },
};
