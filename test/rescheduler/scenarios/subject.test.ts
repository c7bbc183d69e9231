import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_LIMITS } from '../../../data/run.ts';
import { discoverHarnesses } from '../../../rescheduler/subjects/discover.ts';
import { temporary } from '../../temporary.ts';

const API = new URL('../../../harnesses/api.ts', import.meta.url).href;
const TEXT = `import { existsSync } from 'node:fs';
import { scenario } from '${API}';
// No answer comes as long as the file is there.
const setup = () => { while (existsSync('busy')); return {}; };
scenario({ name: 's', setup, operations: { go: { run: async () => 1 } } });
`;

test('a process that was ended is not taken over by the next scenario', async () => {
  const cwd = temporary('unweave-scenarios');
  writeFileSync(join(cwd, 's.ts'), TEXT);
  const [first, second] = await discoverHarnesses(['s.ts'], { cwd });
  const ended = new AbortController();
  const limits = { ...DEFAULT_LIMITS };
  await first!.execute({ kind: 'observed' }, { limits });
  writeFileSync(join(cwd, 'busy'), '');
  const cut = first!.execute({ kind: 'observed' }, { limits, signal: ended.signal });
  setImmediate(() => ended.abort(new Error('over')));
  await assert.rejects(cut, /over/);
  rmSync(join(cwd, 'busy'));
  await first!.close();
  const { outcome, failure } = await second!.execute({ kind: 'observed' }, { limits });
  assert.equal(outcome, 'pass', failure?.message);
  await second!.close();
});
