/** What a package does with `Atomics` in a harness of threads is its synchronisation, wherever it is called. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { isAccess, Op } from '../../../data/threads/trace.ts';
import { defaultConfig } from '../../../monitor/loader/config.ts';
import { ThreadSubject } from '../../../rescheduler/tokens/subject.ts';
import { temporary } from '../../temporary.ts';

const dir = temporary('unweave-thread-packages');

const LOCK = `export class Lock {
  constructor(word) { this.word = word; }
  lock() { while (Atomics.compareExchange(this.word, 0, 0, 1) !== 0) Atomics.wait(this.word, 0, 1); }
  unlock() { Atomics.store(this.word, 0, 0); Atomics.notify(this.word, 0, 1); }
}`;
const HARNESS = `import { Lock } from 'small-lock';
import { threadHarness } from ${JSON.stringify(new URL('../../../harnesses/api.ts', import.meta.url).href)};
const words = () => new Int32Array(new SharedArrayBuffer(4));
const add = ({ calls, lock, total }) => { Atomics.add(calls, 0, 1); lock.lock(); total[0] += 1; lock.unlock(); };
threadHarness({
  name: 'guarded',
  memory: () => ({ calls: words(), total: words(), word: words() }),
  attach: ({ calls, total, word }) => ({ calls, total, lock: new Lock(word) }),
  threads: { one: add, two: add },
  check: () => {},
});`;

it('orders, and is no entity', async () => {
  const home = join(dir, 'node_modules/small-lock');
  mkdirSync(home, { recursive: true });
  writeFileSync(
    join(home, 'package.json'),
    '{ "name": "small-lock", "type": "module", "exports": "./lock.js" }',
  );
  writeFileSync(join(home, 'lock.js'), LOCK);
  writeFileSync(join(dir, 'guarded.mjs'), HARNESS);
  const config = { ...defaultConfig(dir), cacheDir: join(dir, 'cache') };
  const subject = new ThreadSubject(join(dir, 'guarded.mjs'), 'guarded', config);
  const { ran, trace } = await subject.execute({ kind: 'observed' }, { watchdogMs: 60_000 }, true);
  await subject.close();
  assert.equal(ran.outcome, 'pass');
  const { events, names } = trace!;
  assert.deepEqual([...names.entities].sort(), ['calls', 'total']);
  const foreign = [...events.op].filter((_, event) => names.points[events.point[event]!] === '?');
  assert.ok(foreign.includes(Op.Send));
  assert.ok(!foreign.some(isAccess));
});
