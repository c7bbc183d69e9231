/** Which timers the body of a test waits for by itself, and which stand for the latency of an operation. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mainOf } from '../../predictor/own-timers.ts';
import { TraceBuilder } from './trace-builder.ts';

/** The body calls a function that sets a timer, which does these things besides; behind it, in a turn of its own, it goes on. */
function isOwn(
  does: (b: TraceBuilder) => void,
  behind: (b: TraceBuilder, wait: number) => void = () => {},
): boolean {
  const b = new TraceBuilder();
  b.begin(0);
  b.write('App#rows', 'app');
  const [wait, other] = [b.activation('wait', 'sync'), b.activation('look', 'sync')];
  b.begin(other);
  b.read('App#limit', 'limit');
  b.begin(wait);
  does(b);
  const timer = b.issue('timer', 'sleep', 40);
  b.begin(0, b.deliver(timer));
  behind(b, wait);
  return mainOf(b.build(), () => false).has(wait);
}

describe('a timer is the own one of the body', () => {
  const rows: Record<string, [Parameters<typeof isOwn>, boolean]> = {
    'where the function that sets it only waits': [[() => {}], true],
    'where that reads the options that it is given': [[(b) => b.read('Object@a.ts:1#signal', 'own')], true],
    'but not where it reads what others read': [[(b) => b.read('App#limit', 'limit')], false],
    'nor where it reads what is written': [[(b) => b.read('App#rows', 'app')], false],
    'nor where it writes what others read': [[(b) => b.write('App#limit', 'limit')], false],
    'where it writes a variable of its own': [[(b) => b.write('helper.ts:timer', 'own')], true],
    'but not an object, which may be handed on': [[(b) => b.write('Object@a.ts:1#open', 'own')], false],
    'nor where it asks the host for something': [[(b) => b.issue('pool', 'file')], false],
    'though the host does in its name what ticks leave behind it': [
      [
        () => {},
        (b, wait) => {
          b.begin(wait);
          b.issue('external', 'connect');
        },
      ],
      true,
    ],
  };
  for (const [name, [how, expected]] of Object.entries(rows))
    test(name, () => assert.equal(isOwn(...how), expected));
});
