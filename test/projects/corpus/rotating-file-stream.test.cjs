// Two log streams write into one directory, which does not exist yet.
const assert = require('node:assert/strict');
const { mkdtemp, readFile } = require('node:fs/promises');
const { join } = require('node:path');
const test = require('node:test');
const { setTimeout: sleep } = require('node:timers/promises');
const createStream = require('rotating-file-stream-buggy');

test('access log and error log are both written', async () => {
  const path = join(await mkdtemp('logs-'), 'log');
  const logLine = (name, line) =>
    new Promise((resolve, reject) => {
      const stream = createStream(name, { path, size: '10M' });
      stream.on('error', reject);
      stream.on('finish', resolve);
      stream.end(line);
    });

  await Promise.all([logLine('access.log', 'GET /\n'), sleep(100).then(() => logLine('error.log', 'boom\n'))]);

  assert.equal(await readFile(join(path, 'access.log'), 'utf8'), 'GET /\n');
  assert.equal(await readFile(join(path, 'error.log'), 'utf8'), 'boom\n');
});
