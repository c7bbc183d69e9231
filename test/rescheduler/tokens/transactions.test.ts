/** What the accesses of a cut point belong to, recorded and predicted. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { refineThreadTransactions } from '../../../cli/stages/transactions.ts';
import type { ThreadTrace } from '../../../data/threads/trace.ts';
import { transactionOf } from '../../../predictor/threads/told.ts';
import { Bundled, predicted } from './bundled.ts';

const FILE = new URL('./fixtures/transactions.ts', import.meta.url);
const bundled = new Bundled();
after(() => bundled.close());

async function record(name: string): Promise<ThreadTrace> {
  const { ran, trace } = await bundled.run(FILE, name, { kind: 'observed' }, true);
  assert.equal(ran.outcome, 'pass');
  return trace!;
}

/** Pattern and transaction of each cut point, the most promising first. */
const told = (trace: ThreadTrace): string[] =>
  predicted(trace).map((cutPoint) => `${cutPoint.pattern}: ${transactionOf(trace, cutPoint)}`);

const ADD = 'one call of `Counter.add`';
const PASS = 'one pass of the loop for@27:5 in `Counter.addTimes`';

describe('the transaction of a cut point', () => {
  it('is the call around the calls in which the accesses stand', async () => {
    assert.deepEqual(told(await record('call')), [`RWW: ${ADD}`]);
  });

  it('comes before what only the thread holds', async () => {
    const all = told(await record('two calls'));
    assert.equal(all[0], `RWW: ${ADD}`);
    assert.ok(all.length > 2);
    const rest = all.slice(all.findLastIndex((each) => each.endsWith(ADD)) + 1);
    assert.ok(rest.length > 0 && rest.every((each) => /: one call of `program@\d+:\d+`$/.test(each)));
  });

  it('is the pass of a loop', async () => {
    const all = told(await record('pass'));
    assert.equal(all[0], `RWW: ${PASS}`);
    assert.ok(all.includes('WWR: one call of `Counter.addTimes`'), all.join());
  });

  it('is none where the source says so, loops included, unless one around it is said to be one', async () => {
    assert.deepEqual(told(await record('none')), []);
    assert.deepEqual(told(await record('none within one')), ['RWW: one call of `Counter.batch`']);
  });

  it('has the name that an annotation gives it', async () => {
    assert.deepEqual(told(await record('named')), ['RWW: one call of `swap`']);
  });

  it('is what the configuration says, where the source says nothing', async () => {
    const words = (atomic: string[], notAtomic: string[]) => ({ atomic, notAtomic });
    const pass = await record('pass');
    assert.deepEqual(told(refineThreadTransactions(pass, words([], ['#Counter.addTimes']))), []);
    const call = await record('call');
    assert.deepEqual(told(refineThreadTransactions(call, words([], ['#add']))), []);
    const around = words(['test/**#program@64:17'], ['#add']);
    assert.deepEqual(told(refineThreadTransactions(call, around)), ['RWW: one call of `program@64:17`']);
    const none = await record('none');
    assert.deepEqual(told(refineThreadTransactions(none, words(['#poll'], []))), [], 'the source wins');
  });
});

describe('transactions', () => {
  it('are told only where they are asked for, and are no steps', async () => {
    const asked = await bundled.run(FILE, 'call', { kind: 'observed' }, true);
    const plain = await bundled.run(FILE, 'call', { kind: 'observed' });
    assert.ok(asked.ran.events > plain.ran.events);
    assert.equal(asked.ran.traceHash, plain.ran.traceHash);
  });
});
