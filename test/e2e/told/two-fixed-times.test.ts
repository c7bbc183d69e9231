/** A sleep that is too short, beside fixed times that change places in some of the orders that fail by the same error. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { project, readReport, run } from '../batch/command.ts';

const TEST = `const assert = require('node:assert/strict');
const net = require('node:net');
const test = require('node:test');
const linesOf = (text) => text.split('\\n').filter(Boolean);
test('replies come by their delay', (t, done) => {
  const server = net.createServer((peer) => {
    peer.setEncoding('utf8').on('data', (text) => {
      for (const delay of linesOf(text)) setTimeout(() => peer.write(delay + '\\n'), Number(delay));
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const socket = net.connect(server.address().port, '127.0.0.1', () => {
      const replies = [];
      socket.write('20\\n');
      socket.write('5\\n');
      socket.setEncoding('utf8').on('data', (text) => replies.push(...linesOf(text)));
      setTimeout(() => {
        socket.destroy();
        server.close();
        try {
          assert.equal(replies.length, 2);
          assert.deepEqual(replies, ['5', '20']);
          done();
        } catch (error) {
          done(error);
        }
      }, 40);
    });
  });
});
`;

test('an order in which the same sleep is too short, and more besides, says nothing of a race', async (t) => {
  const cwd = project(t, { 'a.test.cjs': TEST });
  const options = ['--max-schedules', '40', '--confirm', '1', '--json', 'out.json'];
  const { code, out } = await run(cwd, ['run', ...options, '--', process.execPath, '--test', 'a.test.cjs']);
  assert.equal(code, 0, out);
  assert.deepEqual(
    readReport(cwd).bugs.map((bug) => bug.class),
    ['timing', 'timing'],
  );
});
