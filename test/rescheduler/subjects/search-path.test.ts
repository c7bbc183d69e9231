import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { observed, options, project } from './projects.ts';

test('programs of installed packages are found in each run of a test that npm has started', async () => {
  const cwd = project({
    'package.json': JSON.stringify({ scripts: { test: 'node --test' } }),
    'node_modules/.bin/hello': '#!/bin/sh\necho hello\n',
    'a.test.mjs': `import { execFileSync } from 'node:child_process';
      import { test } from 'node:test';
      test('says hello', () => execFileSync('hello'));`,
  });
  chmodSync(join(cwd, 'node_modules/.bin/hello'), 0o755);
  const [subject] = await recordCommand(['npm', 'test'], { cwd });
  for (const run of [subject!.execute, subject!.executeFresh]) {
    const { outcome, failure } = await run.call(subject, observed, options());
    assert.equal(outcome, 'pass', failure?.message);
  }
  assert.equal((await subject!.executePlain(null, options())).outcome, 'pass');
  await subject!.close();
});
