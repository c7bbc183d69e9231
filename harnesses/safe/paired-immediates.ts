/**
 * Two immediates of one turn: the first puts a draft in place, the second the final text.
 * Looks racy: a reader might see the draft. Safe: immediates that were pending together run back to back.
 */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { harness } from '../api.ts';

class Board {
  text = 'old';
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async publish(): Promise<void> {
    await stat(this.dir);
    await new Promise<void>((resolve) => {
      setImmediate(() => {
        this.text = 'draft';
      });
      setImmediate(() => {
        this.text = 'final';
        resolve();
      });
    });
  }
}

const look = ({ text }: Board): void => assert.match(text, /^(old|final)$/);

harness({
  name: 'paired-immediates',
  setup: ({ dir }) => new Board(dir),
  tasks: {
    editor: (board) => board.publish(),
    reader: async (board) => {
      for (let at = 0; at < 4; at += 1) {
        await stat(board.dir);
        look(board);
      }
    },
    watcher: async (board) => {
      for (let at = 0; at < 3; at += 1) {
        await sleep(1);
        look(board);
      }
    },
  },
  check: ({ text }) => assert.equal(text, 'final'),
  expect: { bug: false },
});
