/** The phases of the loop, the thread pool, bounds: what the model offers, rule by rule. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LoopModel, type Step } from '../../../data/feasibility/exact/loop.ts';
import { ALL_RULES, type Rules } from '../../../data/feasibility/rules.ts';

const [STAT, READ, TIMER, IMMEDIATE, OTHER] = [1, 2, 3, 4, 5] as const;

function offered(model: LoopModel): string[] {
  return model
    .enabled()
    .map(({ kind, id }) => `${kind} ${id}`)
    .sort();
}

function take(model: LoopModel, kind: Step['kind'], id: number): void {
  const step = model.enabled().find((s) => s.kind === kind && s.id === id);
  assert.ok(step, `${kind} ${id} is not offered, but ${offered(model)}`);
  model.take(step);
}

function without(rule: keyof Rules): LoopModel {
  return new LoopModel({ rules: { ...ALL_RULES, [rule]: false } });
}

describe('C8 effect and delivery', () => {
  it('a request takes effect, then it is delivered', () => {
    const model = new LoopModel();
    model.issue(STAT);
    assert.deepEqual(offered(model), [`effect ${STAT}`]);
    take(model, 'effect', STAT);
    assert.deepEqual(offered(model), [`deliver ${STAT}`]);
    take(model, 'deliver', STAT);
    assert.ok(model.idle);
  });

  it('several effects, unless it is over before', () => {
    const model = new LoopModel();
    model.issue(STAT, 3);
    take(model, 'effect', STAT);
    assert.deepEqual(offered(model), [`effect ${STAT}`]);
    model.finish(STAT);
    assert.deepEqual(offered(model), [`deliver ${STAT}`]);
  });

  it('without the rule the delivery is the effect', () => {
    const model = without('effects');
    model.issue(STAT);
    assert.deepEqual(offered(model), [`deliver ${STAT}`]);
  });
});

describe('C9 phases', () => {
  it('an immediate made in a poll callback comes before what that callback issued, and before timers', () => {
    const model = new LoopModel();
    model.issue(STAT);
    model.startTimer(TIMER, 1);
    take(model, 'effect', STAT);
    take(model, 'deliver', STAT);
    model.startImmediate(IMMEDIATE);
    model.issue(READ);
    assert.deepEqual(offered(model), [`effect ${READ}`, `immediate ${IMMEDIATE}`]);
    take(model, 'effect', READ);
    assert.deepEqual(offered(model), [`immediate ${IMMEDIATE}`]);
  });

  it('what was issued before the poll callback may still come before the immediate', () => {
    const model = new LoopModel();
    model.issue(STAT);
    model.issue(READ);
    take(model, 'effect', STAT);
    take(model, 'effect', READ);
    take(model, 'deliver', STAT);
    model.startImmediate(IMMEDIATE);
    assert.deepEqual(offered(model), [`deliver ${READ}`, `immediate ${IMMEDIATE}`]);
  });

  it('the thread pool tells all that it has ended at one time of a poll phase', () => {
    const model = new LoopModel();
    model.arrive(READ);
    model.arrive(OTHER);
    model.issue(STAT);
    take(model, 'effect', STAT);
    take(model, 'deliver', READ);
    model.startImmediate(IMMEDIATE);
    const asked = 6;
    model.issue(asked);
    take(model, 'effect', asked);
    // Asked for in this phase, but before the turn of the pool.
    take(model, 'deliver', asked);
    assert.deepEqual(
      offered(model),
      [`deliver ${STAT}`, `deliver ${OTHER}`, `immediate ${IMMEDIATE}`].sort(),
    );
    take(model, 'deliver', OTHER);
    assert.deepEqual(offered(model), [`immediate ${IMMEDIATE}`]);
  });

  it('what waits for nobody is answered in the poll phase that is on, behind all that is polled for', () => {
    const model = new LoopModel();
    const [SHUTDOWN, LATER] = [6, 7];
    model.arrive(STAT);
    model.arrive(READ);
    take(model, 'deliver', STAT);
    model.startImmediate(IMMEDIATE);
    model.arrive(SHUTDOWN, { by: 'shutdown' });
    model.arrive(LATER);
    assert.deepEqual(offered(model), [`deliver ${READ}`, `deliver ${SHUTDOWN}`, `immediate ${IMMEDIATE}`]);
    take(model, 'deliver', SHUTDOWN);
    assert.deepEqual(offered(model), [`immediate ${IMMEDIATE}`]);
    take(model, 'immediate', IMMEDIATE);
    assert.deepEqual(offered(model), [`deliver ${READ}`, `deliver ${LATER}`]);
  });

  it('what was put off comes in one turn, before immediates, or in another round', () => {
    const model = new LoopModel();
    const [ONE, TWO] = [6, 7];
    for (const id of [ONE, TWO]) model.arrive(id, { by: 'resolver', known: null });
    assert.deepEqual(model.sameTurn(), []);
    model.startImmediate(IMMEDIATE);
    take(model, 'deliver', ONE);
    assert.deepEqual(
      model.sameTurn().map(({ id }) => id),
      [TWO],
    );
    assert.deepEqual(offered(model), [`immediate ${IMMEDIATE}`]);
    model.takeInSameTurn({ kind: 'deliver', id: TWO, pause: 0 });
    assert.deepEqual(model.sameTurn(), []);
    take(model, 'immediate', IMMEDIATE);
    assert.ok(model.idle);
  });

  it('what Node knew in the call begins the next check phase, all of it in one turn', () => {
    const [ONE, TWO, LATER] = [6, 7, 8];
    const known = (model: LoopModel): void => {
      model.startImmediate(IMMEDIATE);
      model.startTimer(TIMER, 1);
      for (const id of [ONE, TWO]) model.arrive(id, { by: 'resolver', known: -1 });
      model.arrive(LATER);
    };
    const model = new LoopModel();
    model.arrive(STAT);
    take(model, 'deliver', STAT);
    known(model);
    assert.deepEqual(offered(model), [`deliver ${ONE}`], 'behind the poll phase');
    take(model, 'deliver', ONE);
    assert.deepEqual(
      model.sameTurn().map(({ id }) => id),
      [TWO],
    );
    assert.deepEqual(offered(model), [`deliver ${TWO}`]);
    take(model, 'deliver', TWO);
    assert.deepEqual(offered(model), [`immediate ${IMMEDIATE}`]);

    const other = new LoopModel();
    other.startImmediate(STAT);
    take(other, 'immediate', STAT);
    known(other);
    assert.deepEqual(
      offered(other),
      [`deliver ${ONE}`, `deliver ${LATER}`, `timer ${TIMER}`],
      'in another round behind a check phase',
    );
    take(other, 'deliver', LATER);
    assert.deepEqual(offered(other), [`deliver ${ONE}`]);
  });

  it('what is put off in the callback of what was comes behind it, before immediates, unless ticks came before', () => {
    const [ONE, TWO, THREE] = [6, 7, 8];
    const answered = (): LoopModel => {
      const model = new LoopModel();
      model.place();
      model.arrive(ONE, { by: 'resolver', known: null });
      take(model, 'deliver', ONE);
      model.startImmediate(IMMEDIATE);
      model.arrive(READ, { by: 'resolver', known: null });
      for (const id of [TWO, THREE]) model.arrive(id, { by: 'resolver', known: model.place() });
      return model;
    };
    const model = answered();
    for (const id of [TWO, THREE]) {
      assert.deepEqual(offered(model), [`deliver ${id}`]);
      take(model, 'deliver', id);
    }
    assert.deepEqual(offered(model), [`immediate ${IMMEDIATE}`]);
    const other = answered();
    other.ticked();
    assert.deepEqual(offered(other), [`immediate ${IMMEDIATE}`]);
  });

  it('what waits for nobody comes before the next poll phase, if it was asked for outside of one', () => {
    const [SHUTDOWN, LATER] = [6, 7];
    const asked = (queued: boolean): LoopModel => {
      const model = new LoopModel();
      model.arrive(SHUTDOWN, { by: 'shutdown', queued });
      model.startImmediate(IMMEDIATE);
      model.startTimer(TIMER, 5);
      take(model, 'deliver', SHUTDOWN);
      model.arrive(LATER);
      return model;
    };
    assert.deepEqual(offered(asked(false)), [`deliver ${LATER}`, `immediate ${IMMEDIATE}`]);
    assert.deepEqual(offered(asked(true)), [`immediate ${IMMEDIATE}`]);
  });

  it('what is there already comes in the next poll phase, whatever else does', () => {
    const model = new LoopModel();
    const [MESSAGE, LATER] = [6, 7];
    model.arrive(MESSAGE, { by: 'handle', prompt: true });
    model.arrive(STAT);
    model.startImmediate(IMMEDIATE);
    model.startTimer(TIMER, 5);
    // The timer only behind a pause of the present turn.
    assert.deepEqual(
      model.enabled().map(({ kind, pause }) => [kind, pause]),
      [
        ['deliver', 0],
        ['deliver', 0],
        ['timer', 5],
      ],
    );
    take(model, 'deliver', STAT);
    model.arrive(LATER);
    assert.deepEqual(offered(model), [`deliver ${MESSAGE}`]);
    take(model, 'deliver', MESSAGE);
    assert.deepEqual(offered(model), [`immediate ${IMMEDIATE}`]);
  });

  it('and behind an answer of the pool in the poll phase that is on', () => {
    const model = new LoopModel();
    const MESSAGE = 6;
    model.issue(STAT);
    take(model, 'effect', STAT);
    take(model, 'deliver', STAT);
    model.arrive(MESSAGE, { by: 'message', prompt: true });
    model.startImmediate(IMMEDIATE);
    assert.deepEqual(offered(model), [`deliver ${MESSAGE}`]);
  });

  it('unless it comes through what was made in that poll phase', () => {
    const model = new LoopModel();
    const MESSAGE = 6;
    model.issue(STAT);
    take(model, 'effect', STAT);
    take(model, 'deliver', STAT);
    model.arrive(MESSAGE, { by: 'message', prompt: true, made: model.place() });
    model.startImmediate(IMMEDIATE);
    assert.deepEqual(offered(model), [`immediate ${IMMEDIATE}`]);
    take(model, 'immediate', IMMEDIATE);
    model.issue(STAT);
    take(model, 'effect', STAT);
    model.startImmediate(IMMEDIATE);
    // The poll phase that follows brings it.
    assert.deepEqual(offered(model), [`deliver ${STAT}`, `deliver ${MESSAGE}`]);
  });

  it('what the engine has done while an answer of the pool ran may come in that poll phase', () => {
    const model = new LoopModel();
    const COMPILED = 6;
    model.issue(STAT);
    take(model, 'effect', STAT);
    take(model, 'deliver', STAT);
    model.arrive(COMPILED, { by: 'engine' });
    model.startImmediate(IMMEDIATE);
    assert.deepEqual(offered(model), [`deliver ${COMPILED}`, `immediate ${IMMEDIATE}`]);
  });

  it('the loop is over where only the engine is at work, and begins anew when that is done', () => {
    const model = new LoopModel();
    const [FIRST, SECOND] = [6, 7];
    model.arrive(FIRST, { by: 'engine' });
    take(model, 'deliver', FIRST);
    model.startImmediate(IMMEDIATE);
    model.issue(STAT);
    model.arrive(SECOND, { by: 'engine' });
    assert.deepEqual(offered(model), [`deliver ${SECOND}`]);
    take(model, 'deliver', SECOND);
    take(model, 'effect', STAT);
    // A poll phase precedes the next check phase.
    assert.deepEqual(offered(model), [`deliver ${STAT}`, `immediate ${IMMEDIATE}`]);
  });

  it('an immediate made in a timer callback lets I/O pass, but no timer that was not due', () => {
    const model = new LoopModel();
    model.startTimer(TIMER, 5);
    model.startTimer(OTHER, 50);
    take(model, 'timer', TIMER);
    model.startImmediate(IMMEDIATE);
    model.issue(STAT);
    take(model, 'effect', STAT);
    // The other timer only if the loop was so late that both were due in one phase.
    assert.deepEqual(
      model.enabled().map(({ kind, pause }) => [kind, pause]),
      [
        ['immediate', 0],
        ['deliver', 0],
        ['timer', 45],
      ],
    );
  });

  it('a batch runs back to back; those made in it belong to the next', () => {
    const model = new LoopModel();
    model.issue(STAT);
    take(model, 'effect', STAT);
    model.startImmediate(10);
    model.startImmediate(11);
    take(model, 'immediate', 10);
    model.startImmediate(12);
    assert.deepEqual(offered(model), ['immediate 11']);
    take(model, 'immediate', 11);
    assert.deepEqual(offered(model), [`deliver ${STAT}`, 'immediate 12']);
  });

  it('a batch whose rest was cleared is over', () => {
    const model = new LoopModel();
    model.startImmediate(10);
    model.startImmediate(11);
    take(model, 'immediate', 10);
    model.cancelImmediate(11);
    model.startImmediate(12);
    model.startImmediate(13);
    take(model, 'immediate', 12);
    assert.deepEqual(offered(model), ['immediate 13']);
  });

  it('an immediate made in the first turn comes before all else, unless that turn precedes the loop', () => {
    const first = (firstTurn: 'before' | 'within') => {
      const model = new LoopModel({ firstTurn });
      model.startTimer(TIMER, 1);
      model.issue(STAT, 0);
      model.startImmediate(IMMEDIATE);
      return offered(model);
    };
    assert.deepEqual(first('within'), [`immediate ${IMMEDIATE}`]);
    assert.deepEqual(first('before'), [`deliver ${STAT}`, `immediate ${IMMEDIATE}`, `timer ${TIMER}`]);
  });

  it('time stands still among immediates: a timer fires only if a turn lasts until it is due', () => {
    const model = new LoopModel();
    model.startTimer(TIMER, 5);
    model.startImmediate(10);
    take(model, 'immediate', 10);
    model.startImmediate(11);
    assert.deepEqual(
      model.enabled().map(({ id, pause }) => [id, pause]),
      [
        [11, 0],
        [TIMER, 5],
      ],
    );
    take(model, 'timer', TIMER);
    assert.deepEqual(offered(model), ['immediate 11']);
  });

  it('I/O comes between two equal timers, but not between more than the clock has ticks for', () => {
    const model = new LoopModel();
    for (const id of [10, 11, 12]) model.startTimer(id, 5);
    model.readClock();
    for (const id of [STAT, READ]) {
      model.issue(id);
      take(model, 'effect', id);
    }
    take(model, 'timer', 10);
    take(model, 'deliver', STAT);
    take(model, 'timer', 11);
    assert.deepEqual(offered(model), ['timer 12']);
  });
});

describe('C9 the closing phase', () => {
  const [FIRST, SECOND] = [20, 21] as const;

  /** A poll callback that closed two handles. */
  function closed(model = new LoopModel()): LoopModel {
    model.arrive(READ);
    take(model, 'deliver', READ);
    model.close(FIRST);
    model.close(SECOND);
    return model;
  }

  it('what was closed last is called back first, and nothing comes between', () => {
    const model = closed();
    model.startTimer(TIMER, 1);
    model.arrive(OTHER);
    assert.deepEqual(offered(model), [`close ${SECOND}`]);
    take(model, 'close', SECOND);
    model.startImmediate(IMMEDIATE);
    assert.deepEqual(offered(model), [`close ${FIRST}`]);
    take(model, 'close', FIRST);
    assert.deepEqual(offered(model), [`deliver ${OTHER}`, `immediate ${IMMEDIATE}`, `timer ${TIMER}`]);
  });

  it('the immediates of a poll callback come before', () => {
    const model = closed();
    model.startImmediate(IMMEDIATE);
    assert.deepEqual(offered(model), [`immediate ${IMMEDIATE}`]);
    take(model, 'immediate', IMMEDIATE);
    model.startImmediate(10);
    assert.deepEqual(offered(model), [`close ${SECOND}`]);
  });

  it('what is closed in a close callback waits for another round', () => {
    const model = closed();
    take(model, 'close', SECOND);
    model.close(22);
    take(model, 'close', FIRST);
    model.arrive(OTHER);
    assert.deepEqual(offered(model), ['close 22', `deliver ${OTHER}`]);
    model.startImmediate(IMMEDIATE);
    assert.deepEqual(offered(model), [`deliver ${OTHER}`, `immediate ${IMMEDIATE}`]);
  });

  it('closed in a timer: files and sockets may come first', () => {
    const model = new LoopModel();
    model.startTimer(TIMER, 1);
    take(model, 'timer', TIMER);
    model.close(FIRST);
    model.arrive(OTHER);
    assert.deepEqual(offered(model), [`close ${FIRST}`, `deliver ${OTHER}`]);
  });

  it('without the rule it may come at any time', () => {
    const model = closed(without('closing'));
    model.arrive(OTHER);
    assert.deepEqual(offered(model), [`close ${FIRST}`, `close ${SECOND}`, `deliver ${OTHER}`]);
  });
});

