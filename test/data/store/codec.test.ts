import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeColumn, encodeColumn } from '../../../data/store/codec.ts';
import { StoreError } from '../../../data/store/error.ts';

const int32 = fc.oneof(
  fc.integer({ min: -2147483648, max: 2147483647 }),
  fc.integer({ min: -3, max: 200 }),
  fc.constantFrom(-2147483648, 2147483647, 0, -1),
);

test('every column of 32-bit integers round-trips', () => {
  fc.assert(
    fc.property(fc.array(int32, { maxLength: 300 }), fc.nat(5), (values, before) => {
      const into = new Int32Array(values.length + before + 1).fill(77);
      decodeColumn(encodeColumn(Int32Array.from(values)), into, before, values.length);
      assert.deepEqual([...into], [...Array(before).fill(77), ...values, 77]);
    }),
    { numRuns: 1000 },
  );
});

test('every column of bytes round-trips, and so does a part of it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(300), fc.nat(300), (values, a, b) => {
      const [from, to] = [Math.min(a, b, values.length), Math.min(Math.max(a, b), values.length)];
      const into = new Uint8Array(to - from);
      decodeColumn(encodeColumn(values, from, to), into, 0, to - from);
      assert.deepEqual(into, values.slice(from, to));
    }),
  );
});

test('a step of one takes one byte, the largest step five', () => {
  assert.equal(encodeColumn(Int32Array.of(1, 2, 3, 2, 1)).length, 5);
  assert.equal(encodeColumn(Int32Array.of(-2147483648)).length, 5);
});

const rejects = (bytes: readonly number[], count: number, code: string): void =>
  assert.throws(
    () => decodeColumn(Uint8Array.from(bytes), new Int32Array(count), 0, count),
    (error) => error instanceof StoreError && error.code === code,
  );

test('what the encoder cannot have written is refused', () => {
  rejects([], 1, 'truncated');
  rejects([2, 2], 3, 'truncated');
  rejects([0x80], 1, 'truncated');
  rejects([2, 2, 2], 2, 'corrupt');
  rejects([0x80, 0x00], 1, 'corrupt'); // padded
  rejects([0xff, 0xff, 0xff, 0xff, 0x10], 1, 'corrupt'); // 33 bits
  rejects([0xff, 0xff, 0xff, 0xff, 0x8f, 0x01], 1, 'corrupt'); // six bytes
});

test('a value that its column cannot hold is refused', () => {
  const bytes = encodeColumn(Int32Array.of(256));
  assert.throws(() => decodeColumn(bytes, new Uint8Array(1), 0, 1), StoreError);
});

test('random bytes decode or are refused, and what decodes is what would be encoded', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(40), (bytes, count) => {
      const into = new Int32Array(count);
      try {
        decodeColumn(bytes, into, 0, count);
      } catch (error) {
        assert.ok(error instanceof StoreError);
        return;
      }
      assert.deepEqual(encodeColumn(into), bytes);
    }),
    { numRuns: 5000 },
  );
});
