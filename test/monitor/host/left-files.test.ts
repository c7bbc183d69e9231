/** Files that a program leaves open: Node collects their handles and complains, which no run may hear of another. */
import assert from 'node:assert/strict';
import { fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { setImmediate as round } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MOST_LEFT } from '../../../monitor/host/fs-left.ts';
import { gated } from '../../rescheduler/gate/support.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Opens so many files in a run and forgets them: their descriptors. */
async function forgotten(count: number): Promise<readonly number[]> {
  const { value } = await gated(async () => {
    const descriptors: number[] = [];
    for (let i = 0; i < count; i++) descriptors.push((await open(import.meta.filename)).fd);
    return descriptors;
  });
  return value!;
}

const isOpen = (fd: number): boolean => {
  try {
    fstatSync(fd);
    return true;
  } catch {
    return false;
  }
};

describe('files that a run leaves open', () => {
  it('are not collected', async () => {
    const [fd] = await forgotten(1);
    for (let i = 0; i < 3; i++) {
      await round();
      collect();
    }
    assert.ok(isOpen(fd!));
  });

  it('are closed when there are too many, by the next run', async () => {
    const descriptors = await forgotten(MOST_LEFT + 10);
    assert.ok(descriptors.every(isOpen), 'the run itself may have as many as it likes');
    const [next] = await forgotten(1);
    const closed = descriptors.filter((fd) => fd !== next && !isOpen(fd));
    assert.ok(closed.length >= 9, `${closed.length} closed`);
    assert.ok(descriptors.slice(10).every(isOpen), 'the latest stay');
  });

  it('may be closed behind the run', async () => {
    const { value } = await gated(() => open(import.meta.filename));
    const handle: FileHandle = value!;
    await handle.close();
    assert.equal(handle.fd, -1);
    await forgotten(1);
  });
});
