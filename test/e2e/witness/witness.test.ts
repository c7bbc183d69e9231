/** The built command with --witness: bugs of each kind of subject fail on plain Node, too. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { WRONG } from '../bad-input/projects.ts';
import { API, project, readReport, run } from '../batch/command.ts';

const RUN = ['run', '--max-schedules', '5', '--confirm', '1', '--json', 'out.json', '--witness', '4'];

/** Two tasks read a file and write it back. */
const COUNTER = `import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { harness } from '${API}';
const count = async (file) => writeFile(file, String(Number(await readFile(file, 'utf8')) + 1));
harness({
  name: 'counter',
  setup: ({ dir }) => {
    const file = join(dir, 'n');
    writeFileSync(file, '0');
    return file;
  },
  tasks: { one: count, two: (file) => sleep(40).then(() => count(file)) },
  check: (file) => assert.equal(readFileSync(file, 'utf8'), '2'),
});
`;

function assertWitness(witness: string | null | undefined): void {
  const [ok = 0, of = 0] = (witness ?? '').split('/').map(Number);
  assert.ok(of === 4 && ok >= of / 2, `witness ${witness}`);
}

/** Two tasks wait for something that is no file between a read and a write. */
const waiting = (name: string, wait: string) => `import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { harness } from '${API}';
const add = async (state) => {
  const before = state.n;
  ${wait}
  state.n = before + 1;
};
harness({
  name: '${name}',
  setup: async () => {
    const server = net.createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { n: 0, server, port: server.address().port };
  },
  tasks: { one: add, two: (state) => sleep(40).then(() => add(state)) },
  check: ({ n, server }) => {
    server.close();
    assert.equal(n, 2);
  },
});
`;

test('harnesses that wait for files, sockets and jobs of other threads, and a replay', async (t) => {
  const socket = `const socket = net.connect(state.port, '127.0.0.1');
  socket.write('x');
  await once(socket, 'data');
  socket.destroy();`;
  const job = `await crypto.subtle.digest('SHA-1', Buffer.from('x'));`;
  const waits = { 'socket.js': waiting('socket', socket), 'job.js': waiting('job', job) };
  const cwd = project(t, { 'h.js': COUNTER, ...waits });
  const ended = await run(cwd, [...RUN, 'h.js', 'socket.js', 'job.js']);
  assert.equal(ended.code, 1, ended.err);
  const { bugs } = readReport(cwd);
  assert.deepEqual(bugs.map(({ test }) => test).sort(), ['h.js:counter', 'job.js:job', 'socket.js:socket']);
  for (const { witness } of bugs) assertWitness(witness);
  assert.equal(ended.out.match(/also fails on plain Node [234] of 4/g)?.length, 3);
  const { id } = bugs.find(({ test }) => test === 'h.js:counter')!;
  const replay = await run(cwd, ['replay', id, '--witness', '2']);
  assert.equal(replay.code, 1, replay.out + replay.err);
  assert.match(replay.out, /also fails on plain Node [12] of 2/);
});

test('a test case', async (t) => {
  const cwd = project(t, { 'a.test.js': WRONG });
  const ended = await run(cwd, [...RUN, '--', 'node', '--test']);
  assert.equal(ended.code, 1, ended.err);
  assertWitness(readReport(cwd).bugs[0]?.witness);
});

/** Whoever comes second finds nobody to wait for, and waits. */
const STUCK = `import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
test('stuck', async () => {
  let wake = null;
  const waits = async () => {
    await readFile('package.json');
    await new Promise((resolve) => { wake = resolve; });
  };
  const wakes = async () => {
    await sleep(40);
    wake?.();
  };
  await Promise.all([waits(), wakes()]);
});
`;

test('a test case that is stuck', async (t) => {
  const cwd = project(t, { 'a.test.js': STUCK });
  const ended = await run(cwd, [...RUN.slice(0, -1), '1', '--', 'node', '--test']);
  assert.equal(ended.code, 1, ended.err);
  const [bug] = readReport(cwd).bugs;
  assert.equal(bug?.kind, 'deadlock');
  assert.equal(bug?.witness, '1/1');
});

test('a plain run ends in the same words as a gated one', async (t) => {
  const scripts = {
    'pass.mjs': `setTimeout(() => {}, 5)`,
    'throw.mjs': `setTimeout(() => { throw new RangeError('late') }, 5)`,
    'code.mjs': `process.exitCode = 3`,
    'exit.mjs': `setTimeout(() => process.exit(4), 5)`,
    'clean.mjs': `setTimeout(() => process.exit(0), 5)`,
    'rejection.mjs': `Promise.reject(new TypeError('nobody'))`,
    'stuck.mjs': `await new Promise(() => {})`,
  };
  const cwd = project(t, scripts);
  const options = { limits: { maxStallMs: 1000, maxPauseMs: 250, watchdogMs: 10_000 } };
  for (const name of Object.keys(scripts)) {
    const [subject] = await recordCommand(['node', join(cwd, name)], { cwd });
    const gated = await subject!.executeFresh({ kind: 'observed' }, options);
    const plain = await subject!.executePlain({ requests: [], stretches: [], pauses: [] }, options);
    assert.deepEqual(
      [name, plain.outcome, plain.failure?.fingerprint],
      [name, gated.outcome, gated.failure?.fingerprint],
    );
    // As the user started it nothing but its end is known.
    const itself = await subject!.executePlain(null, options);
    assert.deepEqual([name, itself.outcome], [name, gated.outcome === 'deadlock' ? 'fail' : gated.outcome]);
    await subject!.close();
  }
});

const LEFT_OPEN = `import { appendFileSync } from 'node:fs';
import http from 'node:http';
import { test } from 'node:test';
process.once('exit', () => appendFileSync(new URL('./ended', import.meta.url), 'x'));
let server;
test('opens', () => { server = http.createServer().listen(0); });
test('closes', () => { server?.close(); });
`;

test('a plain run of a test whose server another one closes ends by itself, and is not given up', async (t) => {
  const cwd = project(t, { 'a.test.mjs': LEFT_OPEN });
  const found = await recordCommand(['node', '--test', 'a.test.mjs'], { cwd });
  const ends = () => readFileSync(join(cwd, 'ended'), 'utf8').length;
  const before = ends();
  const options = { limits: { maxStallMs: 1000, maxPauseMs: 250, watchdogMs: 1000 } };
  const plain = await found[0]!.executePlain({ requests: [], stretches: [], pauses: [] }, options);
  assert.deepEqual([plain.outcome, ends() - before], ['pass', 1]);
  for (const subject of found) await subject.close();
});
