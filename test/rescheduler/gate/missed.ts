/**
 * Each row of the host is worth its place: with it an order is found that is missed when calls of this row stay native.
 * Beside one operation of the laboratory a chain of files and a sleep runs; who ends first is the order. A program that
 * takes one of the two for granted has a bug.
 */
import crypto from 'node:crypto';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ObservedStrategy } from '../../../rescheduler/strategies/observed.ts';
import type { ReadyStep, Strategy } from '../../../rescheduler/strategies/strategy.ts';
import { prepare } from '../../lab/operations/files.ts';
import type { Operations } from '../../lab/operations/operation.ts';
import { OPERATIONS } from '../../lab/operations/table.ts';
import { rowsHere } from '../../lab/rows.ts';
import { type Directories, gated, type Options } from './support.ts';

/** The row that a request belongs to: sockets, and children, are one row each. */
const rowOf = (api: string): string => /^(?:net|child_process)(?=\.)/.exec(api)?.[0] ?? api;

/** Those of this Node; a call that is synchronous has no other order. */
export const ROWS: readonly string[] = [
  ...new Set(
    rowsHere()
      .filter((api) => !api.endsWith('Sync'))
      .map(rowOf),
  ),
];

/** Longer than anything here takes by itself, ms. */
const LONG = 200;
/** Names the steps of the chain. */
const HERE = '/';

/** Of these Node itself says that they are at work, and no clock leaps: files must do. */
const LIVELY = new Set(['MessagePort', 'fs.watch', 'fs.watchFile']);

/** Of what the kernel has at once only what the poll phase brings together with it comes before or behind it. */
const timesOf = (row: string): number => {
  if (row === 'MessagePort' || row === 'fs.watch') return 1;
  return LIVELY.has(row) ? 1500 : 3;
};

/** A chain that does without the row. */
async function chain(row: string): Promise<void> {
  const look = row === 'fs.access' ? fsp.stat : fsp.access;
  const times = timesOf(row);
  for (let i = 0; i < times; i++) await look(HERE);
  if (row !== 'setTimeout' && !LIVELY.has(row)) await sleep(LONG);
}

/** What the laboratory does not ask for. */
const MORE: Operations = {
  // Node keeps a store of random numbers, and goes for new ones when it is empty.
  'crypto.randomInt until the store is empty': (_, { done }) => {
    for (let i = 0; i <= 1024; i++) crypto.randomInt(9, () => i === 1024 && done());
  },
  'the text of a file as a Blob': ({ directory }, { done }) => {
    fs.writeFileSync(`${directory}/new`, 'x');
    void fs.openAsBlob(`${directory}/new`).then((blob) => blob.text().then(done));
  },
  'fs.watch of what is done at once': ({ directory }, { done }) => {
    const watcher = fs.watch(directory, () => {
      watcher.close();
      done();
    });
    fs.mkdirSync(`${directory}/new`);
  },
};
export const USES: Operations = { ...OPERATIONS, ...MORE };

const isOfChain = ({ request }: ReadyStep): boolean =>
  request.what === HERE || (request.kind === 'timer' && !request.repeats && request.delay === LONG);

/** Lets the chain, or all else, come as late as it can. */
class Last implements Strategy {
  private readonly rest = new ObservedStrategy();
  private readonly chain: boolean;

  constructor(chain: boolean) {
    this.chain = chain;
  }

  choose(enabled: readonly ReadyStep[]): ReadyStep {
    const first = enabled.filter((ready) => isOfChain(ready) !== this.chain);
    return this.rest.choose(first.length > 0 ? first : enabled);
  }
}

/** An operation of the laboratory, with the small number that it takes. */
export interface Use {
  readonly operation: string;
  readonly n: number;
}

/** Who ended first: `operation chain` or `chain operation`; null where the run had no end. */
async function order(
  { operation, n }: Use,
  directories: Directories,
  row: string,
  options: Options,
): Promise<string | null> {
  const directory = directories.fresh();
  prepare(directory);
  const { status, value, doubts } = await gated(async () => {
    const ended: string[] = [];
    const ends = (what: string) => () => void ended.push(what);
    const done = new Promise<void>((resolve) =>
      USES[operation]!(
        { directory, id: 0, n, ms: (units) => units },
        { tell() {}, done: () => resolve(), hold: () => () => {} },
      ),
    );
    await Promise.all([done.then(ends('operation')), chain(row).then(ends('chain'))]);
    return ended.join(' ');
  }, options);
  return status === 'ok' && doubts.length === 0 ? (value as string) : null;
}

/** The rows that an operation uses. */
export async function rowsOf(use: Use, directories: Directories): Promise<ReadonlySet<string>> {
  const rows = new Set<string>();
  await order(use, directories, '', {
    observer: { issued: (request) => void (request.what !== HERE && rows.add(rowOf(request.api))) },
  });
  return rows;
}

/** The orders of a use that are found with the row, and not without it. */
export async function missedWithout(row: string, use: Use, directories: Directories): Promise<string[]> {
  const seen = async (without: readonly string[]) => {
    const orders = new Set<string | null>();
    for (const chainLast of [true, false])
      orders.add(
        // What stays native comes as late as the gate alone would have it.
        await order(use, directories, row, {
          strategy: new Last(chainLast),
          without,
          rules: { rounds: false },
        }),
      );
    return orders;
  };
  const found = await seen([]);
  for (const each of await seen([row])) found.delete(each);
  found.delete(null);
  return [...found] as string[];
}
