/** The circle of the Jinx note: of its four orders exactly the second and the third fail. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DEFAULT_LIMITS, type Outcome, type RunResult } from '../../../data/run.ts';
import { nextPrefix } from '../../../rescheduler/investigate/enumeration.ts';
import { discoverHarnesses } from '../../../rescheduler/subjects/discover.ts';
import type { Subject } from '../../../rescheduler/subjects/protocol.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Where the reader asks for the lock, told by how many of the four answers `resize` has had by then. */
const PLACES = [
  'before the first section',
  'during the first section',
  'between the sections',
  'during the second section',
  'when the resizing is over',
];

function placeOf({ steps }: RunResult): string {
  const turns = steps.filter((step) => step.startsWith('D:'));
  const reader = turns.findIndex((step) => step.includes('measure'));
  assert.equal(turns.length, 5, steps.join('\n'));
  return PLACES[reader] as string;
}

/** Every order of a subject, depth first. */
async function everyOrder(subject: Subject): Promise<RunResult[]> {
  const results: RunResult[] = [];
  for (let prefix: readonly string[] | null = []; prefix !== null; ) {
    const result = await subject.execute(
      { kind: 'prefix', prefix },
      { limits: DEFAULT_LIMITS, wantChoices: true },
    );
    results.push(result);
    prefix = nextPrefix(result);
  }
  return results;
}

/** The outcomes met at each place; one, when the place decides. */
function outcomes(results: readonly RunResult[]): Record<string, Outcome[]> {
  const met: Record<string, Outcome[]> = {};
  for (const place of PLACES) {
    const there = results.filter((result) => placeOf(result) === place);
    met[place] = [...new Set(there.map(({ outcome }) => outcome))];
  }
  return met;
}

describe('the orders of the circle program', () => {
  let bad: Subject;
  let ok: Subject;
  before(async () => {
    [bad, ok] = (await discoverHarnesses(['harnesses/catalogue/circle.ts'], { cwd: ROOT })) as [
      Subject,
      Subject,
    ];
  });
  after(() => Promise.all([bad.close(), ok.close()]));

  it('two locked sections: exactly the second and the third of the four fail', async () => {
    const results = await everyOrder(bad);
    assert.equal(results.length, 9);
    assert.deepEqual(outcomes(results), {
      'before the first section': ['pass'],
      'during the first section': ['fail'],
      'between the sections': ['fail'],
      'during the second section': ['pass'],
      // Nobody asks for the lock any more: no order of its own.
      'when the resizing is over': ['pass'],
    });
  });

  it('one locked section: none fails', async () => {
    const results = await everyOrder(ok);
    assert.equal(results.length, 7);
    assert.ok(results.every(({ outcome }) => outcome === 'pass'));
  });
});
