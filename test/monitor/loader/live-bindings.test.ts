/** Variables that one module exports and another reads are one entity. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { project, runIn } from './helpers.ts';

const WATCH = `
  const runtime = globalThis[Symbol.for('unweave.runtime')];
  const events = [];
  globalThis.watch = () => {
    runtime.sink = {
      access: (_frame, _site, write, target, key) => events.push((write ? 'W ' : 'R ') + runtime.entityName(target, key)),
      lock: () => {},
    };
  };
  globalThis.report = () => {
    runtime.flush();
    runtime.sink = null;
    console.log(JSON.stringify([events, runtime.saturated().length]));
  };`;

const FILES = {
  'watch.cjs': WATCH,
  'lib/state.mjs': `
    export let count = 0;
    export let never = 1;
    export const fixed = { n: 1 };
    let hidden = 0;
    export { hidden as shown };
    export function bump() { count += 1; hidden += 1; }`,
  'lib/barrel.mjs': `export { count } from './state.mjs';`,
};

function eventsOf(body: string): unknown {
  const dir = project({
    ...FILES,
    'main.mjs': `
      import { bump, count, count as again, fixed, never, shown } from './lib/state.mjs';
      import { count as passedOn } from './lib/barrel.mjs';
      async function main() { ${body} }
      watch(); await main(); report();`,
  });
  const { stdout, stderr, status } = runIn(dir, 'main.mjs', { exclude: ['watch.cjs'] }, [
    '--import',
    './watch.cjs',
  ]);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

test('an imported variable is that of its module', () => {
  const seen = eventsOf('const before = count; bump(); if (count !== before + 1 || again !== 1) throw 1');
  const count = 'lib/state.mjs:count';
  const hidden = 'lib/state.mjs:hidden';
  const bumped = [`R ${count}`, `W ${count}`, `R ${hidden}`, `W ${hidden}`];
  assert.deepEqual(seen, [[`R ${count}`, ...bumped, `R ${count}`, `R ${count}`], 0]);
});

test('what nobody assigns is quiet, however often it is read', () => {
  const body = 'for (let i = 0; i < 5000; i++) { if (!never || !fixed) throw 1; await null }';
  assert.deepEqual(eventsOf(body), [[], 0]);
});

test('other names and re-exports are not followed', () => {
  assert.deepEqual(eventsOf('return [passedOn, shown]'), [[], 0]);
});
