/** The laboratory of child processes in small: what comes of random orders is what processes can show. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Directories } from '../directories.ts';
import { type Call, type ChildrenProgram, outcomesOf, spelled } from './program.ts';
import { tried } from './run.ts';

const directories = new Directories();
after(() => directories.remove());

const read: Call = { kind: 'read', file: 'a' };
const append = (text: string): Call => ({ kind: 'append', file: 'a', text });
const program = (own: Partial<ChildrenProgram>): ChildrenProgram => ({
  ...{ seed: 0, before: [], beside: [], behind: [read], children: [] },
  ...own,
});

test('the model tells what can come of processes, and nothing else', () => {
  const one = program({ children: [[append('1')]], beside: [read] });
  const told = (beside: string) => spelled({ children: [['ok']], beside: [beside], behind: ['1'] });
  assert.deepEqual(outcomesOf(one), new Set([told('ENOENT'), told('1')]));
  const rename: Call = { kind: 'rename', file: 'a', to: 'b' };
  const lost = program({ before: [append('0')], children: [[rename], [append('1')]] });
  assert.deepEqual(
    new Set([...outcomesOf(lost)].map((outcome) => JSON.parse(outcome).at(-1)[0])),
    new Set(['ENOENT', '1']),
  );
});

for (const [name, of] of Object.entries({
  'one child': program({ children: [[append('1'), read, append('2')]], beside: [append('3'), read] }),
  'two children': program({
    children: [
      [append('1'), read],
      [read, append('2')],
    ],
    beside: [read],
  }),
}))
  test(`${name}: random orders bring some of these outcomes, and no other`, async () => {
    const { possible, seen, unknown, wrong } = await tried(of, 6, directories);
    assert.deepEqual(wrong, []);
    assert.equal(unknown, 0);
    assert.ok(possible > 1 && seen.size > 0, `${seen.size} of ${possible}`);
  });
