/** An async function that a compiler has made a generator is seen as the one that was written. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import { transformSync } from 'rolldown/experimental';
import { runtime } from '../../../monitor/runtime/index.ts';
import type { Frame } from '../../../monitor/runtime/types.ts';
import { temporary } from '../../temporary.ts';
import { prepare } from './helpers.ts';

const SOURCE = `class Account {
  constructor() {
    this.balance = 1;
  }
  // unweave: not-atomic
  async add(n) {
    const seen = this.balance;
    await null;
    this.balance = seen + n;
  }
}
async function twice(o) {
  await o.add(1);
  try {
    await o.add(2);
    await Promise.reject(new Error('no'));
  } catch {
    o.balance = 0;
  } finally {
    o.balance += 1;
  }
  return o.add(3);
}
const often = async (o, times) => {
  for (let i = 0; i < times; i++) await twice(o);
  o.balance = 9;
};
exports.run = async (o) => {
  await Promise.all([often(o, 2), twice(o)]);
  return o.balance;
};
exports.Account = Account;
`;

/** What Babel and its like import. */
const asyncToGenerator = (fn: (...args: unknown[]) => Generator) =>
  function (this: unknown, ...args: unknown[]) {
    return new Promise((resolve, reject) => {
      const body = fn.apply(this, args);
      const step = (key: 'next' | 'throw', arg?: unknown): void => {
        try {
          const { done, value } = body[key](arg);
          if (done) resolve(value);
          else
            Promise.resolve(value).then(
              (v) => step('next', v),
              (e) => step('throw', e),
            );
        } catch (error) {
          reject(error);
        }
      };
      step('next');
    });
  };

const TSC = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url));

/** By TypeScript. */
function awaited(): string {
  const dir = temporary('coroutines');
  writeFileSync(join(dir, 'a.ts'), SOURCE);
  execFileSync(TSC, ['--target', 'es2015', '--module', 'commonjs', '--noCheck', 'a.ts'], { cwd: dir });
  return readFileSync(join(dir, 'a.js'), 'utf8');
}

/** Accesses with the call of an async function that each is by, told by what it was called from. */
async function seen(code: string): Promise<{ events: string[]; value: unknown }> {
  const events: string[] = [];
  const exports: { run?: (o: unknown) => Promise<unknown>; Account?: new () => unknown } = {};
  const prepared = prepare(code);
  runtime.beginRun();
  const helper = (name: string): unknown =>
    name.endsWith('asyncToGenerator') ? asyncToGenerator : assert.fail(name);
  runInThisContext(`(function (exports, require) {${prepared.code}\n})`)(exports, helper);
  const wayOf = (frame: Frame | null): string =>
    frame === null || frame.kind === 'root'
      ? ''
      : `${wayOf(frame.parent)}/${frame.name}${frame.joined ? '' : '*'}${frame.atomic === false ? '!' : ''}`;
  const account = new exports.Account!();
  runtime.sink = {
    access: (frame, site, write, target, key) => {
      events.push(`${write ? 'W' : 'R'} ${runtime.entityName(target, key)} ${wayOf(frame)}`);
      assert.ok(runtime.siteInfo(site));
    },
    lock: () => {},
  };
  try {
    return { value: await exports.run!(account), events };
  } finally {
    runtime.sink = null;
  }
}

test('what TypeScript, Babel and their like make of async functions logs what these do', async () => {
  const written = await seen(SOURCE);
  assert.ok(
    written.events.some((event) => event.endsWith('/twice/Account.add!')),
    written.events.join('\n'),
  );
  const compiled = transformSync('a.js', SOURCE, { target: 'es2016', helpers: { mode: 'Runtime' } }).code;
  for (const [by, code] of [
    ['TypeScript', awaited()],
    ['generators of Babel', compiled],
  ] as const) {
    assert.match(code, /function\* ?\(/, by);
    assert.deepEqual(await seen(code), written, by);
  }
});
