/** Races that the recorded run does not show are found, told as the table says, and nothing is said of their repaired twins. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WHOLE } from '../extent.ts';
import { EXPECTED } from './expected.ts';
import { recall } from './recall.ts';

/** One or two of each class whose orders do not depend on how fast a process starts. */
const PART: Readonly<Record<string, readonly string[]>> = {
  hangs: ['connection', 'permits'],
  late: ['token'],
  needles: [],
};
/** In these something else is named: of two fields the other, the folder. docs/recall.md says more. */
const BESIDE: ReadonlySet<string> = new Set(['cleaned', 'late-answer']);

for (const [kind, part] of Object.entries(PART)) {
  const programs = WHOLE ? Object.keys(EXPECTED[kind]!) : part;
  if (programs.length === 0) continue;
  test(`${kind}: ${programs.join(', ')}`, async () => {
    const rows = await recall(kind, programs);
    assert.deepEqual(
      rows.flatMap((row) => row.false.map((each) => `${row.program}: ${each}`)),
      [],
    );
    assert.deepEqual(
      rows.filter(({ at }) => at === null).map(({ program }) => program),
      [],
    );
    assert.deepEqual(
      rows.filter(({ isRight }) => !isRight).map(({ program }) => program),
      programs.filter((program) => BESIDE.has(program)),
    );
  });
}
