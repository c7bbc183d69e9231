/** What a confirmed failure is gets known, also when the time for its test is over. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StageContext } from '../../cli/stages/context.ts';
import { Reserve } from '../../cli/stages/reserve.ts';

const OVER = AbortSignal.abort();
const OPEN = new AbortController().signal;

/** A context with its own time, in a run with as much more. */
const within = (own: AbortSignal, more: AbortSignal): StageContext =>
  ({ signal: own, beyond: () => ({ signal: more }) }) as unknown as StageContext;
const ended = () => Promise.reject(new Error('ended'));

test('in its own time nothing more is taken', async () => {
  const reserve = new Reserve(within(OPEN, OVER));
  assert.equal(await reserve.spend(async ({ signal }) => signal === OPEN), true);
  assert.equal(await reserve.spend(async () => null), null);
  assert.equal(reserve.isSpent, false);
});

test('work that the end of the time cuts is done once more in the reserve', async () => {
  const controller = new AbortController();
  const reserve = new Reserve(within(controller.signal, OPEN));
  const work = async ({ signal }: StageContext) => {
    controller.abort();
    return signal === OPEN ? 'done' : ended();
  };
  assert.equal(await reserve.spend(work), 'done');
  assert.equal(reserve.isSpent, false);
});

test('nothing begins for a user who has interrupted the run, and that is known', async () => {
  const reserve = new Reserve(within(OVER, OVER));
  assert.equal(await reserve.spend(() => assert.fail('begun')), null);
  assert.equal(reserve.isSpent, true);
});

test('what goes wrong while there is time is no matter of time', async () => {
  await assert.rejects(new Reserve(within(OPEN, OPEN)).spend(ended), /ended/);
});
