import assert from 'node:assert/strict';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Notes, readNotes } from '../../../rescheduler/loops/notes.ts';
import { readWhole, writeWhole } from '../../../rescheduler/subjects/job.ts';
import { project } from './projects.ts';

test('what a program puts in the place of functions of fs neither sees nor spoils files of ours', () => {
  const dir = project({});
  const { openSync, renameSync, writeFileSync, writeSync } = fs;
  let calls = 0;
  const stub = () => ++calls;
  Object.assign(fs, { openSync: stub, renameSync: stub, writeFileSync: stub, writeSync: stub });
  try {
    writeWhole(join(dir, 'whole'), { some: 'thing' });
    new Notes(join(dir, 'notes')).tell({ unseen: 'a thing' });
  } finally {
    Object.assign(fs, { openSync, renameSync, writeFileSync, writeSync });
  }
  assert.equal(calls, 0);
  assert.deepEqual(readWhole(join(dir, 'whole')), { some: 'thing' });
  assert.deepEqual(readNotes(join(dir, 'notes')), [{ unseen: 'a thing' }]);
});
