/** Operations over shared memory: what is wrong has no serial outcome in some order, what is right has one in all of them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { discoverAll } from '../../../rescheduler/subjects/discover.ts';
import { boundedOrders } from '../../../rescheduler/tokens/bounded.ts';
import type { ThreadSubject } from '../../../rescheduler/tokens/subject.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** All of one file: they share a process and its threads. */
const FILE = 'test/rescheduler/scenarios/fixtures/threads.ts';
const LIMITS = { watchdogMs: 60_000 };

let subjects: readonly ThreadSubject[];
before(async () => {
  subjects = (await discoverAll([FILE], { cwd: ROOT })).threads;
});
after(() => Promise.all(subjects.map((subject) => subject.close())));

/** Executes all orders with at most two preemptions, up to the first that does not pass, and tells what that says; null: none. */
async function firstFailure(name: string): Promise<string | null> {
  const subject = subjects.find((each) => each.name === name);
  assert.ok(subject, name);
  const natural = await subject.execute({ kind: 'observed' }, LIMITS, true);
  assert.equal(natural.ran.outcome, 'pass', natural.ran.failure?.message);
  const orders = boundedOrders(natural.ran.taken, natural.trace!.names.threads.length, 2);
  try {
    for (let next = orders.next(); !next.done; ) {
      const schedule = { grants: next.value, expected: null };
      const { ran } = await subject.execute({ kind: 'directed', schedule }, LIMITS);
      if (ran.outcome !== 'pass') return `${ran.outcome}: ${ran.failure?.message}`;
      next = orders.next(ran.followed === 'followed' ? ran.taken : null);
    }
    return null;
  } finally {
    await subject.close();
  }
}

describe('bundled components', () => {
  const PAIRS: Record<string, string> = {
    counter: 'add(1) ∥ add(2)',
    queue: 'push(5) ∥ push(6)',
    'bounded queue': 'push(1) ∥ push(2)',
    ring: 'write(5) ∥ read()',
    semaphore: 'release() ∥ release()',
    // The same node is on top again.
    stack: 'pop() ∥ (pop(); push(1))',
    'work-stealing queue': 'pop() ∥ steal()',
  };
  for (const [component, calls] of Object.entries(PAIRS)) {
    it(`${component}: what is wrong is found`, async () => {
      assert.match(`${await firstFailure(`${component}/bad: ${calls}`)}`, /no serial order of these/);
    });
    it(`${component}: its repaired twin has a serial outcome in all orders`, async () => {
      assert.equal(await firstFailure(`${component}/ok: ${calls}`), null);
    });
  }
});

describe('calls of threads', () => {
  it('that wait for each other do so in a serial order, too', async () => {
    assert.equal(await firstFailure('semaphore/ok: acquire() ∥ release()'), null);
    assert.equal(await firstFailure('semaphore/ok: acquire() ∥ acquire()'), null);
  });
  it('that wait for ever in no serial order are a deadlock', async () => {
    assert.match(`${await firstFailure('lost wake-up: wait() ∥ open()')}`, /^deadlock: /);
  });
  it('come in real time: an outcome of an order against it is none', async () => {
    const said = await firstFailure('slots: push(1) ∥ push(1) ∥ pop()');
    assert.match(
      `${said}`,
      /but for one in which a call comes before another that had ended before it began/,
    );
  });
  it('that are refused are as if they had not been made', async () => {
    assert.equal(await firstFailure('turnstile: pass() ∥ pass()'), null);
    assert.match(`${await firstFailure('turnstile, not marked: pass() ∥ pass()')}`, /refuses: \['EBUSY'\]/);
  });
  it('may be asynchronous', async () => {
    assert.match(`${await firstFailure('asynchronous: add(1) ∥ add(2)')}`, /no serial order/);
  });
});
