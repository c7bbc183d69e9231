/** An order bug of threads is told by two accesses that changed places. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStd } from '../../../data/threads/std-reader.ts';
import { earlyAccess, flipOf, missedBy } from '../../../predictor/threads/flip.ts';

const trace = (...events: string[]) => readStd([events.map((event) => `${event}\n`).join('')]);

/** `config user:4 maker:2`: the entity, and who came first with what, against whom. Points 1 and 3 are of `Atomics`. */
function flipped(failing: string[], natural: string[]): string | null {
  const run = trace(...failing);
  const { events, names } = run;
  const flip = flipOf(run, trace(...natural), (point) => point === '1' || point === '3');
  const at = (i: number) => `${names.threads[events.thread[i]!]}:${names.points[events.point[i]!]}`;
  return flip && `${names.entities[flip.entity]} ${at(flip.first)} ${at(flip.second)}`;
}

const MAKER = ['maker|w(flag)|1', 'maker|w(config)|2'];
const USER = ['user|r(flag)|3', 'user|r(config)|4'];

test('a value that is read before it is there', () => {
  assert.equal(flipped([MAKER[0]!, ...USER, MAKER[1]!], [...MAKER, ...USER]), 'config user:4 maker:2');
});

test('of data rather than of what the threads agree by', () => {
  assert.equal(flipped([...USER, ...MAKER], [...MAKER, ...USER]), 'config user:4 maker:2');
});

test('what is read twice, and what comes in the same order, is none', () => {
  assert.equal(flipped([...MAKER, ...USER], [...MAKER, ...USER]), null);
  const [one, two] = ['a|r(x)|5', 'b|r(x)|6'];
  assert.equal(flipped([two, one], [one, two]), null);
});

test('accesses of one place are told apart by how often their thread was there', () => {
  const step = ['a|w(x)|5', 'a|w(x)|5'];
  assert.equal(flipped([step[0]!, 'b|r(x)|6', step[1]!], [...step, 'b|r(x)|6']), 'x b:6 a:5');
});

function early(failing: string[], natural: string[]): string | null {
  const run = trace(...failing);
  const { events, names } = run;
  const found = earlyAccess(run, trace(...natural));
  const at = (i: number) => `${names.threads[events.thread[i]!]}:${names.points[events.point[i]!]}`;
  return found && `${names.entities[found.entity]} ${at(found.first)} ${at(found.second)}`;
}

test('an access to what nobody shares in the passing run, before the write of another thread', () => {
  const failing = ['user|r(config)|4', 'maker|r(own)|5', 'maker|w(config)|2'];
  assert.equal(early(failing, ['maker|w(config)|2']), 'config user:4 maker:2');
  assert.equal(early(failing, ['maker|w(config)|2', 'user|r(config)|4']), null);
  assert.equal(early(['user|r(config)|4', 'user|w(config)|2', 'maker|r(config)|6'], ['user|r(own)|1']), null);
});

test('a run that ends before the write that its last read naturally follows', () => {
  const natural = trace('a|w(file)|1', 'a|w(file)|2', 'b|r(file)|3', 'b|w(file)|4');
  const cut = trace('a|w(file)|1', 'b|r(file)|3');
  assert.equal(
    flipOf(cut, natural, () => false),
    null,
  );
  assert.deepEqual(missedBy(cut, natural), { entity: 'file', first: 1, missed: 1 });
  const whole = trace('a|w(file)|1', 'a|w(file)|2', 'b|r(file)|3');
  assert.equal(missedBy(whole, natural), null);
});
