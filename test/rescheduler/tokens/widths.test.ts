/** Views of different width over one buffer: what overlaps conflicts, what does not does not. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { addressOf, cellAround, cellOf, covering, widthOf } from '../../../monitor/threads/cells.ts';
import { forced } from '../../../predictor/threads/schedules.ts';
import { Bundled, predicted } from './bundled.ts';

const FILE = new URL('./fixtures/widths.ts', import.meta.url);
const bundled = new Bundled();
after(() => bundled.close());

/** Entities of the cut points, and how their schedules end. */
async function ends(name: string): Promise<string[]> {
  const { ran, trace } = await bundled.run(FILE, name, { kind: 'observed' }, true);
  assert.equal(ran.outcome, 'pass');
  const all: string[] = [];
  for (const cutPoint of predicted(trace!)) {
    const schedule = forced(trace!, cutPoint);
    const again = await bundled.run(FILE, name, { kind: 'directed', schedule });
    all.push(`${cutPoint.pattern} ${cutPoint.entity}: ${again.ran.outcome} ${again.ran.followed}`);
  }
  return all;
}

describe('accesses of different width', () => {
  it('conflict where they overlap: a word loses the byte that another thread wrote in it', async () => {
    assert.deepEqual(await ends('within'), ['RWW words[0]: fail followed']);
  });

  it('conflict where one crosses the end of the other', async () => {
    const all = await ends('across');
    assert.equal(all.length, 1);
    assert.match(all[0]!, /^RWW .*: fail followed$/);
  });

  it('are nothing to each other side by side', async () => {
    assert.deepEqual(await ends('beside'), []);
    assert.deepEqual(await ends('behind'), []);
    assert.deepEqual(await ends('bytes of one word'), []);
  });
});

describe('cells', () => {
  it('tell where they begin and how long they are', () => {
    const seen = new Set<number>();
    for (const width of [1, 2, 4, 8])
      for (let address = 0; address < 64; address += width) {
        const cell = cellOf(address, width);
        assert.deepEqual([addressOf(cell), widthOf(cell)], [address, width]);
        assert.equal(cellAround(address, width), cell);
        seen.add(cell);
      }
    assert.equal(seen.size, 64 + 32 + 16 + 8);
  });

  it('hold what is not aligned', () => {
    for (let address = 0; address < 40; address++)
      for (const width of [1, 2, 4, 8]) {
        const cell = cellAround(address, width);
        assert.ok(addressOf(cell) <= address && address + width <= addressOf(cell) + widthOf(cell));
        assert.equal(addressOf(cell) % widthOf(cell), 0);
      }
    assert.equal(cellAround(1, 2), cellOf(0, 4));
  });

  it('are covered by the largest that was accessed', () => {
    const [byte, half, word, next, far] = [
      cellOf(3, 1),
      cellOf(2, 2),
      cellOf(0, 4),
      cellOf(4, 4),
      cellOf(9, 1),
    ];
    const found = covering([byte, next, far, word, half]);
    assert.deepEqual(
      [byte, half, word, next, far].map((cell) => found.get(cell)),
      [word, word, word, next, far],
    );
  });
});
