import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FEW_ORDERS, project, readReport, run } from '../batch/command.ts';

const JSON_OUT = ['--json', 'out.json', ...FEW_ORDERS];

const MOCHA = fileURLToPath(new URL('../../../node_modules/mocha/bin/mocha.js', import.meta.url));

/** A server in a process of its own, which writes down each connection and answers: when it is asked the time, that, late. */
const SERVER = `import { appendFileSync } from 'node:fs';
import { createServer } from 'node:net';
const server = createServer((socket) => {
  appendFileSync('connections', 'x');
  const answer = (bytes) => String(bytes) === '?' ? setTimeout(() => socket.write(String(Date.now())), 25) : socket.write(bytes);
  socket.on('data', answer).on('error', () => {});
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

const HEAD = (port: number): string => `import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';

const open = async () => { const socket = connect(${port}, '127.0.0.1'); await once(socket, 'connect'); return socket; };
const ask = async (socket) => { socket.write('x'); await once(socket, 'data'); };
let n = 0;
const add = async () => { const before = n; await readFile(import.meta.filename); n = before + 1; };
`;

/** The peer's port, and how often anybody has connected to it. */
async function peer(t: TestContext, cwd: string): Promise<{ port: number; connections: () => number }> {
  writeFileSync(join(cwd, 'server.mjs'), SERVER);
  writeFileSync(join(cwd, 'connections'), '');
  const child: ChildProcess = spawn(process.execPath, ['server.mjs'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill());
  const [port] = await once(child.stdout!, 'data');
  return {
    port: Number(String(port)),
    connections: () => readFileSync(join(cwd, 'connections'), 'utf8').length,
  };
}

test('a test that talks to another process is recorded once and not forced', async (t) => {
  const cwd = project(t);
  const { port, connections } = await peer(t, cwd);
  const racy = `test('asks', async () => { const s = await open(); await ask(s); s.destroy(); await Promise.all([add(), add()]); });\n`;
  writeFileSync(join(cwd, 'a.test.js'), HEAD(port) + racy);
  const ended = await run(cwd, ['run', ...JSON_OUT, '--', 'node', '--test']);
  assert.equal(connections(), 1, ended.out);
  assert.match(ended.out.replace(/\s+/g, ' '), new RegExp(`allow.* --allow-peer 127.0.0.1:${port}`));
  const [told] = readReport(cwd).tests;
  assert.equal(told?.schedules, 0);

  const allowed = await run(cwd, [
    ...['run', ...JSON_OUT],
    '--allow-peer',
    `127.0.0.1:${port}`,
    '--',
    'node',
    '--test',
  ]);
  assert.ok(connections() > 2, allowed.out);
});

test('a connection that only a forced order opens is refused before it is made', async (t) => {
  const cwd = project(t);
  const { port, connections } = await peer(t, cwd);
  const late = `test('asks when late', async () => {
  await Promise.all([add(), new Promise((r) => setTimeout(r, 20)).then(add)]);
  if (n !== 2) { const s = await open(); await ask(s); s.destroy(); assert.fail('lost'); }
});\n`;
  writeFileSync(join(cwd, 'a.test.js'), HEAD(port) + late);
  const ended = await run(cwd, ['run', ...JSON_OUT, '--', 'node', '--test']);
  assert.equal(connections(), 0, ended.out);
  assert.deepEqual(readReport(cwd).bugs, [], 'what was refused proves nothing');
});

test('a pool that a hook has opened is no deadlock', async (t) => {
  const cwd = project(t);
  const { port, connections } = await peer(t, cwd);
  const pooled = `let s;
before(async () => { s = await open(); });
after(() => s.destroy());
test('asks the pool', async () => { await ask(s); await ask(s); });\n`;
  writeFileSync(join(cwd, 'a.test.js'), HEAD(port) + pooled);
  const ended = await run(cwd, ['run', ...JSON_OUT, '--', 'node', '--test']);
  assert.equal(readReport(cwd).tests[0]?.baseline, 'passed', ended.out);
  assert.equal(connections(), 1);
});

test('a port of this process where nobody listens is no peer', async (t) => {
  const cwd = project(t);
  const nobody = `test('is refused', async () => { await assert.rejects(open(), { code: 'ECONNREFUSED' }); await Promise.all([add(), add()]); });\n`;
  writeFileSync(join(cwd, 'a.test.js'), HEAD(1) + nobody);
  const ended = await run(cwd, ['run', ...JSON_OUT, '--', 'node', '--test']);
  assert.ok((readReport(cwd).tests[0]?.schedules ?? 0) > 0, ended.out);
});

test('the clock of a peer is no slower than that of the test', async (t) => {
  const cwd = project(t);
  const { port } = await peer(t, cwd);
  const ages = `const slowly = async (s) => { s.write('?'); const [told] = await once(s, 'data'); return Number(told); };
test('what is kept for 60 ms is gone after 60 ms', async () => {
  const s = await open();
  let asked = 0;
  for (let n = 0; n < 3; n++) asked = await slowly(s);
  await new Promise((r) => setTimeout(r, 60));
  const age = (await slowly(s)) - asked;
  s.destroy();
  assert.ok(age >= 60, age + ' ms old');
});\n`;
  writeFileSync(join(cwd, 'a.test.js'), HEAD(port) + ages);
  const ended = await run(cwd, ['run', ...JSON_OUT, '--', 'node', '--test']);
  assert.equal(readReport(cwd).tests[0]?.baseline, 'passed', ended.out);
});

test('hooks of one file of Mocha say nothing of other files; a connection that these share is told as one', async (t) => {
  const cwd = project(t, { 'package.json': '{}' });
  const { port, connections } = await peer(t, cwd);
  const files = {
    'db.js': `
      const { connect } = require('node:net');
      const { once } = require('node:events');
      let socket;
      exports.ask = async () => {
        socket ??= connect(${port}, '127.0.0.1').unref();
        socket.write('x');
        await once(socket, 'data');
      };`,
    'test/a.js': `it('first', () => {});`,
    'test/b.js': `before(() => require('../db.js').ask()); it('asks', () => require('../db.js').ask());`,
    'test/c.js': `
      const { stat } = require('node:fs/promises');
      let n = 0;
      const add = async () => { const before = n; await stat('.'); n = before + 1; };
      it('adds', async () => {
        await Promise.all([add(), stat('.').then(() => stat('.')).then(() => stat('.')).then(() => add())]);
        if (n !== 2) throw new Error('lost');
      });`,
    'test/d.js': `const { stat } = require('node:fs/promises'); it('shares', () => Promise.all([require('../db.js').ask(), stat('.'), stat('..')]));`,
  };
  mkdirSync(join(cwd, 'test'));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(cwd, name), name === 'db.js' ? text : `describe('${name}', () => { ${text} });`);
  const ended = await run(cwd, ['run', ...JSON_OUT, '--', process.execPath, MOCHA]);
  assert.ok(ended.code !== 2, ended.err + ended.out);
  const [a, b, c, d] = readReport(cwd).tests;
  const none: readonly string[] = [];
  assert.deepEqual([a?.peers, c?.peers], [none, none], ended.out);
  assert.deepEqual([b?.peers, d?.peers], [[`127.0.0.1:${port}`], [`127.0.0.1:${port}`]], ended.out);
  assert.deepEqual(
    [b, c, d].map((each) => each?.baseline),
    ['passed', 'passed', 'passed'],
    ended.out,
  );
  assert.equal(readReport(cwd).bugs.length, 1, ended.out);
  assert.equal(connections(), 1);
});