describe('arrivals outside of the pool', () => {
  it('take no thread, and are not wanted once withdrawn', () => {
    const model = new LoopModel({ poolSize: 1 });
    model.issue(STAT);
    model.arrive(READ);
    model.arrive(OTHER);
    assert.deepEqual(offered(model), [`deliver ${READ}`, `deliver ${OTHER}`, `effect ${STAT}`]);
    model.withdraw(READ);
    assert.deepEqual(offered(model), [`deliver ${OTHER}`, `effect ${STAT}`]);
  });

  it('were late until they were withdrawn', () => {
    const model = new LoopModel();
    model.arrive(READ);
    model.startTimer(TIMER, 50);
    take(model, 'timer', TIMER);
    model.withdraw(READ);
    assert.deepEqual(model.lateness(), [{ id: READ, ms: 50 }]);
  });

  it('are not later than the longest stall', () => {
    const model = new LoopModel({ maxStallMs: 50 });
    model.arrive(READ);
    model.startTimer(TIMER, 60);
    assert.deepEqual(offered(model), [`deliver ${READ}`]);
  });

  it('are not later together than one may be where one leads to the next', () => {
    const model = new LoopModel({ maxStallMs: 50 });
    model.arrive(READ);
    model.startTimer(TIMER, 40);
    model.startTimer(TIMER + 1, 60);
    take(model, 'timer', TIMER);
    take(model, 'deliver', READ);
    model.arrive(READ + 1);
    assert.deepEqual(offered(model), [`deliver ${READ + 1}`]);
  });

  it('a timer that leads to an answer begins anew', () => {
    const model = new LoopModel({ maxStallMs: 50 });
    model.startTimer(TIMER, 40);
    model.startTimer(TIMER + 1, 60);
    take(model, 'timer', TIMER);
    model.arrive(READ);
    assert.deepEqual(offered(model), [`deliver ${READ}`, `timer ${TIMER + 1}`]);
  });
});

