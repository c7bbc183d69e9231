import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSetByProgram, setAsOurs } from '../../../monitor/host/timer-owner.ts';

test('whoever asks is the program, unless the timer is one of ours', () => {
  assert.equal(isSetByProgram(), true);
  assert.equal(setAsOurs(isSetByProgram), false);
  assert.equal(isSetByProgram(), true);
});

test('a timer of ours that cannot be set leaves the next one to the program', () => {
  assert.throws(() => setAsOurs(() => assert.fail('cannot be set')));
  assert.equal(isSetByProgram(), true);
});
