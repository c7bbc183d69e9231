/** A test awaits one call after the other: two of them at the same time lose a count, under each runner; held by a lock they do not. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DEFAULT_LIMITS } from '../../../data/run.ts';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { WHOLE } from '../../extent.ts';
import { project } from '../subjects/projects.ts';

/** With what a proxy around it would break. */
const STORE = `
const { readFile, writeFile } = require('node:fs/promises');
exports.Store = class Store {
  #file;
  #last = Promise.resolve();
  constructor(file) { this.#file = file; }
  add(by) {
    if (process.env.STORE !== 'repaired') return this.#add(by);
    return (this.#last = this.#last.then(() => this.#add(by)));
  }
  async #add({ by }) { await writeFile(this.#file, String((await this.get()) + by)); }
  async get() { return Number(await readFile(this.#file, 'utf8').catch(() => 0)); }
};`;

const HEAD = `
const { mkdtempSync } = require('node:fs'); const { tmpdir } = require('node:os'); const { join } = require('node:path');
const { Store } = require('./store.cjs');`;
const BODY = `
test('counts', async () => {
  const store = new Store(join(mkdtempSync(join(tmpdir(), 'store-')), 'n'));
  await store.add({ by: 1 });
  equal(await store.get(), 1);
  await store.add({ by: 2 });
  equal(await store.get(), 3);
});`;
const ON_EXPECT = 'const equal = (a, b) => expect(a).toBe(b);';
const NODE_MODULES = join(import.meta.dirname, '../../../node_modules');
const bin = (path: string): string => join(NODE_MODULES, path);

const RUNNERS: Record<string, { readonly file: string; readonly text: string; readonly command: string[] }> =
  {
    'node:test': {
      file: 'store.test.cjs',
      text: `const { test } = require('node:test'); const { equal } = require('node:assert'); ${HEAD} ${BODY}`,
      command: ['node', '--test', 'store.test.cjs'],
    },
    Mocha: {
      file: 'store.spec.cjs',
      text: `const test = it; const { equal } = require('node:assert'); ${HEAD} ${BODY}`,
      command: ['node', bin('mocha/bin/mocha.js'), 'store.spec.cjs'],
    },
    Vitest: {
      file: 'store.vitest.mjs',
      text: `import { mkdtempSync } from 'node:fs'; import { tmpdir } from 'node:os'; import { join } from 'node:path';
      import { expect, test } from 'vitest'; import { Store } from './store.cjs'; ${ON_EXPECT} ${BODY}`,
      command: ['node', bin('vitest/vitest.mjs'), 'run', '--config', 'vitest.config.mjs'],
    },
    Jest: {
      file: 'store.jest.cjs',
      text: `${ON_EXPECT} ${HEAD} ${BODY}`,
      command: ['node', bin('jest/bin/jest.js'), '--testMatch', '**/*.jest.cjs'],
    },
  };

describe('two counts at the same time:', { concurrency: false }, () => {
  // test/e2e/overlap/calls.test.ts is one of node:test.
  const some = Object.entries(RUNNERS).filter(([runner]) => WHOLE || runner === 'Mocha');
  for (const [runner, { file, text, command }] of some)
    test(runner, async (t) => {
      const cwd = project({
        'package.json': '{ "private": true }',
        'store.cjs': STORE,
        [file]: text,
        'vitest.config.mjs': `export default { test: { include: ['*.vitest.mjs'] } };`,
      });
      symlinkSync(NODE_MODULES, join(cwd, 'node_modules'));
      t.after(() => delete process.env['STORE']);
      for (const [state, wanted] of [
        ['broken', 'fail'],
        ['repaired', 'pass'],
      ] as const) {
        process.env['STORE'] = state;
        const subjects = await recordCommand(command, { cwd, overlaps: 'calls' });
        const subject = subjects.find(
          ({ name }) => name === 'counts: store.add({ by: 1 }) ∥ store.add({ by: 1 })',
        );
        assert.ok(subject, subjects.map(({ name }) => name).join('\n'));
        const options = { limits: DEFAULT_LIMITS };
        const { result } = await subject.record(options);
        const fresh = await subject.executeFresh({ kind: 'observed' }, options);
        const plain = await subject.executePlain(null, options);
        for (const each of subjects) await each.close();
        assert.equal(result.outcome, wanted, result.failure?.message);
        assert.equal(fresh.outcome, wanted, fresh.failure?.message);
        assert.equal(plain.outcome, wanted, `on plain Node: ${plain.failure?.message}`);
      }
    });
});
