/** Which requests of a test overlap. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HttpExchange } from '../../../data/exchange.ts';
import { plannedRequests } from '../../../rescheduler/requests/plan.ts';

/** `POST /cart {"item":"lamp"} → {"id":"…"}`: a request and the body of its answer. */
function exchange(text: string, more: Partial<HttpExchange> = {}): HttpExchange {
  const [request = '', answer = '{}'] = text.split(' → ');
  const [, method = '', url = '', body] = /^(\w+) (\S+)(?: (.*))?$/.exec(request)!;
  return {
    request: { method, url, headers: {}, body: body ?? null, port: 1 },
    answer: { status: 200, headers: {}, body: answer },
    ...{ program: 0, overlaps: false },
    ...more,
  };
}
const names = (...exchanges: readonly (string | HttpExchange)[]): string[] =>
  plannedRequests(exchanges.map((each) => (typeof each === 'string' ? exchange(each) : each))).map(
    ({ name }) => name,
  );

describe('requests that overlap:', () => {
  const rows: [what: string, given: (string | HttpExchange)[], wanted: string[]][] = [
    ['one that writes, with itself', ['POST /a'], ['POST /a ∥ POST /a']],
    ['none that only reads', ['GET /a', 'GET /b'], []],
    ['nearest first', ['POST /a', 'PUT /b'], ['POST /a ∥ POST /a', 'PUT /b ∥ PUT /b', 'POST /a ∥ PUT /b']],
    ['one that reads, with one that writes', ['GET /a', 'PUT /b'], ['PUT /b ∥ PUT /b', 'GET /a ∥ PUT /b']],
    [
      'none that needs an answer which is not there yet',
      ['POST /orders → {"id":"0a1b2c3d"}', 'DELETE /orders/0a1b2c3d'],
      ['POST /orders ∥ POST /orders', 'DELETE /orders/… ∥ DELETE /orders/…'],
    ],
    [
      'one whose words are the own words of the test',
      ['POST /users {"name":"annabel"} → {"name":"annabel"}', 'DELETE /users/annabel'],
      [
        'POST /users {"name":"annabel"} ∥ POST /users {"name":"annabel"}',
        'DELETE /users/… ∥ DELETE /users/…',
        'POST /users {"name":"annabel"} ∥ DELETE /users/annabel',
      ],
    ],
    [
      'none of different programs',
      ['POST /a', exchange('POST /b', { program: 1 })],
      ['POST /a ∥ POST /a', 'POST /b ∥ POST /b'],
    ],
    ['none without an answer', [exchange('POST /a', { answer: null })], []],
    ['none that is too large to be kept', [`POST /a ${'x'.repeat(1_000_001)}`], []],
    [
      'none in the place of one that came beside another',
      ['POST /a', exchange('POST /b', { overlaps: true })],
      ['POST /a ∥ POST /a', 'POST /a ∥ POST /b'],
    ],
  ];
  for (const [what, given, wanted] of rows) test(what, () => assert.deepEqual(names(...given), wanted));

  test('not with those that lie far behind', () => {
    const all = names('POST /0', 'POST /1', 'POST /2', 'POST /3', 'POST /4');
    assert.ok(all.includes('POST /0 ∥ POST /3'));
    assert.ok(!all.includes('POST /0 ∥ POST /4'));
  });
});

describe('what is looked at:', () => {
  const looks = (...given: string[]) =>
    plannedRequests(given.map((each) => exchange(each)))[0]!.plan.looks.map(({ name, of }) => [name, of]);

  test('all that the test reads, once each', () => {
    assert.deepEqual(looks('POST /a', 'GET /b', 'GET /b', 'GET /c'), [
      ['GET /b', null],
      ['GET /c', null],
    ]);
  });
  test('what a call has made, by its answer', () => {
    assert.deepEqual(looks('POST /a → {"id":"0a1b2c3d"}', 'GET /a/0a1b2c3d'), [['GET /a/…', 0]]);
  });
  test('nothing that never ends', () => {
    const events = exchange('GET /events', { answer: null });
    assert.deepEqual(plannedRequests([exchange('POST /a'), events])[0]!.plan.looks, []);
  });
  test('nothing that a request has made which is not sent', () => {
    assert.deepEqual(looks('POST /a', 'POST /b → {"id":"0a1b2c3d"}', 'GET /b/0a1b2c3d'), []);
  });
});

test('those that do the same behind the same setup have one shape, whatever their ids are', () => {
  const shapes = (id: string) =>
    plannedRequests([
      exchange(`POST /login → {"token":"${id}"}`),
      exchange('POST /pay', {
        request: { ...exchange('POST /pay').request, headers: { authorization: id } },
      }),
    ]).map(({ shape }) => shape);
  assert.deepEqual(shapes('0a1b2c3d'), shapes('9f8e7d6c'));
  assert.equal(
    new Set(shapes('0a1b2c3d')).size,
    2,
    'the login with itself, the payment with itself; it needs the login',
  );
});

test('calls about one path by one client are about the same thing', () => {
  const keys = (...given: string[]) =>
    plannedRequests(given.map((each) => exchange(each))).map((each) => each.keys);
  assert.deepEqual(keys('POST /a', 'PUT /b'), ['same', 'same', 'other']);
});
