/** The order of timers, against an independent judge. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LoopModel } from '../../../data/feasibility/exact/loop.ts';
import { ALL_RULES } from '../../../data/feasibility/rules.ts';
import { causalOrders, possible, type TimerProgram } from './oracle.ts';

/** Bounds are not what is tested here: they only cut the search. */
const options = { rules: { ...ALL_RULES, bounded: false } };

function begin(program: TimerProgram): LoopModel {
  const model = new LoopModel(options);
  startChildren(model, program, -1);
  return model;
}

function startChildren(model: LoopModel, { delay, parent }: TimerProgram, of: number): void {
  parent.forEach((p, timer) => {
    if (p === of) model.startTimer(timer, delay[timer] as number);
  });
}

/** Takes the step of a request that must be offered. */
const taker =
  (model: LoopModel) =>
  (id: number): void => {
    const step = model.enabled().find((s) => s.id === id);
    assert.ok(step, `${id} is not offered`);
    model.take(step);
  };

/** Whether the model lets the timers fire in this order. */
function allows(program: TimerProgram, order: readonly number[]): boolean {
  const model = begin(program);
  for (const timer of order) {
    const step = model.enabled().find(({ id }) => id === timer);
    if (!step) return false;
    model.take(step);
    startChildren(model, program, timer);
  }
  return true;
}

const programs: fc.Arbitrary<TimerProgram> = fc.integer({ min: 2, max: 6 }).chain((n) =>
  fc.record({
    delay: fc.array(fc.constantFrom(1, 3, 4, 8, 12), { minLength: n, maxLength: n }),
    parent: fc.tuple(...Array.from({ length: n }, (_, i) => fc.integer({ min: -1, max: i - 1 }))),
  }),
);

