/**
 * Invoice numbers from a module-level variable.
 * Bad: the number is remembered only after the invoice is on disk; two invoices get the same number. RWW.
 */
import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

let lastInvoice = 0;

async function lateInvoice(dir: string, customer: string): Promise<void> {
  const number = lastInvoice + 1;
  await writeFile(join(dir, `${number}-${customer}.txt`), customer);
  lastInvoice = number;
}

async function earlyInvoice(dir: string, customer: string): Promise<void> {
  lastInvoice += 1;
  const number = lastInvoice;
  await writeFile(join(dir, `${number}-${customer}.txt`), customer);
}

interface State {
  readonly dir: string;
  readonly invoice: (dir: string, customer: string) => Promise<void>;
}

const stateOf = (dir: string, invoice: State['invoice']): State => {
  lastInvoice = 0;
  return { dir, invoice };
};

twins<State>({
  name: 'invoice-number',
  bad: ({ dir }) => stateOf(dir, lateInvoice),
  ok: ({ dir }) => stateOf(dir, earlyInvoice),
  tasks: {
    ann: ({ dir, invoice }) => invoice(dir, 'ann'),
    bob: async ({ dir, invoice }) => {
      await sleep(80);
      await invoice(dir, 'bob');
    },
  },
  check: async ({ dir }) => {
    const numbers = (await readdir(dir)).map((file) => file.split('-')[0]);
    assert.deepEqual(numbers.toSorted(), ['1', '2']);
  },
  expect: { pattern: 'RWW', entityMatch: 'invoice-number\\.[jt]s:lastInvoice$' },
});
