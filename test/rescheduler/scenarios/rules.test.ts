/** Each rule of the oracle is needed: without it a correct component looks as if its operations were not atomic. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_ORACLE_RULES } from '../../../rescheduler/scenarios/rules.ts';
import { alarms } from './alarms.ts';
import { correct } from './correct.ts';

test('each rule has a program that needs it', () => {
  assert.deepEqual(correct.map(({ needs }) => needs).sort(), Object.keys(ALL_ORACLE_RULES).sort());
});

for (const { needs, spec } of correct)
  test(`${needs}: ${spec.name}`, async () => {
    assert.deepEqual(await alarms(spec), []);
    assert.notDeepEqual(await alarms(spec, needs), [], 'nothing looks wrong without the rule');
  });
