/**
 * Edits that are saved a moment after the last one.
 * Looks racy: edits and saves overlap. Safe: saves run one after another, and each writes what is there when
 * it begins.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { harness } from '../api.ts';
import { replaceFile } from '../lib/files.ts';

class Editor {
  text = '';
  saving: Promise<void> = Promise.resolve();
  timer: NodeJS.Timeout | undefined;
  readonly path: string;

  constructor(dir: string) {
    this.path = join(dir, 'text.txt');
  }

  type(letters: string): void {
    this.text += letters;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.saving = this.saving.then(() => replaceFile(this.path, this.text, 'editor'));
    }, 20);
  }

  async saved(): Promise<void> {
    clearTimeout(this.timer);
    this.saving = this.saving.then(() => replaceFile(this.path, this.text, 'editor'));
    await this.saving;
  }
}

harness({
  name: 'debounced-save',
  setup: ({ dir }) => new Editor(dir),
  tasks: {
    typist: async (editor) => {
      editor.type('a');
      await sleep(30);
      editor.type('b');
      await sleep(10);
      editor.type('c');
      await editor.saved();
    },
    closer: async (editor) => {
      await sleep(45);
      await editor.saved();
    },
  },
  check: async ({ path }) => assert.equal(await readFile(path, 'utf8'), 'abc'),
  expect: { bug: false },
});
