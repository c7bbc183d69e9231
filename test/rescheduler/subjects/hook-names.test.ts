/** What hooks have started has the same names whichever tests ran before. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { options, project } from './projects.ts';

const BODY = `
  const { port } = server.address();
  await new Promise((resolve, reject) => {
    http.get({ port, agent: false }, (answer) => answer.resume().on('end', resolve)).on('error', reject);
  });`;

const FILE = `
  const http = require('node:http');
  const fs = require('node:fs');
  const router = require('router');
  let server, looked;
  const look = (done) => fs.stat('.', done);
  before(async () => {
    const app = router();
    app.get((request, response) => response.end('x'));
    server = http.createServer(app);
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => { looked = () => look(() => {}); looked(); });
  after(() => server.close());
  for (const name of ['one', 'two', 'three']) it(name, async () => { looked(); ${BODY} });`;

/** A package, which is not looked into: what it calls behind streams of its own belongs to the hook. */
const ROUTER = `
  const zlib = require('node:zlib');
  module.exports = () => {
    const app = (request, response) => {
      const packed = zlib.createGzip();
      packed.resume().on('end', () => app.handler(request, response));
      packed.end('x');
    };
    return Object.assign(app, { get(handler) { app.handler = handler; } });
  };`;

const MOCHA = fileURLToPath(new URL('../../../node_modules/mocha/bin/mocha.js', import.meta.url));

for (const [runner, command, header] of [
  ['node:test', ['--test', 'a.test.js'], `const { it, before, beforeEach, after } = require('node:test');`],
  ['Mocha', [MOCHA, 'a.test.js'], ''],
] as const)
  test(runner, async () => {
    const cwd = project({ 'a.test.js': header + FILE, 'node_modules/router/index.js': ROUTER });
    const found = await recordCommand([process.execPath, ...command], { cwd });
    assert.equal(found.length, 3);
    for (const subject of found) {
      const { result } = await subject.record(options());
      assert.equal(result.outcome, 'pass', result.failure?.message);
      const warm = await subject.execute({ kind: 'observed' }, options());
      assert.deepEqual(warm.steps, result.steps);
      assert.equal((subject as Partial<{ unfit: string | null }>).unfit, null, subject.name);
      assert.deepEqual((await subject.executeFresh({ kind: 'observed' }, options())).steps, result.steps);
      await subject.close();
    }
  });
