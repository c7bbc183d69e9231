// Quotes come from a first replica, or from a second one when the first is slow.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

class Quotes {
  price = 0;
  source = 'none';

  constructor(dir) {
    this.dir = dir;
  }

  async load(replica) {
    const text = await readFile(join(this.dir, replica), 'utf8');
    const { price } = JSON.parse(text);
    this.price = price;
    this.source = replica;
    return replica;
  }

  async refresh() {
    const first = this.load('first');
    const winner = await Promise.race([first, sleep(200, null, { ref: false })]);
    if (winner === null) await this.load('second');
    await writeFile(join(this.dir, 'published'), `${this.price}`);
    return this.source;
  }
}

class TokenQuotes extends Quotes {
  current = 0;

  async load(replica) {
    const mine = ++this.current;
    const { price } = JSON.parse(await readFile(join(this.dir, replica), 'utf8'));
    if (mine === this.current) {
      this.price = price;
      this.source = replica;
    }
    return replica;
  }
}

async function refreshed(Kind) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  await writeFile(join(dir, 'first'), '{"price":10}');
  await writeFile(join(dir, 'second'), '{"price":12}');
  const quotes = new Kind(dir);
  const source = await quotes.refresh();
  await sleep(500);
  assert.equal(`${quotes.price}`, await readFile(join(dir, 'published'), 'utf8'), source);
  await rm(dir, { recursive: true });
}

test('racy', () => refreshed(Quotes));
test('repaired', () => refreshed(TokenQuotes));
