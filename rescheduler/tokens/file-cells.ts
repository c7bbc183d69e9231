/** Files and directories as places beside those of shared memory: all threads of an execution number them alike. */
import { hash } from 'node:crypto';
import { cellOf } from '../../monitor/threads/cells.ts';
import type { Registry } from '../../monitor/threads/registry.ts';
import type { SharedView } from '../../monitor/threads/views.ts';

const WIDTH = 8;
/** Words: how many there are; then of each a hash of its name, and its address. */
const FIRST = 1;
const ENTRY = 2;
const MOST = 4096;
export const FILE_WORDS = FIRST + ENTRY * MOST;

/** Used only by whoever holds the token: the first that comes to a file places it. */
export class Files {
  private readonly table: Int32Array;
  private readonly registry: Registry;
  private readonly known = new Map<string, SharedView>();
  /** Called when this thread comes to a file that it did not know. */
  private readonly met: () => void;

  constructor(table: Int32Array, registry: Registry, met = () => {}) {
    this.table = table;
    this.registry = registry;
    this.met = met;
  }

  reset(): void {
    this.known.clear();
  }

  /** Those that this thread has met. */
  get views(): SharedView[] {
    return [...this.known.values()];
  }

  /** -1: there is no room for it. */
  cellOf(name: string): number {
    let view = this.known.get(name);
    if (!view) {
      const address = this.addressOf(hash('sha1', name, 'buffer').readInt32LE(0));
      if (address < 0) return -1;
      const cell = cellOf(address, WIDTH);
      view = { address, width: WIDTH, cell, stride: WIDTH, length: 1, name, named: true };
      this.known.set(name, view);
      this.met();
    }
    return view.cell;
  }

  private addressOf(key: number): number {
    const { table } = this;
    const end = FIRST + ENTRY * table[0]!;
    for (let at = FIRST; at < end; at += ENTRY) if (table[at] === key) return table[at + 1]!;
    if (table[0] === MOST) return -1;
    table[0]! += 1;
    table[end] = key;
    table[end + 1] = this.registry.place(WIDTH);
    return table[end + 1]!;
  }
}
