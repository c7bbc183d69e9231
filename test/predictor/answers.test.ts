/** Orders in which a task finds a path there, or not, otherwise than in the recorded run come behind all others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { predict } from '../../predictor/predict.ts';
import { TraceBuilder } from './trace-builder.ts';

/** alice holds a lock file while she changes two values; bob looks for that file first and changes them later. */
function guarded(looks: string, goes = true): readonly string[] {
  const b = new TraceBuilder();
  const [alice, bob] = [b.activation('alice'), b.activation('bob')];
  b.begin(bob);
  const timer = b.issue('timer', 'root.bob|setTimeout#1', 50);
  const file = (task: number, name: string, kinds: readonly ('R' | 'W')[], path: string): number => {
    const request = b.issue(
      'pool',
      `${task === alice ? 'root.alice' : 'root.bob'}|${name}`,
      0,
      -1,
      name.split('#')[0],
    );
    b.effect(request, ...kinds.map((kind) => [kind, path] as const));
    return b.deliver(request);
  };
  b.begin(alice);
  b.begin(alice, file(alice, 'fs.open#1', ['R', 'W'], 'fs:*/a.lock'));
  b.read('Account#balance');
  b.begin(alice, file(alice, 'fs.stat#1', [], ''));
  b.write('Account#balance');
  b.begin(alice, file(alice, 'fs.unlink#1', goes ? ['R', 'W'] : ['R'], 'fs:*/a.lock'));
  b.read('Report#text');
  b.begin(alice, file(alice, 'fs.stat#2', [], ''));
  b.write('Report#text');
  b.begin(bob, b.deliver(timer));
  b.begin(bob, file(bob, 'fs.access#1', ['R'], looks));
  b.write('Account#balance');
  b.write('Report#text');
  const { cutPoints, schedules } = predict(b.build());
  const entities = new Map(cutPoints.map(({ id, entity }) => [id, entity]));
  return [...new Set(schedules.map(({ cutPoint }) => entities.get(cutPoint ?? '') ?? 'none'))];
}

test('what a lock file kept apart is tried last, as long as its order has it there', () => {
  assert.equal(guarded('fs:*/a.lock').at(-1), 'Account#balance');
  assert.equal(guarded('fs:*/a.lock')[0], 'Report#text');
});

test('where another path is looked at, or one that stays, it comes first as before', () => {
  assert.equal(guarded('fs:*/a.lock', false)[0], 'Account#balance');
  assert.equal(guarded('fs:*/b.lock')[0], 'Account#balance');
});