describe('C10 thread pool', () => {
  function six(model: LoopModel): LoopModel {
    for (let id = 1; id <= 6; id++) model.issue(id);
    return model;
  }

  it('four requests at a time, in issue order', () => {
    assert.deepEqual(offered(six(new LoopModel())), ['effect 1', 'effect 2', 'effect 3', 'effect 4']);
    assert.equal(offered(six(new LoopModel({ poolSize: 2 }))).length, 2);
    assert.equal(offered(six(without('pool'))).length, 6);
  });

  it('a thread is free before the delivery; then deliveries come in that order', () => {
    const model = six(new LoopModel());
    for (const id of [1, 2, 3]) take(model, 'effect', id);
    take(model, 'end', 3);
    take(model, 'end', 1);
    assert.deepEqual(
      offered(model).filter((step) => !step.startsWith('effect')),
      ['deliver 3'],
    );
    take(model, 'deliver', 3);
    assert.ok(offered(model).includes('deliver 1'));
    assert.ok(!offered(model).includes('deliver 2'));
  });
});

describe('C10 slow work', () => {
  it('takes half of the threads at most; the others go on with what was issued later', () => {
    const model = new LoopModel();
    for (const id of [1, 2, 3]) model.issue(id, 1, true);
    model.issue(10);
    assert.deepEqual(offered(model), ['effect 1', 'effect 10', 'effect 2']);
    take(model, 'effect', 1);
    take(model, 'deliver', 1);
    assert.deepEqual(offered(model), ['effect 10', 'effect 2', 'effect 3']);
  });

  it('without the rule it starts at once', () => {
    const model = without('pool');
    for (const id of [1, 2, 3]) model.issue(id, 1, true);
    assert.deepEqual(offered(model), ['effect 1', 'effect 2', 'effect 3']);
  });

  it('what was answered in its own turn gives its thread back', () => {
    const model = new LoopModel({ poolSize: 1 });
    model.issue(1);
    model.issue(2);
    model.withdraw(1);
    assert.deepEqual(offered(model), ['effect 2']);
  });
});

