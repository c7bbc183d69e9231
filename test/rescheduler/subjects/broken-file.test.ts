import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { options, project } from './projects.ts';

const told = async (text: string): Promise<string> => {
  const cwd = project({ 'a.test.cjs': `require('node:test').test('x', () => {}); ${text}` });
  const found = await recordCommand(['node', '--test'], { cwd });
  const broken = found.find(({ isBroken }) => isBroken)!;
  return broken.record(options()).then(
    () => '',
    (error: Error) => error.message,
  );
};

const ONCE = `const fs = require('node:fs');
  if (!fs.existsSync('ran')) { fs.writeFileSync('ran', ''); process.exitCode = 1; }`;

test('a file that fails outside of its tests is told in its own words', async () =>
  assert.equal(
    await told(`console.error('Error: nobody listens'); process.exitCode = 1;`),
    'it fails outside of its test cases: Error: nobody listens',
  ));

test('where it does not when it is asked for them, that is said, with its error', async () => {
  const ends = 'it fails outside of its test cases, and ends with exit code 0 when it is run again';
  assert.equal(await told(ONCE), ends);
  assert.equal(
    await told(`console.error('Error: nobody listens'); ${ONCE}`),
    `${ends}: Error: nobody listens`,
  );
});
