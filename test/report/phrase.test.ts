import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whenThreads } from '../../report/bug.ts';
import { hang, shortenAround, shortenStart, wrap } from '../../report/layout.ts';
import { errorLine, stallSentence, stepPhrase } from '../../report/phrase.ts';
import { userFrames } from '../../report/stack.ts';
import { wantsColor } from '../../report/style.ts';
import type { BugView } from '../../report/view.ts';
import { deadlock } from './samples.ts';

const row = (what: string, kind: 'effect' | 'deliver' | 'access') => ({ task: 't', what, kind, site: null });

test('a step says what the host does', () => {
  assert.equal(stepPhrase(row('fs.open a', 'effect')), 'fs.open a takes effect');
  assert.equal(stepPhrase(row('fs.open a', 'deliver')), 'fs.open a answers');
  assert.equal(stepPhrase(row('setTimeout 5', 'deliver')), 'setTimeout 5 fires');
  assert.equal(stepPhrase(row('setImmediate', 'deliver')), 'setImmediate runs');
  assert.equal(stepPhrase(row('this.a', 'access')), 'this.a');
});

test('the stall sentence names who is late and by how much, rounded up', () => {
  const late = { api: 'fs.readFile', what: 'cart.json', ms: 119.2 };
  const need = (requiredStallMs: number, requiredPauseMs = 0) => ({
    requiredStallMs,
    requiredPauseMs,
    latency: null,
  });
  assert.equal(stallSentence(need(0), [late]), 'needs no delay beyond the order of two answers');
  assert.equal(
    stallSentence(need(120), [late]),
    'happens when `fs.readFile` of `cart.json` takes at least 120 ms longer than in the natural order',
  );
  assert.match(
    stallSentence(need(120), [late, { ...late, what: '' }]),
    /order and `fs.readFile` takes at least/,
  );
  assert.equal(
    stallSentence(need(120), [late, late]),
    'happens when 2 times `fs.readFile` of `cart.json` take at least 120 ms longer than in the natural order',
  );
  assert.match(stallSentence(need(0, 1.5), []), /the process pauses for at least 2 ms/);
  assert.match(stallSentence(need(0.2), []), /at least 1 ms longer/);
  assert.match(
    stallSentence(need(120, 20), [late]),
    /pauses for at least 20 ms .* and .* takes at least 120 ms longer/,
  );
});

test('a stack shows the user’s own frames, relative, and packages only where there is nothing else', () => {
  const own = '    at Account.deposit (file:///p/src/bank.ts?v=3:6:5)';
  const bare = '    at /p/test/a.js:1:2';
  const dep = '    at get (/p/node_modules/x/index.js:9:9)';
  const noise = '    at node:internal/timers:5:5\n    at new Promise (<anonymous>)';
  const tool = `    at run (${new URL('../../report/bug.ts', import.meta.url).href}:1:1)`;
  assert.deepEqual(userFrames(['Error: x', noise, tool, dep, own, bare].join('\n'), '/p'), [
    'at Account.deposit (src/bank.ts:6:5)',
    'at test/a.js:1:2',
  ]);
  assert.deepEqual(userFrames(`Error: x\n${dep}`, '/p'), ['at get (node_modules/x/index.js:9:9)']);
  assert.deepEqual(userFrames(own, '/elsewhere'), ['at Account.deposit (/p/src/bank.ts:6:5)']);
  assert.deepEqual(userFrames('Error: x', '/p'), []);
});

test('colours: the flag and NO_COLOR win over FORCE_COLOR, which wins over the terminal', () => {
  const tty = { isTTY: true };
  assert.equal(wantsColor(tty, {}), true);
  assert.equal(wantsColor({}, {}), false);
  assert.equal(wantsColor({}, { FORCE_COLOR: '1' }), true);
  assert.equal(wantsColor(tty, { FORCE_COLOR: '0' }), false);
  assert.equal(wantsColor(tty, { FORCE_COLOR: '1', NO_COLOR: '1' }), false);
  assert.equal(wantsColor(tty, { NO_COLOR: '' }), true);
  assert.equal(wantsColor(tty, {}, false), false);
  assert.equal(wantsColor(tty, { TERM: 'dumb' }), false);
});

test('wrapping keeps words whole and every word', () => {
  assert.deepEqual(wrap('aa bb cc', 5), ['aa bb', 'cc']);
  assert.deepEqual(wrap('a-very-long-word b', 5), ['a-very-long-word', 'b']);
  assert.deepEqual(hang('→ ', 'aa bb', 4), ['→ aa', '  bb']);
});

test('a line is shortened where nothing is told', () => {
  const text = 'const total = sum(await prices.get(key));';
  const from = (word: string, width: number) => shortenAround(text, text.indexOf(word), width);
  assert.equal(from('get', text.length), text);
  assert.equal(from('sum', 30), 'const total = sum(await price…');
  assert.equal(from('get', 30), '…= sum(await prices.get(key));');
  assert.equal(from('get', 18), '…prices.get(key));');
  assert.equal(from('get', 16), '…prices.get(key…');
  assert.equal(shortenAround('sum(await prices.get(key), 1, 2, 3)', 10, 16), '…prices.get(key…');
  assert.equal(shortenStart('node_modules/a/index.js:12:5', 16), '…a/index.js:12:5');
  assert.equal(shortenStart('a.js:12:5', 16), 'a.js:12:5');
});

test('an error in one line says both values, or that there is more', () => {
  const line = (message: string) => errorLine({ name: 'AssertionError', message });
  assert.equal(line('1 is not 2\nmore'), 'AssertionError: 1 is not 2');
  assert.equal(line('Expected to be equal:\n\n1 !== 2\n'), 'AssertionError: Expected to be equal: 1 !== 2');
  assert.equal(line('Expected to be equal:\n+ actual\n\n+ 1\n- 2'), 'AssertionError: Expected to be equal');
});

test('of threads: any time, unless an answer has to be late or one of them stands still', () => {
  const said = (needs: object, late: readonly object[] = []): string =>
    whenThreads({ ...deadlock, bug: { ...deadlock.bug, ...needs }, late } as BugView);
  assert.match(said({}), /^at any time/);
  const late = [{ api: 'fs.open', what: 'a', ms: 400 }];
  assert.match(
    said({ requiredStallMs: 400 }, late),
    /^happens when `fs.open` of `a` takes at least 400 ms .*busy/,
  );
  assert.match(said({ requiredPauseMs: 60 }), /^happens when a thread pauses for at least 60 ms .*busy/);
});
