import assert from 'node:assert/strict';
import { test } from 'node:test';
import { project, readReport, run } from './batch/command.ts';

const JSON_OUT = ['--json', 'out.json', '--max-schedules', '1', '--confirm', '1', '--max-time', '300'];
const HEAD = `import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
let n = 0;
const add = async (by) => { const before = n; await readFile(import.meta.filename); n = before + by; };
`;
/** A run is given up sooner than usual. */
const QUICK = { 'unweave.config.json': '{ "watchdogMs": 500 }' };
/** Adds twice, then does what stands in the braces if an update was lost. */
const lost = (then: string): string =>
  `${HEAD}test('adds', async () => { await Promise.all([add(1), sleep(20).then(() => add(2))]); ${then} });\n`;

test('a forced order in which a turn never ends is a bug, and its twin is silent', async (t) => {
  const racy = project(t, { ...QUICK, 'a.test.js': lost('if (n !== 3) for (;;);') });
  const ended = await run(racy, ['run', ...JSON_OUT, '--', 'node', '--test']);
  assert.equal(ended.code, 1, ended.out + ended.err);
  const [bug] = readReport(racy).bugs;
  assert.equal(bug?.kind, 'timeout');
  assert.match(ended.out, /DoesNotEnd: the test does not end/);
  const [, id] = /unweave replay (\w+)/.exec(ended.out) as RegExpExecArray;
  const again = await run(racy, ['replay', id as string]);
  assert.equal(again.code, 1, again.out + again.err);

  const mended = project(t, { 'a.test.js': lost('for (let i = 0; i < 1e6 && n !== 3; i++);') });
  assert.equal(
    (await run(mended, ['run', ...JSON_OUT, '--max-schedules', '4', '--', 'node', '--test'])).code,
    0,
  );
});

const HANGS = `import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import net from 'node:net';
import { test } from 'node:test';
for (const patient of [false, true])
  test(patient ? 'patient' : 'hangs', async () => {
    const server = net.createServer((socket) => socket.on('error', () => {}).on('data', () => socket.write('pong')));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = net.connect(server.address().port, '127.0.0.1');
    await once(socket, 'connect');
    let pong = null;
    socket.on('data', (data) => { pong = data; });
    socket.write('ping');
    await stat(import.meta.filename);
    if (!patient || pong === null) await once(socket, 'data');
    socket.destroy();
    server.close();
  });
`;

test('a test that hangs beside an open server is a bug, and its twin is silent', async (t) => {
  const cwd = project(t, { 'a.test.mjs': HANGS });
  const { code, out, err } = await run(cwd, [
    'run',
    ...['--json', 'out.json', '--max-schedules', '50', '--confirm', '1'],
    ...['--', 'node', '--test'],
  ]);
  assert.equal(code, 1, out + err);
  const { bugs } = readReport(cwd);
  assert.deepEqual(
    bugs.map(({ test, kind, waits }) => [test, kind, waits]),
    [['a.test.mjs:hangs', 'deadlock', ["test waits at a.test.mjs:15:36: await once(socket, 'data')"]]],
  );
});
