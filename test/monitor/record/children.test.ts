/** What a recording says of children, for people. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Directories } from '../../rescheduler/gate/support.ts';
import { recorded } from './recorded.ts';

const directories = new Directories();
after(() => directories.remove());

test('a child is told by its program, and of Node by its script', async () => {
  const { requests } = await recorded(
    `import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
export default async (dir) => {
  writeFileSync(dir + '/job.cjs', '');
  await once(fork(dir + '/job.cjs'), 'exit');
  await promisify(execFile)(process.execPath, ['-e', '0']);
  await promisify(execFile)('/bin/true');
};`,
    directories,
  );
  assert.deepEqual(
    requests.filter(({ api }) => api === 'child_process.exit').map(({ what }) => what),
    ['node job.cjs', 'node', 'true'],
  );
});
