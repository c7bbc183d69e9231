import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tapFailure } from '../../../rescheduler/subjects/tap.ts';

const TAPE = `TAP version 13
# adds
ok 1 should be strictly equal
# adds twice
not ok 2 should be strictly equal
  ---
    operator: equal
    expected: 3
    actual:   2
    at: Test.<anonymous> (a.js:3:1)
  ...

1..2
# tests 2
# pass  1
# fail  1
`;

const NESTED = `TAP version 14
# Subtest: outer
    ok 1 - first # time=3ms
    not ok 2 - not yet # TODO
    not ok 3 - should be equal # time=1ms
    1..3
not ok 1 - outer
`;

test('the first assertion that failed, and the test it is of', () => {
  assert.equal(
    tapFailure(TAPE),
    "not ok: should be strictly equal, in 'adds twice' (expected: 3, actual: 2)",
  );
  assert.equal(tapFailure(NESTED), 'not ok: should be equal');
});

test('nothing where nothing of the kind failed', () => {
  assert.equal(tapFailure('TAP version 13\n# a\nok 1 b\nnot ok 2 c # TODO later\n'), null);
  assert.equal(tapFailure('this is not ok 1\n'), null);
  assert.equal(tapFailure(''), null);
});
