import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  earlySleeps,
  hurried,
  impatient,
  likeliest,
  patient,
  timingRule,
} from '../../../rescheduler/explain/timing-rules.ts';

const others = { isExpired: false, isGiven: false, isOutlasted: false };
const sleep = { ...others, isOwn: true, patientPasses: true, earlierPasses: false };
const race = { sleep: null, pauseMs: 0, onlyTimes: false, latencies: false };

test('the decision table', () => {
  const rows: [ReturnType<typeof timingRule>, Parameters<typeof timingRule>[0]][] = [
    ['sleep', { ...race, sleep }],
    [null, race],
    [null, { ...race, sleep: { ...sleep, earlierPasses: true } }],
    [null, { ...race, sleep: { ...sleep, isOwn: false } }],
    [null, { ...race, sleep: { ...sleep, patientPasses: false } }],
    ['given', { ...race, sleep: { ...sleep, isOwn: false, isGiven: true } }],
    [null, { ...race, sleep: { ...sleep, isOwn: false, isGiven: true, earlierPasses: true } }],
    [null, { ...race, sleep: { ...sleep, isOwn: false, isGiven: true, patientPasses: false } }],
    ['expired', { ...race, sleep: { ...sleep, isOwn: false, isExpired: true } }],
    [null, { ...race, sleep: { ...sleep, isOwn: false, isExpired: true, earlierPasses: true } }],
    ['outlasted', { ...race, sleep: { ...sleep, isOwn: false, isOutlasted: true } }],
    [null, { ...race, sleep: { ...sleep, isOwn: false, isOutlasted: true, earlierPasses: true } }],
    ['pause', { ...race, pauseMs: 50 }],
    ['pause', { ...race, pauseMs: 49 }],
    [null, { ...race, pauseMs: 48 }],
    [null, { ...race, pauseMs: 80, latencies: true }],
    ['pause', { ...race, pauseMs: 5, onlyTimes: true }],
    [null, { ...race, pauseMs: 4, onlyTimes: true }],
    [null, { ...race, pauseMs: 80, onlyTimes: true, latencies: true }],
    ['sleep', { ...race, sleep, pauseMs: 80, latencies: true }],
    ['pause', { ...race, sleep: { ...sleep, isOwn: false }, pauseMs: 80 }],
  ];
  for (const [rule, facts] of rows) assert.equal(timingRule(facts), rule, JSON.stringify(facts));
});

const natural = ['E:a', 'D:a', 'E:b', 'D:b', 'D:t', 'D:c'];
const own = new Set(['t']);

test('a sleep is early where what naturally comes before it comes behind, or not at all', () => {
  assert.deepEqual(earlySleeps(natural, natural, own), []);
  assert.deepEqual(earlySleeps(['E:a', 'D:t', 'E:b', 'D:a'], natural, own), [
    { step: 'D:t', at: 1, overtaken: ['E:b', 'D:a', 'D:b'] },
  ]);
  assert.deepEqual(earlySleeps(['E:a', 'D:t', 'E:b', 'D:a'], natural, new Set()), []);
});

test('a sleep is early where what is new in the order does not follow from it and comes behind', () => {
  const failing = [...natural.slice(0, 4), 'D:t', 'E:new', 'D:new', 'E:own', 'D:c'];
  const following = () => new Set(['own']);
  assert.deepEqual(earlySleeps(failing, natural, own), []);
  assert.deepEqual(earlySleeps(failing, natural, own, following), [
    { step: 'D:t', at: 4, overtaken: ['E:new', 'D:new'] },
  ]);
});

test('a sleep is early for what is still under way as the run ends, too', () => {
  const left = () => ['new'];
  const failing = natural.slice(0, 5);
  assert.deepEqual(earlySleeps(failing, natural, own), []);
  const [early] = earlySleeps(failing, natural, own, undefined, left);
  assert.deepEqual(early, { step: 'D:t', at: 4, overtaken: ['D:new'], isLeft: true });
  assert.deepEqual(patient(failing, natural, early!), natural.slice(0, 4));
  // What it overtook in the order itself says more.
  assert.equal(earlySleeps(['E:a', 'D:t', 'D:a'], natural, own, undefined, left)[0]?.isLeft, undefined);
});

test('the last sleep that may decide is tried first, for others may be polls', () => {
  const sleeps = earlySleeps(
    ['D:t', 'E:a', 'D:u', 'D:a', 'E:b', 'D:b'],
    [...natural, 'D:u'],
    new Set(['t', 'u']),
  );
  assert.deepEqual(
    sleeps.map(({ step }) => step),
    ['D:t', 'D:u'],
  );
  const [poll, last] = sleeps;
  assert.equal(
    likeliest(sleeps, () => true),
    last,
  );
  assert.equal(
    likeliest(sleeps, (early) => early !== last),
    poll,
  );
  assert.equal(
    likeliest(sleeps, () => false),
    poll,
  );
});

test('patient, it waits for all that it overtook, in the order in which that came', () => {
  const failing = ['E:a', 'D:t', 'E:b', 'D:a'];
  const [early] = earlySleeps(failing, natural, own);
  assert.ok(early);
  assert.deepEqual(patient(failing, natural, early), ['E:a', 'E:b', 'D:a', 'D:b', 'D:t']);
});

test('patient, it waits for the last of several effects of one request', () => {
  const natural = ['E:a', 'E:a', 'E:a', 'D:a', 'D:t'];
  const failing = ['E:a', 'D:t'];
  const [early] = earlySleeps(failing, natural, own);
  assert.ok(early);
  assert.deepEqual(patient(failing, natural, early), natural);
});

test('patient, it waits for other sleeps, and these for what they overtook', () => {
  const natural = ['D:a', 'D:b', 'D:t', 'D:u'];
  const failing = ['D:s', 'D:t', 'D:a', 'D:b', 'D:u'];
  const [early] = earlySleeps(failing, natural, new Set(['s']));
  assert.ok(early);
  assert.deepEqual(patient(failing, natural, early), ['D:t', 'D:a', 'D:b', 'D:u']);
  assert.deepEqual(patient(failing, natural, early, new Set(['t'])), ['D:a', 'D:b', 'D:t', 'D:u']);
});

test('a time-out that is taken back naturally never goes off when it is patient', () => {
  const usual = ['E:a', 'D:a'];
  const [early] = earlySleeps(['E:a', 'D:t'], usual, own);
  assert.ok(early);
  assert.deepEqual(patient(['E:a', 'D:t'], usual, early), ['E:a', 'D:a']);
});

test('earlier still, it goes off as soon as it is set, with what follows from it', () => {
  const failing = ['E:a', 'D:t', 'E:b'];
  const [early] = earlySleeps(failing, natural, own);
  assert.ok(early);
  const end = ['D:a', 'E:b', 'D:b'];
  assert.deepEqual(impatient(natural, failing, 1, early, own), ['E:a', 'D:t', '*', ...end]);
  // It looks again after another sleep.
  const again = ['E:a', 'D:t', 'D:u', 'E:b'];
  const names = new Set([...own, 'u']);
  assert.deepEqual(impatient(natural, again, 1, early, names), ['E:a', 'D:t', '*', 'D:u', '*', ...end]);
});

test('earlier still, of a loop: its sleeps go off one after the other', () => {
  const natural = ['D:sleep1', 'E:write1', 'D:write1', 'D:sleep2', 'D:other', 'D:sleep3'];
  const rounds = new Set(['sleep1', 'sleep2', 'sleep3']);
  assert.deepEqual(hurried(natural, 1, 'D:sleep2', rounds), ['D:sleep1', 'D:sleep2', 'D:sleep3']);
});
