/**
 * A shelf of books that is saved as a whole, by a new file under its name.
 * Bad: a save that is late puts an older shelf over a newer one. The flag `dirty`, which both tasks write too, harms nobody.
 * Ok: saves wait for each other.
 */
import assert from 'node:assert/strict';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../../../harnesses/lib/twins.ts';

class Shelf {
  readonly file: string;
  readonly books: string[] = [];
  dirty = false;

  constructor(dir: string) {
    this.file = join(dir, 'shelf.json');
  }

  async add(book: string): Promise<void> {
    this.books.push(book);
    this.dirty = true;
    await this.save(JSON.stringify(this.books), `${this.file}.${this.books.length}`);
    this.dirty = false;
  }

  async save(text: string, temporary: string): Promise<void> {
    await writeFile(temporary, text);
    await rename(temporary, this.file);
  }
}

class OrderedShelf extends Shelf {
  saved: Promise<void> = Promise.resolve();

  override save(text: string, temporary: string): Promise<void> {
    this.saved = this.saved.then(() => super.save(text, temporary));
    return this.saved;
  }
}

twins<Shelf>({
  name: 'stale-save',
  bad: ({ dir }) => new Shelf(dir),
  ok: ({ dir }) => new OrderedShelf(dir),
  tasks: {
    ann: (shelf) => shelf.add('Emma'),
    bob: async (shelf) => {
      await sleep(20);
      await shelf.add('Ulysses');
    },
  },
  check: async (shelf) =>
    assert.deepEqual(JSON.parse(await readFile(shelf.file, 'utf8')), ['Emma', 'Ulysses']),
  expect: {},
});
