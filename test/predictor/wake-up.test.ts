/** What naturally wakes up who waits in vain, and what became of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Trace } from '../../data/trace.ts';
import { wakeUpOf } from '../../predictor/wake-up.ts';
import { TraceBuilder } from './trace-builder.ts';

type Part = 'waits' | 'sends' | 'is woken';

/** A task that waits behind a file, and one that sends an event behind a timer, in this order. `suspended`: it still waits at the end. */
function run(parts: readonly Part[], suspended = false): Trace {
  const b = new TraceBuilder();
  const [waiter, sender] = [b.activation('waiter'), b.activation('sender')];
  b.begin(waiter);
  const file = b.issue('pool', 'root.waiter|fs.stat#1');
  b.begin(sender);
  const timer = b.issue('timer', 'root.sender|setTimeout#1', 40, -1, 'setTimeout');
  let sent = -1;
  for (const part of parts) {
    if (part === 'waits') {
      b.effect(file);
      b.begin(waiter, b.deliver(file));
      b.read('text', 'before the wait');
    } else if (part === 'sends') {
      sent = b.begin(sender, b.deliver(timer));
      b.write('Bus#connected', 'before the event');
    } else b.begin(waiter, b.condition({ kind: 'job', job: sent }));
  }
  const trace = b.build();
  return suspended ? { ...trace, suspended: [{ activation: waiter, site: 0 }] } : trace;
}

const natural = run(['waits', 'sends', 'is woken']);

function told(failing: Trace, passing = natural) {
  const found = wakeUpOf(failing, passing);
  return (
    found && {
      by: passing.activations[found.waker]?.name,
      near: passing.sites[found.wakerSite]?.text,
      ...{ after: found.step?.name, when: found.when },
    }
  );
}
const sender = { by: 'sender', near: 'before the event', after: 'root.sender|setTimeout#1' };

test('an event that comes before anybody waits for it is too early', () => {
  assert.deepEqual(told(run(['sends', 'waits'], true)), { ...sender, when: 'early' });
});

test('one that comes since then is not heard, and one that does not come never comes', () => {
  assert.deepEqual(told(run(['waits', 'sends'], true)), { ...sender, when: 'unheard' });
  assert.deepEqual(told(run(['waits'], true)), { ...sender, when: 'never' });
});

test('of who waits for an answer of the host, or for one that waits itself, nothing is said', () => {
  assert.equal(told(run([], true)), null);
  const both = run(['waits'], true);
  const suspended = [both.suspended![0]!, { activation: 2, site: 0 }];
  assert.equal(told({ ...both, suspended }), null);
});
