/** --loopback: what fails only where a server seems far away is told as such, and left out where loopback is strict. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { project, readReport, run } from '../batch/command.ts';

const TESTS = `import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

async function connection() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const near = net.connect(server.address().port, '127.0.0.1');
  const [[far]] = await Promise.all([accepted, once(near, 'connect')]);
  return { near, far, close: () => { near.destroy(); far.destroy(); server.close(); } };
}

test('two answers of files are enough', async () => {
  const { near, far, close } = await connection();
  let got = '';
  far.on('data', (chunk) => { got += chunk; });
  near.write('x');
  await stat('.');
  await stat('.');
  assert.equal(got, 'x');
  close();
});

test('two messages are counted', async () => {
  await writeFile('count', '0');
  const { near, far, close } = await connection();
  let left = 2;
  const counted = new Promise((done) => {
    far.on('data', async () => {
      const count = Number(await readFile('count', 'utf8'));
      await writeFile('count', String(count + 1));
      if ((left -= 1) === 0) done();
    });
  });
  near.write('a');
  await sleep(20);
  near.write('b');
  await counted;
  assert.equal(await readFile('count', 'utf8'), '2');
  close();
});
`;

/** By test: whether what was found takes a network. */
async function found(t: TestContext, ...options: string[]): Promise<Record<string, boolean | null>> {
  const cwd = project(t, { 'a.test.js': TESTS });
  const command = [
    '--max-time',
    '60',
    '--max-schedules',
    '30',
    '--confirm',
    '1',
    ...options,
    '--',
    'node',
    '--test',
  ];
  const { out } = await run(cwd, ['run', '--json', 'out.json', ...command]);
  const { tests, bugs } = readReport(cwd);
  assert.deepEqual(
    tests.map(({ baseline }) => baseline),
    ['passed', 'passed'],
    out,
  );
  return Object.fromEntries(bugs.map(({ test: id, network }) => [id.replace(/^.*?:/, ''), network]));
}

test('a finding that takes a network says so', async (t) => {
  assert.deepEqual(await found(t), {
    'two answers of files are enough': true,
    'two messages are counted': false,
  });
});

test('strict loopback leaves out what takes a network, and no race', async (t) => {
  assert.deepEqual(await found(t, '--loopback', 'strict'), { 'two messages are counted': null });
});