describe('C12, C14, C16 bounds', () => {
  it('no request is late beyond the limit', () => {
    const model = new LoopModel({ maxStallMs: 100 });
    model.issue(STAT);
    model.startTimer(TIMER, 100);
    model.startTimer(OTHER, 101);
    take(model, 'timer', TIMER);
    assert.deepEqual(offered(model), [`effect ${STAT}`]);
    take(model, 'effect', STAT);
    take(model, 'deliver', STAT);
    assert.deepEqual(model.lateness(), [{ id: STAT, ms: 100 }]);
    assert.deepEqual(offered(model), [`timer ${OTHER}`]);
  });

  it('no pause is longer than the limit', () => {
    const overtakes = (maxPauseMs: number) => {
      const model = new LoopModel({ maxPauseMs });
      model.startTimer(TIMER, 200);
      model.startTimer(OTHER, 50);
      return offered(model).includes(`timer ${TIMER}`);
    };
    assert.equal(overtakes(149), false);
    assert.equal(overtakes(150), true);
  });

  it('the loop wakes up no later than a pause behind the timer that it slept for', () => {
    const overtakes = (maxPauseMs: number) => {
      const model = new LoopModel({ maxPauseMs });
      model.startTimer(TIMER, 600);
      model.startTimer(OTHER, 500);
      model.startTimer(IMMEDIATE, 650);
      take(model, 'timer', OTHER);
      // In the list of the first one, and due in its phase only where that comes 500 ms late.
      model.startTimer(READ, 600);
      take(model, 'timer', TIMER);
      return offered(model).includes(`timer ${READ}`);
    };
    assert.equal(overtakes(250), false);
    assert.equal(overtakes(500), true);
  });

  it('it wakes up for a list that has lost the timer it slept for, finds nothing due, and sleeps on', () => {
    for (const others of [[], [2400]]) {
      const model = new LoopModel();
      model.startTimer(TIMER, 2000);
      model.startTimer(OTHER, 700);
      for (const delay of others) model.startTimer(IMMEDIATE, delay);
      take(model, 'timer', OTHER);
      // It is put off, as by whoever waits for quiet.
      model.startTimer(READ, 2000);
      model.cancelTimer(TIMER);
      // At 2000 ms the list of both has moved to 2700 ms.
      for (const delay of others) {
        assert.deepEqual(offered(model), [`timer ${IMMEDIATE}`]);
        take(model, 'timer', IMMEDIATE);
        assert.equal(model.now, delay);
      }
      take(model, 'timer', READ);
      assert.deepEqual([model.now, model.longestPause()], [2700, 0]);
    }
    const model = new LoopModel();
    model.startTimer(TIMER, 2000, { ref: false });
    model.startTimer(OTHER, 1);
    take(model, 'timer', OTHER);
    // Its list stays, with nothing in it.
    model.cancelTimer(TIMER);
    model.startTimer(READ, 2500);
    take(model, 'timer', READ);
    assert.deepEqual([model.now, model.longestPause()], [2501, 0]);
  });

  it('it wakes up for one such list, and then for another one', () => {
    const model = new LoopModel();
    model.startTimer(TIMER, 2000);
    model.startTimer(OTHER, 100);
    take(model, 'timer', OTHER);
    // An unref'd time-out that is taken back leaves its list; and what comes in puts off the time-out of a connection.
    model.startTimer(IMMEDIATE, 1500, { ref: false });
    model.cancelTimer(IMMEDIATE);
    model.startTimer(READ, 2000);
    model.cancelTimer(TIMER);
    take(model, 'timer', READ);
    assert.deepEqual([model.now, model.longestPause()], [2100, 0]);
  });

  it('the longest pause of an order is told', () => {
    const model = new LoopModel();
    model.startTimer(TIMER, 200);
    model.startTimer(OTHER, 50);
    assert.equal(model.longestPause(), 0);
    take(model, 'timer', TIMER);
    assert.equal(model.longestPause(), 150);
    take(model, 'timer', OTHER);
    assert.deepEqual([model.longestPause(), model.now], [150, 200]);
  });

  it('what waits within a turn is neither a pause nor late, and what it makes due fires', () => {
    const model = new LoopModel();
    model.issue(STAT);
    model.startTimer(TIMER, 20);
    model.wait(1500);
    model.startTimer(OTHER, 1);
    take(model, 'effect', STAT);
    assert.deepEqual(offered(model), [`timer ${TIMER}`]);
    take(model, 'timer', TIMER);
    take(model, 'timer', OTHER);
    take(model, 'deliver', STAT);
    assert.deepEqual([model.now, model.longestPause()], [1501, 0]);
    assert.deepEqual(model.lateness(), [{ id: STAT, ms: 1 }]);
  });

  it('what another process works on comes no sooner, and not where a timer or an answer would be too late', () => {
    const offers = (ms: number) => {
      const model = new LoopModel();
      model.startTimer(TIMER, 50);
      model.arrive(READ, { by: 'handle', after: { moment: model.moment, ms } });
      return model.enabled().map(({ kind, pause }) => `${kind} ${pause}`);
    };
    assert.deepEqual(offers(40), ['deliver 0', 'timer 0']);
    assert.deepEqual(offers(300), ['deliver 250', 'timer 0']);
    assert.deepEqual(offers(301), ['timer 0']);

    const model = new LoopModel();
    model.issue(STAT);
    model.arrive(READ, { by: 'handle', after: { moment: model.moment, ms: 5000 } });
    assert.deepEqual(offered(model), [`effect ${STAT}`]);
    take(model, 'effect', STAT);
    take(model, 'deliver', STAT);
    take(model, 'deliver', READ);
    assert.equal(model.now, 5000);
    assert.deepEqual(model.lateness(), []);
    // What it leads to is not late from the beginning.
    model.arrive(OTHER);
    model.startTimer(TIMER, 900);
    assert.deepEqual(offered(model), [`deliver ${OTHER}`, `timer ${TIMER}`]);
  });

  it('what the program read from the clock cannot have been later', () => {
    const model = new LoopModel();
    model.startTimer(TIMER, 200);
    model.startTimer(OTHER, 50);
    model.readClock();
    assert.deepEqual(offered(model), [`timer ${OTHER}`]);
  });

  it('an answer that came later explains more than a pause, and is counted as late', () => {
    const model = new LoopModel({ maxPauseMs: 10 });
    model.startTimer(TIMER, 200);
    model.issue(STAT);
    take(model, 'effect', STAT);
    take(model, 'deliver', STAT);
    model.startTimer(OTHER, 50);
    take(model, 'timer', TIMER);
    assert.deepEqual(model.lateness(), [{ id: STAT, ms: 150 }]);
    assert.equal(model.now, 200);
  });

  it('the clock does not leap beyond the horizon', () => {
    const model = new LoopModel();
    model.startTimer(TIMER, 30);
    model.horizon = 20;
    assert.deepEqual(offered(model), []);
    assert.equal(model.blockedUntil, 30);
    model.horizon = 30;
    assert.deepEqual(offered(model), [`timer ${TIMER}`]);
  });

  it('an unref timer needs somebody else', () => {
    const model = new LoopModel();
    model.startTimer(TIMER, 5, { ref: false });
    assert.deepEqual(offered(model), []);
    model.keptAlive = true;
    assert.deepEqual(offered(model), [`timer ${TIMER}`]);
    model.keptAlive = false;
    model.startTimer(OTHER, 9);
    assert.ok(offered(model).includes(`timer ${TIMER}`));
    model.setRef(OTHER, false);
    assert.deepEqual(offered(model), []);
    model.setRef(TIMER, true);
    assert.deepEqual(offered(model), [`timer ${TIMER}`]);
  });

  it('an unref immediate runs in a round that takes place anyway', () => {
    const model = new LoopModel();
    model.startImmediate(OTHER);
    model.setRef(OTHER, false);
    assert.deepEqual([offered(model), model.lasts], [[], false]);
    model.startTimer(TIMER, 5);
    assert.equal(model.lasts, true);
    take(model, 'timer', TIMER);
    assert.deepEqual(offered(model), [`immediate ${OTHER}`]);
    take(model, 'immediate', OTHER);
    model.startImmediate(OTHER);
    model.setRef(OTHER, false);
    assert.deepEqual(offered(model), []);
    model.keptAlive = true;
    assert.deepEqual(offered(model), [`immediate ${OTHER}`]);
  });
});

