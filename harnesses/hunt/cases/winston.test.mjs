// Two requests log to a file that is rotated by its size.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import winston from 'winston';
import { freshDirectory } from './directory.mjs';

test('no line is lost when the file is rotated', async (t) => {
  const dirname = await freshDirectory(t);
  const transport = new winston.transports.File({ dirname, filename: 'app.log', maxsize: 20 });
  const logger = winston.createLogger({ format: winston.format.simple(), transports: [transport] });
  const request = async (name) => {
    logger.info(`begin ${name}`);
    await sleep(20);
    logger.info(`end ${name}`);
  };
  await Promise.all([request('a'), sleep(50).then(() => request('b'))]);
  logger.end();
  await once(transport, 'finish');
  const files = await readdir(dirname);
  const lines = await Promise.all(files.map((file) => readFile(join(dirname, file), 'utf8')));
  assert.equal(lines.join('').split('\n').filter(Boolean).length, 4);
});
