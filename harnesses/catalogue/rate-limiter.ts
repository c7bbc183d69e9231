/**
 * A limiter whose tokens live in a closure.
 * Bad: the token is taken only after the request has been logged; one token admits two requests. RWW.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

type Limiter = (request: string) => Promise<boolean>;

function createLateLimiter(dir: string): Limiter {
  let tokens = 1;
  return async (request) => {
    const left = tokens;
    if (left === 0) return false;
    await writeFile(join(dir, `${request}.log`), 'admitted');
    tokens = left - 1;
    return true;
  };
}

function createLimiter(dir: string): Limiter {
  let tokens = 1;
  return async (request) => {
    if (tokens === 0) return false;
    tokens -= 1;
    await writeFile(join(dir, `${request}.log`), 'admitted');
    return true;
  };
}

interface State {
  readonly admit: Limiter;
  admitted: number;
}

const request = async (state: State, name: string): Promise<void> => {
  const admitted = await state.admit(name);
  if (admitted) state.admitted += 1;
};

twins<State>({
  name: 'rate-limiter',
  bad: ({ dir }) => ({ admit: createLateLimiter(dir), admitted: 0 }),
  ok: ({ dir }) => ({ admit: createLimiter(dir), admitted: 0 }),
  tasks: {
    first: (state) => request(state, 'first'),
    second: async (state) => {
      await sleep(80);
      await request(state, 'second');
    },
  },
  check: ({ admitted }) => assert.equal(admitted, 1),
  expect: { pattern: 'RWW', entityMatch: 'tokens' },
});
