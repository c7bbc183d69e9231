/** Which entities the forced orders of a test speak free. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CutPoint } from '../../../data/prediction.ts';
import type { Verdict } from '../../../data/verdicts.ts';
import { clearedBy, suspectsOf } from '../../../rescheduler/investigate/cleared.ts';

const cleared = (...rows: [entity: string, verdict: Verdict | null][]): [string[], string[]] => {
  const cutPoints = rows.map(([entity], i) => ({ id: `c${i}`, entity }) as CutPoint);
  const judged = rows.map(([, verdict], i) => ({ schedule: { cutPoint: `c${i}` }, verdict }));
  const { triples, entities } = clearedBy(cutPoints, judged);
  return [[...triples], [...entities]];
};

it('an entity whose orders showed their triples and passed is cleared', () => {
  assert.deepEqual(cleared(['dirty', 'passed'], ['dirty', null], ['file', 'confirmed']), [['c0'], ['dirty']]);
});
it('one failing order of its own is enough not to be', () => {
  assert.deepEqual(cleared(['file', 'passed'], ['file', 'confirmed']), [['c0'], []]);
});
it('orders that were not run, or not followed, clear nothing', () => {
  assert.deepEqual(cleared(['a', null], ['b', 'infeasible'], ['c', 'diverged']), [[], []]);
});
it('random orders belong to no entity', () => {
  const { triples, entities } = clearedBy([], [{ schedule: { cutPoint: null }, verdict: 'passed' }]);
  assert.deepEqual([triples.size, entities.size], [0, 0]);
});

const point = (id: string, entity: string) => ({ id, entity }) as CutPoint;
const cleared1 = { triples: new Set(['c1']), entities: new Set(['dirty']) };

it('what is cleared does not stay beside a suspect', () => {
  const points = [point('c1', 'dirty'), point('c2', 'dirty'), point('c3', 'file')];
  assert.deepEqual(suspectsOf(points, cleared1, false), [points[2]]);
});
it('alone it stays, unless that very triple passed and something else tells of the failure', () => {
  const same = [point('c1', 'dirty')];
  const other = [point('c1', 'dirty'), point('c2', 'dirty')];
  assert.deepEqual(suspectsOf(same, cleared1, false), same);
  assert.deepEqual(suspectsOf(other, cleared1, true), other);
  assert.deepEqual(suspectsOf(same, cleared1, true), []);
});
