/** Why nothing of what tests do could overlap. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpExchange } from '../../../data/exchange.ts';
import { whyNothing } from '../../../rescheduler/held/kinds.ts';

const sent = (...methods: string[]) => ({
  kind: 'requests' as const,
  exchanges: methods.map((method) => ({ request: { method } }) as unknown as HttpExchange),
});

test('tests that only read are told from tests that send nothing', () => {
  const why = (...methods: string[]) => whyNothing('requests', [sent(...methods)], 'npm test');
  assert.match(why(), /^no test of 'npm test' sends requests to a server of its own process/);
  assert.match(why('GET', 'HEAD'), /^all requests .* \(2\) only read \(GET\): nothing can overlap$/);
  assert.match(why('GET', 'POST'), /\(2\) could not be sent beside another one/);
  assert.match(whyNothing('calls', [], 'npm test'), /^no test of 'npm test' makes two asynchronous calls/);
});
