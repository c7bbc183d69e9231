import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remarkOn } from '../../cli/stages/report.ts';

test('a Node with other file operations is told, Node 24 is not', () => {
  assert.deepEqual(remarkOn('24.21.0'), {});
  assert.match(remarkOn('26.10.0').remark ?? '', /^on Node 26\.10\.0 .* one step/);
});
