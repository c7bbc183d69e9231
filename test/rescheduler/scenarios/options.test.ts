/** Each option of a specification is needed: without it something that is as it should be looks wrong. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import type { Operation, Scenario } from '../../../harnesses/scenario.ts';
import { alarms } from './alarms.ts';
import { Exclusive } from './correct.ts';

const io = (): Promise<unknown> => stat('.');

/** The last writer wins, and nothing else is promised. */
class Cell {
  value = 0;
  writes = 0;

  async add(n: number): Promise<number> {
    const { value } = this;
    await io();
    this.writes += 1;
    this.value = value + n;
    return this.value;
  }

  async get(): Promise<number> {
    await io();
    return this.value;
  }
}

const ADD: Operation<Cell> = { run: (cell, n: number) => cell.add(n), args: [[1], [2]] };

class Line {
  private isOpen = true;
  private readonly sent: string[] = [];

  async send(text: string): Promise<void> {
    await io();
    if (!this.isOpen) throw Object.assign(new Error('closed'), { code: 'ECLOSED' });
    this.sent.push(text);
  }

  /** Whoever calls it twice at once gets an error. */
  async close(): Promise<string> {
    const wasOpen = this.isOpen;
    await io();
    this.isOpen = false;
    if (!wasOpen) return 'again';
    await io();
    return this.isOpen ? 'open' : 'closed';
  }
}

class Replica {
  private primary = 0;
  private replica = 0;

  async write(): Promise<void> {
    this.primary += 1;
    void io().then(() => {
      this.replica = this.primary;
    });
  }

  async read(): Promise<number> {
    await io();
    await io();
    return this.replica;
  }
}

/** A read may be served by what was there before: what has ended need not be seen yet. */
const stale = (): Scenario => ({
  name: 'a replica',
  setup: () => new Replica(),
  operations: {
    write: { run: (it: Replica) => it.write() },
    read: { run: (it: Replica) => it.read(), reads: true },
  },
  observe: () => null,
});

interface Needed {
  readonly option: string;
  readonly with: Scenario;
  readonly without: Scenario;
}

const cell = (add: Operation<Cell>, more: Partial<Scenario> = {}): Scenario => ({
  name: 'a cell',
  setup: () => new Cell(),
  operations: { add },
  observe: ({ value }: Cell) => ({ value }),
  ...more,
});

const needed: readonly Needed[] = [
  { option: 'alone', with: cell({ ...ADD, alone: 'writers' }), without: cell(ADD) },
  {
    option: "result: 'ignore'",
    with: cell({ ...ADD, result: 'ignore' }, { observe: ({ writes }: Cell) => writes }),
    without: cell(ADD, { observe: ({ writes }: Cell) => writes }),
  },
  {
    option: 'result',
    with: cell({ ...ADD, result: (n: number) => n > 0 }, { observe: ({ writes }: Cell) => writes }),
    without: cell(ADD, { observe: ({ writes }: Cell) => writes }),
  },
  { option: 'mask', with: cell(ADD, { mask: ['results.*.value', 'then.value'] }), without: cell(ADD) },
  {
    option: 'allow',
    with: cell(ADD, { allow: () => 'the last writer wins' }),
    without: cell(ADD),
  },
  {
    option: 'refuses',
    with: {
      ...{ name: 'exclusive', setup: () => new Exclusive(), observe: ({ count }: Exclusive) => count },
      operations: {
        run: { run: (it: Exclusive) => it.run(), refuses: (error) => String(error).includes('at work') },
      },
    },
    without: {
      ...{ name: 'exclusive', setup: () => new Exclusive(), observe: ({ count }: Exclusive) => count },
      operations: { run: { run: (it: Exclusive) => it.run() } },
    },
  },
  {
    option: 'last',
    with: {
      ...{ name: 'a line', setup: () => new Line(), observe: () => null },
      operations: { close: { run: (line: Line) => line.close(), last: true } },
    },
    without: {
      ...{ name: 'a line', setup: () => new Line(), observe: () => null },
      operations: { close: { run: (line: Line) => line.close() } },
    },
  },
  {
    option: 'reads',
    with: {
      ...{ name: 'a look', setup: () => ({ looks: 0 }), observe: () => null },
      operations: { look: { run: looked, reads: true }, rest: { run: () => io() } },
    },
    without: {
      ...{ name: 'a look', setup: () => ({ looks: 0 }), observe: () => null },
      operations: { look: { run: looked }, rest: { run: () => io() } },
    },
  },
  {
    option: "order: 'program'",
    with: { ...stale(), order: 'program' },
    without: stale(),
  },
];

/** It counts who looks, which is nobody's business. */
async function looked(it: { looks: number }): Promise<number> {
  const looks = ++it.looks;
  await io();
  return it.looks - looks;
}

for (const { option, with: spec, without } of needed)
  test(option, async () => {
    assert.deepEqual(await alarms(spec), []);
    assert.notDeepEqual(await alarms(without), [], 'nothing looks wrong without it');
  });

test("order: 'issued' shows what blind writes hide", async () => {
  const blind = (order: Scenario['order']): Scenario => ({
    ...{ name: 'a file that is saved', setup: () => ({ saved: '' }), ...(order && { order }) },
    operations: {
      save: {
        run: async (it: { saved: string }, text: string) => {
          await io();
          it.saved = text;
        },
        args: [['a'], ['b']],
      },
    },
    observe: ({ saved }: { saved: string }) => saved,
  });
  assert.deepEqual(await alarms(blind('real-time')), []);
  assert.notDeepEqual(await alarms(blind('issued')), []);
});

test('what is not atomic is said with the serial orders beside it', async () => {
  const said = (await alarms(cell(ADD))).find((text) => text.startsWith('a cell: add(1) ∥ add(2)'));
  assert.equal(
    said,
    [
      'a cell: add(1) ∥ add(2): no serial order of these 2 operations gives this outcome',
      '  this run         add(1) gives 1; add(2) gives 2; then { value: 2 }',
      '  add(1) < add(2)  add(1) gives 1; add(2) gives 3; then { value: 3 }   ← nearest',
      '  add(2) < add(1)  add(2) gives 2; add(1) gives 3; then { value: 3 }',
    ].join('\n'),
  );
});
