/** What the model takes for certain about times. */
import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { LoopModel } from '../../../data/feasibility/exact/loop.ts';
import { Timeline } from '../../../data/feasibility/exact/timeline.ts';
import { generator } from '../../../data/generator.ts';

/** Random steps of a program of timers and answers, each of which starts others. */
function run(seed: number): void {
  const random = generator(seed);
  const int = (n: number): number => Math.floor(random() * n);
  const model = new LoopModel();
  let last = 0;
  const begin = (): void => {
    for (let left = int(3); left > 0 && last < 40; left--)
      if (int(3) > 0) model.startTimer(++last, 1 + int(4), { ticking: int(2) === 0 });
      else model.issue(++last, 0);
  };
  while (last < 5) begin();
  for (let steps = model.enabled(); steps.length > 0; steps = model.enabled()) {
    model.take(steps[int(steps.length)]!);
    begin();
  }
  model.release();
}

it('what is kept about moments holds already', () => {
  const { keep } = Timeline.prototype;
  mock.method(
    Timeline.prototype,
    'keep',
    function (this: Timeline, from: number, to: number, weight: number) {
      assert.ok(this.timeOf(to) >= this.timeOf(from) + weight, `${to} is not ${weight} ms after ${from}`);
      keep.call(this, from, to, weight);
    },
  );
  for (let seed = 1; seed <= 40; seed++) run(seed);
  mock.restoreAll();
});
