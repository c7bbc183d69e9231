import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packageOf } from '../../../rescheduler/runners/package.ts';

test('the package of a script is found as Node finds the script', () => {
  const nameOf = (script: string) => packageOf(script, ['mocha', 'jest'])?.name ?? null;
  for (const script of ['.bin/mocha', 'mocha/bin/mocha.js', 'mocha/bin/mocha', 'mocha'])
    assert.equal(nameOf(`node_modules/${script}`), 'mocha', script);
  assert.equal(nameOf('node_modules/mocha/bin/none'), null);
  assert.equal(nameOf('node_modules/vitest/vitest.mjs'), null);
});
