// A document with versions: who meets a newer version tries once more, and does not look at the version then.
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

class Store {
  document = { version: 1, tags: [] };

  async read() {
    await stat(new URL(import.meta.url));
    return this.document;
  }

  async write(expected, document) {
    await stat(new URL(import.meta.url));
    if (expected !== null && this.document.version !== expected) return false;
    this.document = { ...document, version: this.document.version + 1 };
    return true;
  }
}

class Tagger {
  constructor(store) {
    this.store = store;
  }

  async add(tag) {
    const seen = await this.store.read();
    const next = { ...seen, tags: [...seen.tags, tag] };
    if (await this.store.write(seen.version, next)) return;
    await sleep(5);
    const again = await this.store.read();
    await this.store.write(null, { ...again, tags: [...again.tags, tag] });
  }
}

class PatientTagger extends Tagger {
  async add(tag) {
    for (;;) {
      const seen = await this.store.read();
      if (await this.store.write(seen.version, { ...seen, tags: [...seen.tags, tag] })) return;
      await sleep(5);
    }
  }
}

async function tagged(Kind) {
  const store = new Store();
  const tagger = new Kind(store);
  await Promise.all([
    tagger.add('new'),
    sleep(50).then(() => tagger.add('sale')),
    sleep(100).then(() => tagger.add('last')),
  ]);
  assert.deepEqual(store.document.tags.toSorted(), ['last', 'new', 'sale']);
}

test('racy', () => tagged(Tagger));
test('repaired', () => tagged(PatientTagger));