describe('timers', () => {
  it('three timers of one turn: exactly the orders that some start times explain', () => {
    let feasible = 0;
    let infeasible = 0;
    const delays = [4, 8, 12];
    for (const a of delays)
      for (const b of delays)
        for (const c of delays) {
          const program = { delay: [a, b, c], parent: [-1, -1, -1] };
          for (const order of causalOrders(program)) {
            const expected = possible(program, order);
            assert.equal(allows(program, order), expected, JSON.stringify({ program, order }));
            if (expected) feasible += 1;
            else infeasible += 1;
          }
        }
    // 54 of them fire strictly by expiry; in 5 a list that is late runs as a whole before a shorter one.
    assert.deepEqual({ feasible, infeasible }, { feasible: 59, infeasible: 103 });
  });

  it('trees of timers: no order that no times explain, and none missed', () => {
    let right = 0;
    let missed = 0;
    fc.assert(
      fc.property(programs, (program) => {
        for (const order of causalOrders(program)) {
          const expected = possible(program, order);
          const allowed = allows(program, order);
          assert.ok(expected || !allowed, `impossible: ${JSON.stringify({ program, order })}`);
          if (expected && allowed) right += 1;
          else if (expected) missed += 1;
        }
      }),
      { numRuns: 150, seed: 1 },
    );

    assert.ok(right > 300);
    assert.equal(missed, 0);
  });

  it('whether two fired in one phase is decided by what comes later', () => {
    const model = new LoopModel(options);
    const take = taker(model);
    const [first, longer, last, file] = [1, 2, 3, 4];
    model.startTimer(first, 1);
    model.startTimer(longer, 2);
    model.startTimer(last, 1);
    model.issue(file);
    take(first);
    take(longer);
    take(file);
    // The last one started so late that the other two were due together before it.
    take(file);
    take(last);
  });

  it('a timers phase within 1 ms of the end of the last one overlooks what is due', () => {
    const model = new LoopModel(options);
    const take = taker(model);
    const [a, b, due, long, short, immediate, file, later] = [1, 2, 3, 4, 5, 6, 7, 8];
    for (const timer of [a, b, due]) model.startTimer(timer, 1);
    take(a);
    model.startTimer(long, 4);
    take(b);
    model.startImmediate(immediate);
    model.issue(file);
    model.startTimer(short, 3);
    take(immediate);
    for (let i = 0; i < 2; i++) take(file);
    take(due);
    model.issue(later);
    take(long);
    for (let i = 0; i < 2; i++) take(later);
    take(short);
  });

  it('a list keeps its place when its timer is put off; when that is taken back, the next list is a new one', () => {
    const next = (restarts: boolean) => {
      const model = new LoopModel(options);
      const [off, first, shorter, again] = [1, 2, 3, 4];
      model.startTimer(off, 5);
      model.startTimer(first, 1);
      taker(model)(first);
      model.startTimer(shorter, 3);
      model.cancelTimer(off, restarts);
      model.startTimer(again, 5);
      return model.enabled().map(({ id }) => id);
    };
    assert.deepEqual([next(true), next(false)], [[3, 4], [3]]);
  });

  it('what starts in a tick of the last timer of a phase starts behind the alarm of that phase', () => {
    const next = (ticking: boolean) => {
      const model = new LoopModel(options);
      const take = taker(model);
      const [first, due, later, file, between] = [1, 2, 3, 4, 5];
      model.startTimer(first, 4);
      model.startTimer(due, 1);
      model.issue(file);
      take(first);
      model.startTimer(later, 1, { ticking: ticking });
      for (let i = 0; i < 2; i++) take(file);
      take(due);
      model.issue(between);
      take(between);
      return model.enabled().map(({ id }) => id);
    };
    assert.deepEqual([next(true), next(false)], [[5, 3], [3]]);
  });

  it('answers that may have come in one round or in several are no doubt about timers', () => {
    const model = new LoopModel(options);
    const take = taker(model);
    const files = [10, 11, 12, 13, 14, 15];
    const [two, four, three, again, third, last] = [1, 2, 3, 4, 5, 6];
    for (const file of files) model.issue(file);
    model.startTimer(two, 2);
    model.startTimer(four, 4);
    model.startTimer(three, 3);
    for (const file of files) for (let i = 0; i < 2; i++) take(file);
    take(two);
    model.startTimer(again, 2);
    take(three);
    model.startTimer(last, 3);
    // In one phase with the two before it.
    for (const timer of [four, again]) take(timer);
    model.startTimer(third, 2);
    for (const timer of [third, last]) take(timer);
  });

  it('timers phases are 1 ms apart', () => {
    const model = new LoopModel(options);
    const take = taker(model);
    const [first, longer, next, before, between] = [1, 2, 3, 4, 5];
    model.startTimer(first, 1);
    model.startTimer(longer, 2);
    for (const file of [before, between]) model.issue(file);
    take(first);
    model.startTimer(next, 1);
    for (let i = 0; i < 2; i++) take(before);
    take(longer);
    take(between);
    // When the longer one fired, the next one was due in the same phase.
    assert.deepEqual(
      model.enabled().map(({ id }) => id),
      [next],
    );
  });

  it('what has fired is not offered again, though another hypothesis took the place of one', () => {
    const model = new LoopModel({ maxStallMs: 1000, maxPauseMs: 250 });
    const take = taker(model);
    /** A call that is carried out and answered. */
    const answered = (id: number) => {
      model.issue(id);
      take(id);
      model.finish(id);
      take(id);
    };
    const putOff = (id: number, by: number, delay: number) => {
      model.cancelTimer(id, true);
      model.startTimer(by, delay);
    };
    model.issue(1);
    for (const [id, delay] of [
      [2, 1],
      [3, 4],
      [4, 1],
    ] as const)
      model.startTimer(id, delay);
    take(1);
    model.finish(1);
    take(1);
    for (const id of [5, 6]) model.startTimer(id, 2);
    take(2);
    model.issue(7);
    take(4);
    putOff(3, 8, 4);
    take(7);
    model.finish(7);
    take(7);
    answered(9);
    model.startTimer(10, 3);
    take(5);
    model.startTimer(11, 3);
    model.startTimer(12, 1);
    take(12);
    putOff(11, 13, 3);
    take(6);
    take(8);
    assert.deepEqual(
      model.enabled().map(({ id }) => id),
      [10],
    );
  });

  it('some timer can always fire', () => {
    fc.assert(
      fc.property(programs, fc.infiniteStream(fc.nat()), (program, choices) => {
        const model = begin(program);
        for (let left = program.delay.length; left > 0; left--) {
          const steps = model.enabled();
          assert.ok(steps.length > 0);
          const step = steps[(choices.next().value as number) % steps.length]!;
          model.take(step);
          startChildren(model, program, step.id);
        }
      }),
      { numRuns: 500, seed: 2 },
    );
  });

  it('without pauses they fire by expiry', () => {
    fc.assert(
      fc.property(programs, (program) => {
        const model = begin(program);
        for (let before = 0, left = program.delay.length; left > 0; left--) {
          const prompt = model.enabled().filter(({ pause }) => pause === 0);
          assert.equal(prompt.length, 1);
          model.take(prompt[0]!);
          assert.ok(model.now >= before);
          before = model.now;
          startChildren(model, program, prompt[0]!.id);
        }
      }),
      { numRuns: 300, seed: 3 },
    );
  });
});
