/** A store of traces of threads that was damaged: read, or refused in one line, and never made worse by reading. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { damage } from '../../data/store/damage.ts';
import { random } from '../../data/store/support.ts';
import { emptyFolder, run } from '../io.ts';

const block = (at: number): string =>
  [
    'A|begin|1',
    'A|acq(l)|1',
    `A|r(x)|${at}`,
    'A|rel(l)|1',
    `A|w(x)|${at + 1}`,
    'A|end|2',
    `B|w(x)|${at + 2}`,
  ].join('\n');

test('inspect: one line and exit code 2, or an answer; the file stays as it is', async () => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 't.std'), `${[0, 10, 20, 0, 10, 20].map(block).join('\n')}\n`);
  const stored = ['--std', 't.std', '--store'];
  assert.equal((await run(['predict', ...stored, 'good.db'], {}, { cwd })).code, 0);
  const next = random(3);
  let [refused, shown] = [0, 0];
  for (let round = 0; round < 150; round++) {
    if (!damage(join(cwd, 'good.db'), join(cwd, 'bad.db'), next)) continue;
    const before = readFileSync(join(cwd, 'bad.db'));
    for (const triple of [[], ['3-7-5']]) {
      const { code, err, out } = await run(['inspect', ...stored, 'bad.db', ...triple], {}, { cwd });
      assert.match(err, code === 0 ? /^$/ : /^unweave: [^\n]+\n$/);
      assert.ok(code === 0 || code === 2, err);
      assert.doesNotMatch(out, /undefined|NaN/);
      if (code === 0) shown += 1;
      else refused += 1;
    }
    assert.deepEqual(readFileSync(join(cwd, 'bad.db')), before);
  }
  assert.ok(refused > 50 && shown > 50, `${refused} refused, ${shown} shown`);
});
