/** One read brings as much as one read can of what the peer has written, however the kernel hands it out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { End } from '../../../../monitor/host/net/end.ts';
import { readWhole } from '../../../../monitor/host/net/whole-reads.ts';

const READ = 65_536;
const EOF = -4095;

/** What reads are told of a connection whose peer has sent `sent` bytes, where the kernel hands out pieces of these lengths. */
function told(sent: number, pieces: readonly number[]): number[] {
  const end = new End(null, 'port 1', (fn) => fn());
  end.peer = new End(null, 'port 1', (fn) => fn());
  end.peer.sent = sent;
  const left = [...pieces];
  let at = 0;
  const out: number[] = [];
  while (left.length > 0 || end.spare)
    readWhole(
      end,
      (then) => {
        const nread = left.shift()!;
        if (nread < 0) return then(nread, 0, undefined);
        // Each byte says where it stands; Node tells them at some offset of its buffer.
        const bytes = Uint8Array.from({ length: nread + 3 }, (_, i) => (at + i - 3) % 251);
        at += nread;
        then(nread, 3, bytes.buffer);
      },
      (nread, offset, buffer) => {
        out.push(nread);
        if (nread <= 0) return;
        const bytes = new Uint8Array(buffer!, offset, nread);
        assert.ok(bytes.every((byte, i) => byte === (end.got + i) % 251));
        end.got += nread;
      },
    );
  return out;
}

const TABLE: readonly (readonly [string, number, readonly number[], readonly number[]])[] = [
  ['all at once', 100, [100], [100]],
  ['in pieces', 100, [60, 40], [100]],
  ['a full read', 70_000, [READ, 4464], [READ, 4464]],
  ['a window that is smaller than a read', 131_090, [47_609, 17_927, READ, 18], [READ, READ, 18]],
  ['more than was missing', 131_090, [47_609, READ, 17_945], [READ, READ, 18]],
  ['the end behind a piece', 100, [60, EOF], [60, EOF]],
  ['the end behind more than a read', 200_000, [47_609, READ, EOF], [READ, 47_609, EOF]],
  ['the end alone', 0, [EOF], [EOF]],
];

for (const [what, sent, pieces, expected] of TABLE)
  test(`${what}: ${pieces.join(' ')}`, () => assert.deepEqual(told(sent, pieces), expected));

test('a buffer of the program is told as it was filled', () => {
  const end = new End(null, 'port 1', (fn) => fn());
  end.peer = new End(null, 'port 1', (fn) => fn());
  end.peer.sent = 100;
  const out: unknown[] = [];
  const then = (...args: unknown[]): void => void out.push(args);
  readWhole(end, (each) => each(60, 0, undefined), then);
  assert.deepEqual(out, [[60, 0, undefined]]);
});
