/** What requests take from answers, and how they get what today's answers have in its place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, SentRequest } from '../../../data/exchange.ts';
import { withWords, wordsOf } from '../../../rescheduler/requests/words.ts';

const answer = (body: string, headers: HttpAnswer['headers'] = {}): HttpAnswer => ({
  status: 200,
  headers,
  body,
});
const sent = (given: Partial<SentRequest>): SentRequest => ({
  ...{ method: 'GET', url: '/', headers: {}, body: null, port: null },
  ...given,
});

test('words of an answer have places: fields of JSON, words of a text, headers that clients send back', () => {
  const rows: [HttpAnswer, Record<string, string>][] = [
    [answer('{"id":"a1b2c3d4","n":1,"on":true,"none":null}'), { 'body.id#0': 'a1b2c3d4' }],
    [answer('{"list":[{"id":1234567}]}'), { 'body.list.0.id#0': '1234567' }],
    [answer('{"self":"see orders:9f8e7d6c"}'), { 'body.self#1': 'orders', 'body.self#2': '9f8e7d6c' }],
    [answer('<input value="token-123456">'), { 'body#2': 'token-123456' }],
    [answer('', { 'set-cookie': ['id=s%3Aabcd; Path=/'] }), { 'header set-cookie.0#1': 's%3Aabcd' }],
    [answer('', { date: 'Tue, 24 November 2026' }), {}],
  ];
  for (const [given, wanted] of rows) assert.deepEqual(wordsOf(given), wanted);
});

test('a recorded request gets the words of today in its path, its headers and its body', () => {
  const before = [
    wordsOf(answer('{"token":"old-token","id":"old-id-1"}', { 'set-cookie': 'sid=oldcookie; Path=/' })),
  ];
  const today = [
    wordsOf(answer('{"token":"new-token","id":"new-id-22"}', { 'set-cookie': 'sid=newcookie; Path=/' })),
  ];
  const request = sent({
    url: '/orders/old-id-1?full=1',
    headers: { authorization: 'Bearer old-token', cookie: 'sid=oldcookie' },
    body: '{"order":"old-id-1","note":"older"}',
  });
  assert.deepEqual(withWords(request, before, today), {
    ...request,
    url: '/orders/new-id-22?full=1',
    headers: { authorization: 'Bearer new-token', cookie: 'sid=newcookie' },
    body: '{"order":"new-id-22","note":"older"}',
  });
});

test('what is the same today stays, and of two words the longer one is meant', () => {
  const words = (first: string, second: string) => [{ a: first, b: second }];
  const request = sent({ url: '/abcdef-long/abcdef' });
  assert.equal(
    withWords(request, words('abcdef', 'abcdef-long'), words('123456', '654321')).url,
    '/654321/123456',
  );
  assert.deepEqual(withWords(request, words('abcdef', 'xxxxxx'), words('abcdef', 'yyyyyy')), request);
});
