/** A user's project, made of what the documents show. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { blocks, doc } from './commands.ts';

/** This checkout. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const ACCOUNT = `import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';

export class Account {
  balance = 0;
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async deposit(amount: number): Promise<void> {
    const before = this.balance;
    await appendFile(join(this.dir, 'audit.log'), 'deposit\\n');
    this.balance = before + amount;
  }
}
`;

const SHOP = `import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export class Shop {
  readonly stock: string;
  readonly receipts: number[] = [];

  constructor(stock: string) {
    this.stock = stock;
  }
  static async open(dir: string, { coffee }: { coffee: number }): Promise<Shop> {
    const stock = join(dir, 'stock');
    await writeFile(stock, String(coffee));
    return new Shop(stock);
  }
  async onHand(): Promise<number> {
    return Number(await readFile(this.stock, 'utf8'));
  }
  async sold(): Promise<number> {
    return this.receipts.reduce((a, b) => a + b, 0);
  }
  async order(_name: string, bags: number): Promise<void> {
    const left = await this.onHand();
    if (left < bags) return;
    await writeFile(this.stock, String(left - bags));
    this.receipts.push(bags);
  }
}
`;

/** Two deposits of which the second usually begins when the first has ended. */
const deposits = (account: string): string => `
const dir = await mkdtemp(join(tmpdir(), 'account-'));
const account = new ${account}(dir);
await Promise.all([account.deposit(50), sleep(100).then(() => account.deposit(50))]);
await rm(dir, { recursive: true });
assert.equal(account.balance, 100);
`;

const IMPORTS = `import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
`;

const CART = `${IMPORTS}import { test } from 'node:test';
import { Account } from '../src/account.ts';

test('two deposits', async () => {${deposits('Account')}});
`;

const SCRIPT = `${IMPORTS}import { Account } from './src/account.ts';
${deposits('Account')}`;

const one = (name: string, language: string, holds: string): string => {
  const found = blocks(doc(name), language).filter((block) => block.includes(holds));
  if (found.length !== 1) throw new Error(`${name}: ${found.length} blocks hold ${holds}`);
  return found[0]!;
};

/** What the commands do does not depend on how often a bug is confirmed, nor on how many orders come behind it. */
const BUDGETS = '{ "confirm": 1, "maxSchedules": 3 }\n';

/** By path; harnesses and the trace are those of the documents, word for word. */
export const FILES: Readonly<Record<string, string>> = {
  'unweave.config.json': BUDGETS,
  'src/account.ts': ACCOUNT,
  'src/shop.ts': SHOP,
  'harnesses/bank.ts': one('README.md', 'ts', "from 'unweave'"),
  'harnesses/shop.ts': one('docs/harnesses.md', 'ts', "from 'unweave'"),
  'test/cart.test.ts': CART,
  'script.js': SCRIPT,
  'bank.js': one('docs/threads.md', 'js', '// bank.js'),
  'teller.js': one('docs/threads.md', 'js', '// teller.js'),
  'trace.std': one('docs/std-traces.md', '', 'T0|fork(T1)|10'),
};

/** Puts this checkout, and a package to look into, where an installation would. */
export function install(cwd: string): void {
  const modules = join(cwd, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  symlinkSync(ROOT, join(modules, 'unweave'));
  const command = `#!/bin/sh\nexec node '${join(ROOT, 'dist/cli/bin.js')}' "$@"\n`;
  writeFileSync(join(modules, '.bin', 'unweave'), command, { mode: 0o755 });
  const database = dirname(fileURLToPath(import.meta.resolve('node-json-db-fixed/package.json')));
  cpSync(database, join(modules, 'node-json-db'), { recursive: true });
}
