/** Times of files that are told when they are read: the objects look like Node's own. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { it } from 'node:test';
import { inspect } from 'node:util';
import { type StatFields, UnreadTimes } from '../../../monitor/host/fs-stats.ts';

const MTIME = 12;
const TIME = 1234567.891;

it('a time is asked for when it is read, once, and all else is as Node makes it', () => {
  const before = fs.statSync('.');
  const wholeBefore = fs.statSync('.', { bigint: true });
  const shown = (object: object) => inspect({ object }).replace(/: [\d.]+n?/g, '');
  const natural = [before, wholeBefore].map(shown);
  const times = new UnreadTimes();
  const binding = (process as unknown as { binding(name: string): any }).binding('fs');
  const { stat } = binding;
  let asked = 0;
  const tell = () => {
    asked += 1;
    return TIME;
  };
  binding.stat = (...args: unknown[]) => {
    const fields = stat.apply(binding, args) as StatFields;
    times.put(fields, MTIME, tell);
    return fields;
  };
  const stats = fs.statSync('.');
  const whole = fs.statSync('.', { bigint: true });
  const other = fs.statSync('.');
  binding.stat = stat;

  assert.equal(asked, 0);
  assert.deepEqual(Object.keys(stats), Object.keys(before));
  assert.deepEqual([stats.mtimeMs, stats.mtimeMs, stats.mtime.getTime()], [TIME, TIME, Math.round(TIME)]);
  assert.equal(asked, 1);
  assert.deepEqual([whole.mtimeMs, whole.mtimeNs], [1234567n, 1234567891000n]);
  assert.deepEqual(JSON.parse(JSON.stringify(other)), {
    ...JSON.parse(JSON.stringify(before)),
    ...{ atimeMs: other.atimeMs, mtimeMs: TIME },
  });
  assert.deepEqual([shown(other), shown(whole)], natural);
  assert.match(inspect(whole), /mtimeNs: 1234567891000n/);
  other.mtimeMs = 1;
  assert.equal(other.mtimeMs, 1);
  const { mtimeInstant } = stats as unknown as { mtimeInstant?: { epochNanoseconds: bigint } };
  if (mtimeInstant) assert.equal(mtimeInstant.epochNanoseconds, 1234567891000n);
  assert.deepEqual(Object.keys(fs.statSync('.')), Object.keys(before));
});
