import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runThreads } from '../../harnesses/natural-threads.ts';
import { loadAllThreads } from './all.ts';

const loaded = await loadAllThreads();
const everyHarness = loaded.flatMap(({ harnesses }) => harnesses);

describe('the programs of worker threads', () => {
  it('have an entry each in the table of expectations, and names of their own', () => {
    for (const { name, expect } of everyHarness) assert.ok(expect, name);
    const names = everyHarness.map(({ name }) => name);
    assert.deepEqual(names.toSorted(), [...new Set(names)].toSorted());
  });

  it('say of each bug what it is: a deadlock, an order bug, or a pattern on an entity', () => {
    for (const { name, expect } of everyHarness) {
      const { bug, deadlock, order, pattern, entity, entityMatch } = expect!;
      const named = (entity ?? entityMatch) !== undefined;
      const kinds = [deadlock === true, order === true, pattern !== undefined && named];
      assert.equal(kinds.filter(Boolean).length, bug ? 1 : 0, name);
    }
  });

  it('pair each bug with the same threads in a repaired program, where they come in pairs', () => {
    for (const { file, harnesses } of loaded)
      for (const bad of harnesses.filter(({ name }) => name.endsWith('/bad'))) {
        const ok = harnesses.find(({ name }) => name === bad.name.replace(/\/bad$/, '/ok'));
        assert.deepEqual([bad.expect?.bug, ok?.expect?.bug], [true, false], `${file} ${bad.name}`);
        assert.deepEqual(Object.keys(ok!.threads), Object.keys(bad.threads));
      }
  });

  for (const { file, harnesses } of loaded)
    for (const harness of harnesses)
      if (!harness.expect?.bug)
        it(`${harness.name} ends well in free threads`, () => runThreads(harness, file));
});
