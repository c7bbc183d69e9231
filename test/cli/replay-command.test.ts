/** The command that replays a bug is one that can be typed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayBy } from '../../cli/stages/context.ts';

test('the store of what is explained is named, whatever its folder is called', () => {
  const store = "/tmp/it's here/trace.db";
  assert.equal(replayBy({ isThorough: false, store })('b1'), 'unweave replay b1');
  assert.equal(
    replayBy({ isThorough: true, store })('b1'),
    `unweave replay b1 --store '/tmp/it'\\''s here/trace.db'`,
  );
});
