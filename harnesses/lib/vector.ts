/**
 * `java.util.Vector` as it was when Penelope met it, in shared memory. Every method locks its
 * own collection; the five that take another collection as their parameter ask that one step by step, so that its
 * size may go stale in between.
 */
import { type AttachedFields, int32, Monitor } from '../../monitor/threads/api.ts';

export const CAPACITY = 8;

export const vectorFields = {
  monitor: Monitor.part,
  elementCount: int32(),
  modCount: int32(),
  elementData: int32(CAPACITY),
};

export class Vector {
  private readonly monitor: Monitor;
  protected readonly elementCount: Int32Array;
  protected readonly modCount: Int32Array;
  /** Elements are numbers other than 0, which stands for null. */
  protected readonly elementData: Int32Array;

  constructor(fields: AttachedFields<typeof vectorFields>) {
    this.monitor = fields.monitor;
    this.elementCount = fields.elementCount;
    this.modCount = fields.modCount;
    this.elementData = fields.elementData;
  }

  /** As a block `synchronized (vector)` does. */
  synchronized<T>(body: () => T): T {
    return this.monitor.synchronized(body);
  }

  size(): number {
    return this.synchronized(() => this.elementCount[0]!);
  }

  get(index: number): number {
    return this.synchronized(() => {
      if (index >= this.elementCount[0]!) throw new RangeError('ArrayIndexOutOfBounds');
      return this.elementData[index]!;
    });
  }

  add(element: number): void {
    this.synchronized(() => {
      this.modCount[0]!++;
      const count = this.elementCount[0]!;
      this.ensureCapacity(count + 1);
      this.elementData[count] = element;
      this.elementCount[0] = count + 1;
    });
  }

  indexOf(element: number): number {
    return this.synchronized(() => {
      for (let index = 0; index < this.elementCount[0]!; index++)
        if (this.elementData[index] === element) return index;
      return -1;
    });
  }

  contains(element: number): boolean {
    return this.indexOf(element) >= 0;
  }

  removeElementAt(index: number): void {
    this.synchronized(() => {
      const count = this.elementCount[0]!;
      if (index >= count) throw new RangeError('ArrayIndexOutOfBounds');
      this.modCount[0]!++;
      for (let at = index; at < count - 1; at++) this.elementData[at] = this.elementData[at + 1]!;
      this.elementData[count - 1] = 0;
      this.elementCount[0] = count - 1;
    });
  }

  removeAllElements(): void {
    this.synchronized(() => {
      this.modCount[0]!++;
      for (let at = 0; at < this.elementCount[0]!; at++) this.elementData[at] = 0;
      this.elementCount[0] = 0;
    });
  }

  toArray(): number[] {
    return this.copyInto([]);
  }

  /** `toArray(Object[] a)`: fills `into`, or a new array if that is too small; what is left over becomes null. */
  copyInto(into: number[]): number[] {
    return this.synchronized(() => {
      const count = this.elementCount[0]!;
      const array = into.length < count ? new Array<number>(count) : into;
      for (let at = 0; at < count; at++) array[at] = this.elementData[at]!;
      if (array.length > count) array[count] = 0;
      return array;
    });
  }

  /** Not synchronised, as in Java: only the single calls that it makes are. */
  iterator(): Iterator {
    return new Iterator(this, this.modCount);
  }

  /** `new Vector(c)`. The collection was empty before. */
  fillFrom(c: Vector): void {
    this.synchronized(() => {
      const count = c.size();
      const elements = new Array<number>(count).fill(0);
      c.copyInto(elements);
      for (let at = 0; at < count; at++) this.elementData[at] = elements[at]!;
      this.elementCount[0] = count;
    });
  }

  addAll(c: Vector): void {
    this.synchronized(() => {
      this.modCount[0]!++;
      const added = c.size();
      const count = this.elementCount[0]!;
      this.ensureCapacity(count + added);
      const elements = c.iterator();
      for (let at = 0; at < added; at++) this.elementData[count + at] = elements.next();
      this.elementCount[0] = count + added;
    });
  }

  containsAll(c: Vector): boolean {
    return this.synchronized(() => {
      for (const elements = c.iterator(); elements.hasNext(); )
        if (!this.contains(elements.next())) return false;
      return true;
    });
  }

  removeAll(c: Vector): void {
    this.synchronized(() => this.keepIf((element) => !c.contains(element)));
  }

  retainAll(c: Vector): void {
    this.synchronized(() => this.keepIf((element) => c.contains(element)));
  }

  protected keepIf(keep: (element: number) => boolean): void {
    for (let at = 0; at < this.elementCount[0]!; )
      if (keep(this.elementData[at]!)) at++;
      else this.removeElementAt(at);
  }

  private ensureCapacity(wanted: number): void {
    if (wanted > CAPACITY) throw new RangeError('OutOfMemory');
  }
}

/** `AbstractList.Itr`: fails where it can tell that the collection was changed under it. */
class Iterator {
  private cursor = 0;
  private readonly vector: Vector;
  private readonly modCount: Int32Array;
  private readonly expectedModCount: number;

  constructor(vector: Vector, modCount: Int32Array) {
    this.vector = vector;
    this.modCount = modCount;
    this.expectedModCount = modCount[0]!;
  }

  hasNext(): boolean {
    return this.cursor !== this.vector.size();
  }

  next(): number {
    if (this.modCount[0] !== this.expectedModCount) throw new Error('ConcurrentModification');
    const element = this.vector.get(this.cursor);
    this.cursor++;
    return element;
  }
}

/** Asks the other collection once, for all that is needed of it. */
export class SafeVector extends Vector {
  override fillFrom(c: Vector): void {
    this.synchronized(() => this.append(c.toArray()));
  }

  override addAll(c: Vector): void {
    this.synchronized(() => this.append(c.toArray()));
  }

  override containsAll(c: Vector): boolean {
    return this.synchronized(() => c.toArray().every((element) => this.contains(element)));
  }

  override removeAll(c: Vector): void {
    this.synchronized(() => {
      const elements = c.toArray();
      this.keepIf((element) => !elements.includes(element));
    });
  }

  override retainAll(c: Vector): void {
    this.synchronized(() => {
      const elements = c.toArray();
      this.keepIf((element) => elements.includes(element));
    });
  }

  private append(elements: readonly number[]): void {
    for (const element of elements) this.add(element);
  }
}
