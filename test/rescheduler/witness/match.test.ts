import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Matcher } from '../../../rescheduler/witness/match.ts';
import type { PlannedRequest } from '../../../rescheduler/witness/plan.ts';

const planned = (what: string, site: string | null, issued: number, cause = -1): PlannedRequest => ({
  api: 'fs.open',
  what,
  site,
  cause,
  issued,
  effects: [],
  end: null,
  deliver: { index: 0, at: 0 },
});
const open = (what: string) => ({ api: 'fs.open', what });

test('equal requests are taken in the order of their issue, each once', () => {
  const matcher = new Matcher([planned('x', null, 1), planned('y', null, 2), planned('x', null, 3)]);
  assert.deepEqual(
    [open('x'), open('x'), open('x'), open('y')].map((r) => matcher.take(r, 'a.ts:1')?.issued ?? null),
    [1, 3, null, 2],
  );
});

test('the line of the call goes before the order, the order before nothing', () => {
  const matcher = new Matcher([
    planned('x', 'a.ts:1', 1),
    planned('x', 'a.ts:9', 2),
    planned('x', 'a.ts:1', 3),
  ]);
  assert.deepEqual(
    ['a.ts:9', 'a.ts:7', 'a.ts:1'].map((site) => matcher.take(open('x'), site)?.issued),
    [2, 1, 3],
  );
  assert.equal(matcher.take({ api: 'fs.stat', what: 'x' }, 'a.ts:1'), null);
});

test('a temporary folder may be called otherwise', () => {
  const matcher = new Matcher([planned('*/n', null, 1), planned('*', null, 2), planned('b/n', null, 3)]);
  assert.equal(matcher.take(open('b/n'), null)?.issued, 3, 'the path in full goes before the order');
  assert.equal(matcher.take(open('/tmp/x-Ab12cD'), null)?.issued, 2);
  assert.equal(matcher.take(open('n'), null)?.issued, 1);
});

test('a name with the process in it is the one that the plan has instead, unless the plan has that name, too', () => {
  const matcher = new Matcher([planned('s.json.4711', 'a.ts:1', 1), planned('s.json.1', 'a.ts:1', 2)]);
  assert.equal(matcher.take(open('s.json.1'), 'a.ts:1')?.issued, 2);
  assert.equal(matcher.take(open('s.json.1'), 'a.ts:1'), null, 'its own request is gone');
  assert.equal(matcher.take(open('t.json.815'), 'a.ts:1'), null);
  assert.equal(matcher.take(open('s.json.815'), 'a.ts:1')?.issued, 1);
});

test('news are not those that come behind a delivery which has not come', () => {
  const first = { ...planned('x', null, 1), deliver: { index: 5, at: 0 } };
  const matcher = new Matcher([first, planned('y', null, 2, 5)]);
  const news = { ...open('y'), kind: 'external' } as const;
  assert.equal(matcher.take(news, null), null);
  matcher.over(first);
  assert.equal(matcher.take(news, null)?.issued, 2);
});

test('what is still to be issued before a step is known, until nobody waits for it', () => {
  const matcher = new Matcher([planned('x', null, 1), planned('y', null, 2, 3), planned('z', null, 9, 7)]);
  assert.deepEqual(
    [0, 3, 4].map((step) => matcher.isAhead(step)),
    [true, true, true],
  );
  matcher.take(open('x'), null);
  assert.deepEqual(
    [0, 3, 4].map((step) => matcher.isAhead(step)),
    [false, false, true],
  );
  matcher.giveUp(4);
  assert.deepEqual(
    [4, 8].map((step) => matcher.isAhead(step)),
    [false, true],
  );
});

test('what a thread works on is ahead of what comes behind it', () => {
  const seen = { ...planned('y', null, 1), effects: [{ index: 0, at: 0 }], deliver: { index: 3, at: 0 } };
  const jobs = [planned('x', null, 1), seen];
  const matcher = new Matcher(jobs);
  for (const { what } of jobs) matcher.take({ ...open(what), kind: 'pool' }, null);
  assert.deepEqual([matcher.isAhead(0), matcher.isAhead(1)], [false, true]);
  matcher.over(jobs[0] as PlannedRequest);
  assert.deepEqual(
    [1, 3, 4].map((step) => matcher.isAhead(step)),
    [false, false, true],
  );
});

test('a question has one answer, whatever else comes', () => {
  const first = { ...planned('x', null, 1), deliver: { index: 5, at: 0 } };
  const matcher = new Matcher([first, { ...planned('', null, 2, 5), api: 'dns.reverse' }]);
  assert.equal(matcher.take({ api: 'dns.reverse', what: '', kind: 'external' }, null)?.issued, 2);
});
