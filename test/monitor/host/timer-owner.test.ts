import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setAsOurs, setByProgram } from '../../../monitor/host/timer-owner.ts';

test('whoever asks is the program, unless the timer is one of ours', () => {
  assert.notEqual(setByProgram(), null);
  assert.equal(setAsOurs(setByProgram), null);
  assert.notEqual(setByProgram(), null);
});

test('a timer of ours that cannot be set leaves the next one to the program', () => {
  assert.throws(() => setAsOurs(() => assert.fail('cannot be set')));
  assert.notEqual(setByProgram(), null);
});
