/**
 * `addAll` of a vector whose every method is synchronised (Penelope, figure 1).
 * Bad: the size of the source is read in one synchronised call, its elements in a later one; a
 * `removeAll` in between leaves fewer elements than were counted.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import { twins } from '../lib/twins.ts';

class Vector<T> {
  elementCount = 0;
  elements: readonly T[] = [];
  readonly lock = new Mutex();
  readonly spill: string;

  constructor(spill: string, elements: readonly T[] = []) {
    this.spill = spill;
    this.elements = elements;
    this.elementCount = elements.length;
  }

  async size(): Promise<number> {
    return this.lock.runExclusive(() => this.elementCount);
  }

  async take(count: number): Promise<readonly T[]> {
    return this.lock.runExclusive(() => {
      if (count > this.elementCount) throw new RangeError(`${count} elements wanted of ${this.elementCount}`);
      return this.elements.slice(0, count);
    });
  }

  async removeAll(): Promise<void> {
    await this.lock.runExclusive(() => {
      this.elementCount = 0;
      this.elements = [];
    });
  }

  async addAll(source: Vector<T>): Promise<void> {
    await this.lock.runExclusive(async () => {
      const count = await source.size();
      await this.ensureCapacity(count);
      this.append(await source.take(count));
    });
  }

  async ensureCapacity(count: number): Promise<void> {
    await writeFile(this.spill, Buffer.alloc((this.elementCount + count) * 8));
  }

  append(added: readonly T[]): void {
    this.elements = [...this.elements, ...added];
    this.elementCount = this.elements.length;
  }
}

class SafeVector<T> extends Vector<T> {
  override async addAll(source: Vector<T>): Promise<void> {
    await this.lock.runExclusive(async () => {
      await source.lock.runExclusive(async () => {
        const count = source.elementCount;
        await this.ensureCapacity(count);
        this.append(source.elements.slice(0, count));
      });
    });
  }
}

interface State {
  readonly source: Vector<string>;
  readonly target: Vector<string>;
}

const fruit = ['apple', 'pear', 'plum'];

twins<State>({
  name: 'vector',
  bad: ({ dir }) => ({
    source: new Vector(join(dir, 'source.bin'), fruit),
    target: new Vector(join(dir, 'target.bin')),
  }),
  ok: ({ dir }) => ({
    source: new SafeVector(join(dir, 'source.bin'), fruit),
    target: new SafeVector(join(dir, 'target.bin')),
  }),
  tasks: {
    addAll: ({ source, target }) => target.addAll(source),
    removeAll: async ({ source }) => {
      await sleep(80);
      await source.removeAll();
    },
  },
  check: ({ target }) => assert.ok([0, 3].includes(target.elements.length)),
  expect: { pattern: 'RWR', entity: 'Vector#elementCount' },
});
