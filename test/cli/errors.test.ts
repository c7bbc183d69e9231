import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeError, UsageError } from '../../cli/errors.ts';
import { ConfigError } from '../../data/config.ts';
import { StoreError } from '../../data/store/error.ts';

const system = (code: string, path?: string) => Object.assign(new Error(`${code}: raw`), { code, path });

test('2 for what the user can mend, 3 for what kept us from analysing, one line each', () => {
  const cases: [unknown, number, RegExp][] = [
    [new UsageError('no such\n  file'), 2, /^no such file$/],
    [new ConfigError('bad'), 2, /^bad$/],
    [new StoreError('foreign', 'x: not an Unweave store'), 2, /^x: not an Unweave store$/],
    [new StoreError('full', 'x: no space left'), 3, /no space left/],
    [system('ENOENT', 'a.ts'), 2, /^a\.ts: no such file or directory$/],
    [system('ENOSPC'), 3, /^no space left on the device/],
    [
      new TypeError('x is not a function\n    at y'),
      3,
      /^x is not a function at y \(UNWEAVE_DEBUG=1 shows where\)$/,
    ],
    ['thrown text', 3, /^thrown text$/],
    [undefined, 3, /^undefined$/],
    [new DOMException('stop', 'AbortError'), 130, /^interrupted$/],
  ];
  for (const [error, code, line] of cases) {
    const told = describeError(error);
    assert.match(told.line, line);
    assert.ok(!told.line.includes('\n'));
    assert.equal(told.exitCode, code, told.line);
  }
});