type Action = readonly ['issue' | 'arrive' | 'close' | 'timer' | 'immediate' | 'read' | 'take', number];

const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.tuple(
    fc.constantFrom('issue', 'arrive', 'close', 'timer', 'immediate', 'read', 'take', 'take', 'take', 'take'),
    fc.nat({ max: 40 }),
  ),
  { maxLength: 60 },
);

describe('whatever the program does', () => {
  it('something can happen while something is pending, and time never runs back', () => {
    fc.assert(
      fc.property(actions, (list) => {
        const model = new LoopModel();
        let id = 0;
        let now = 0;
        const one = (choice: number) => {
          const steps = model.enabled();
          if (steps.length === 0) {
            assert.ok(model.idle);
            return;
          }
          model.take(steps[choice % steps.length] as Step);
          assert.ok(model.now >= now);
          now = model.now;
        };
        for (const [action, n] of list) {
          if (action === 'issue') model.issue(++id, 1 + (n % 2));
          else if (action === 'timer') model.startTimer(++id, 1 + n);
          else if (action === 'immediate') model.startImmediate(++id);
          else if (action === 'arrive') model.arrive(++id);
          else if (action === 'close') model.close(++id);
          else if (action === 'read') model.readClock();
          else one(n);
        }
        for (let left = 1000; !model.idle; left--) {
          assert.ok(left > 0, 'no end');
          one(left);
        }
      }),
      { numRuns: 400, seed: 4 },
    );
  });

  it('a step taken without pause leaves nothing late but what waited for timers', () => {
    const model = new LoopModel();
    for (let id = 1; id <= 5; id++) model.issue(id);
    while (!model.idle) model.take(model.enabled()[0] as Step);
    assert.deepEqual(model.lateness(), []);
  });
});
