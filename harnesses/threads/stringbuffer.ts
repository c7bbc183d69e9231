/**
 * `StringBuffer.append(StringBuffer)`: asks the other buffer for its length, then for that many characters, each
 * under the other's lock. Bad: it may be cut in between. Good: both under one hold of that lock.
 */
import assert from 'node:assert/strict';
import { type AttachedFields, int32, Monitor, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

const CAPACITY = 8;
const fields = { monitor: Monitor.part, count: int32(), value: int32(CAPACITY) };

class StringBuffer {
  readonly monitor: Monitor;
  private readonly count: Int32Array;
  private readonly value: Int32Array;

  constructor({ monitor, count, value }: AttachedFields<typeof fields>) {
    this.monitor = monitor;
    this.count = count;
    this.value = value;
  }

  length(): number {
    return this.monitor.synchronized(() => this.count[0]!);
  }

  setLength(length: number): void {
    this.monitor.synchronized(() => {
      this.count[0] = length;
    });
  }

  /** The first `end` characters. */
  getChars(end: number): number[] {
    return this.monitor.synchronized(() => {
      if (end > this.count[0]!) throw new RangeError('StringIndexOutOfBounds');
      return Array.from({ length: end }, (_, at) => this.value[at]!);
    });
  }

  append(text: string): void {
    this.appendChars([...text].map((char) => char.charCodeAt(0)));
  }

  appendBuffer(other: StringBuffer): void {
    this.monitor.synchronized(() => {
      const length = other.length();
      this.appendChars(other.getChars(length));
    });
  }

  toString(): string {
    return String.fromCharCode(...this.getChars(this.length()));
  }

  private appendChars(chars: readonly number[]): void {
    this.monitor.synchronized(() => {
      const count = this.count[0]!;
      for (const [at, char] of chars.entries()) this.value[count + at] = char;
      this.count[0] = count + chars.length;
    });
  }
}

class SafeStringBuffer extends StringBuffer {
  override appendBuffer(other: StringBuffer): void {
    other.monitor.synchronized(() => super.appendBuffer(other));
  }
}

const buffers = (Class: typeof StringBuffer) => {
  const buffer = record(fields, (attached) => new Class(attached));
  return record({ target: buffer, source: buffer });
};

sharedTwins<{ target: StringBuffer; source: StringBuffer }>({
  name: 'stringbuffer',
  bad: buffers(StringBuffer),
  ok: buffers(SafeStringBuffer),
  initial: ({ source }) => source.append('abc'),
  threads: {
    appender: ({ target, source }) => target.appendBuffer(source),
    eraser: ({ source }) => source.setLength(0),
  },
  check: ({ target }) => assert.match(String(target), /^(abc)?$/),
  expect: { pattern: 'RWR', entity: 'source.count' },
});
