/** Which requests for files are under way in the kernel: those that the gate carried out stay on Node's list, and are not. */
import assert from 'node:assert/strict';
import { opendir, stat } from 'node:fs';
import { stat as statLater } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { hasForeignFiles } from '../../../monitor/host/fs-taken.ts';
import { gated } from '../../rescheduler/gate/support.ts';

const listed = (): number =>
  (process as unknown as { _getActiveRequests(): unknown[] })._getActiveRequests().length;

describe('requests for files that the kernel has', () => {
  it('are not those that the gate has carried out', async () => {
    const counts = await gated(async () => {
      const before = listed();
      for (let i = 0; i < 20; i++) await new Promise((resolve) => stat('/', resolve));
      await new Promise((resolve) => opendir('/', (_, dir) => dir.close(resolve)));
      return { left: listed() - before, foreign: hasForeignFiles() };
    });
    assert.equal(counts.status, 'ok');
    const { left, foreign } = counts.value!;
    // Else this shows nothing.
    assert.ok(left > 0, `${left} left on the list`);
    assert.equal(foreign, false);
  });

  it('are those of whoever does not run in the gate', async () => {
    const over = new Promise((resolve) => stat('/', resolve));
    assert.equal(hasForeignFiles(), true);
    await over;
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(hasForeignFiles(), false);
    const promised = statLater('/');
    assert.equal(hasForeignFiles(), true);
    await promised;
  });
});
