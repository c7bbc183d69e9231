/** What is known of a red test on plain Node where nobody could run it there. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StageContext } from '../../cli/stages/context.ts';
import { plainly } from '../../cli/stages/plainly.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';

const contextOf = (isOver: boolean): StageContext => {
  const context = {
    execution: {},
    inTime: async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => (isOver ? otherwise : work()),
  };
  return { ...context, whole: context } as unknown as StageContext;
};

const red = (kind: Subject['kind'], outcome = 'fail'): Subject =>
  ({ kind, executePlain: async () => ({ outcome }) }) as unknown as Subject;

const asked = async (context: StageContext, subject: Subject) =>
  (await plainly(context, subject, null)).plain;

it('is that nobody knows: the time is over, it comes to no end there, or there are too many of them', async () => {
  assert.equal(await asked(contextOf(true), red('mocha')), null);
  assert.equal(await asked(contextOf(false), red('mocha', 'unknown')), null);
  const context = contextOf(false);
  for (let i = 0; i < 20; i++) assert.equal((await asked(context, red('mocha')))?.outcome, 'fail');
  assert.equal(await asked(context, red('mocha')), null);
});

it('is what it is among the tests of its file where it fails alone', async () => {
  const among = (outcome: string): Subject =>
    ({ ...red('mocha'), executeAmongOthers: async () => ({ outcome }) }) as unknown as Subject;
  assert.equal((await asked(contextOf(false), among('pass')))?.outcome, 'pass');
  assert.equal((await asked(contextOf(false), among('fail')))?.outcome, 'fail');
  const context = contextOf(false);
  for (let i = 0; i < 5; i++) assert.equal((await asked(context, among('pass')))?.outcome, 'pass');
  assert.equal((await asked(context, among('pass')))?.outcome, 'fail');
});

it('is no question where it runs here alone', async () => {
  assert.equal(await asked(contextOf(false), red('harness')), undefined);
});
