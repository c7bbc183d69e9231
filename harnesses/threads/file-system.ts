/**
 * The file-system model of iterative context bounding: threads give their inodes blocks. Bad: the next free block is
 * read in one critical section and moved on in another. Good: in one.
 */
import assert from 'node:assert/strict';
import { type AttachedFields, int32, list, Mutex, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

const INODES = 2;
const fields = {
  inodeLock: list(Mutex.part, INODES),
  blockLock: Mutex.part,
  inode: int32(INODES),
  firstFree: int32(),
};

class FileSystem {
  readonly memory: AttachedFields<typeof fields>;

  constructor(memory: AttachedFields<typeof fields>) {
    this.memory = memory;
  }

  /** Gives the inode a block if it has none. Blocks count from 1. */
  allocate(inode: number): void {
    this.memory.inodeLock[inode]!.runExclusive(() => {
      if (this.memory.inode[inode] === 0) this.memory.inode[inode] = this.freeBlock();
    });
  }

  protected freeBlock(): number {
    const { blockLock, firstFree } = this.memory;
    const block = blockLock.runExclusive(() => firstFree[0]!);
    blockLock.runExclusive(() => {
      firstFree[0] = block + 1;
    });
    return block + 1;
  }
}

class SafeFileSystem extends FileSystem {
  protected override freeBlock(): number {
    const { blockLock, firstFree } = this.memory;
    return blockLock.runExclusive(() => ++firstFree[0]!);
  }
}

sharedTwins<FileSystem>({
  name: 'file-system',
  bad: record(fields, (memory) => new FileSystem(memory)),
  ok: record(fields, (memory) => new SafeFileSystem(memory)),
  threads: { one: (fs) => fs.allocate(0), two: (fs) => fs.allocate(1) },
  check: ({ memory: { inode } }) => assert.deepEqual([...inode].sort(), [1, 2]),
  expect: { pattern: 'RWW', entity: 'firstFree' },
});
