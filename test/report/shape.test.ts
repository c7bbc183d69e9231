import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Shape } from '../../data/prediction.ts';
import { describeEntity } from '../../report/entity.ts';
import { describeShape } from '../../report/shape.ts';
import type { BugView, CutPointView } from '../../report/view.ts';
import { bankCut, bugOf, deadlock, lostUpdate, read } from './samples.ts';

const shape = (cut: CutPointView, more: Partial<BugView> = {}) =>
  describeShape({ ...lostUpdate, bug: bugOf(cut), cutPoint: cut, ...more }, read);

test('entities in words', () => {
  assert.equal(describeEntity('Account#balance'), '`Account#balance`');
  assert.equal(describeEntity('fs:cart.json'), 'the existence of `cart.json`');
  assert.equal(describeEntity('fs:cart.json (content)'), 'the content of `cart.json`');
  assert.equal(describeEntity('fs:jobs (entries)'), 'the list of names in `jobs`');
});

test('both tasks read before either wrote: only when both run the same write', () => {
  const cut = bankCut('RWW');
  assert.match(shape(cut).sentence, /^`alice` and `bob` both read `Account#balance` before either wrote it$/);
  const reset = { ...cut.remote, line: 1, text: 'reset' };
  assert.equal(
    shape({ ...cut, remote: reset }).sentence,
    '`alice` read `Account#balance`, `bob` wrote it, then `alice` wrote over that from its old value',
  );
});

test('a read that came too early is told by what the others were about to do', () => {
  assert.equal(
    shape(bankCut('RRW')).sentence,
    '`bob` looked at `Account#balance` while `alice` was between looking at it and changing it, and acted on the old answer',
  );
});

test('two variables that have to agree are both named', () => {
  const two = (pattern: Shape) => {
    const cut = bankCut(pattern);
    return shape({ ...cut, other: { entity: 'Account#log', remote: cut.remote } });
  };
  assert.deepEqual(
    [...new Set(['WRW', 'RWR'].map((pattern) => two(pattern as Shape).name))],
    ['multi-variable atomicity violation'],
  );
  assert.equal(
    two('WRW').sentence,
    '`bob` read `Account#balance` and `Account#log` when `alice` had changed the one and not yet the other',
  );
});

test('a statement in the transaction of somebody else is told as such', () => {
  const told = shape({ ...bankCut('WRW'), entity: 'sqlite bank.db (transaction)' });
  assert.equal(
    told.sentence,
    '`bob` ran a statement on `sqlite bank.db` while `alice` was in a transaction there: it is kept or undone with that',
  );
});

test('two runs of one function are not called by one name twice', () => {
  assert.match(shape(bankCut('RWW', 'deposit', 'deposit')).sentence, /^two runs of `deposit` both read/);
  assert.match(
    shape(bankCut('RWR', 'deposit', 'deposit')).sentence,
    /^one `deposit` read .* another `deposit`/,
  );
});

test('a read that decides is a check', () => {
  const cut = bankCut('RWW');
  const at = (text: string) => ({ ...cut, first: { ...cut.first, file: 'gone.ts', text } });
  for (const text of [
    'if (this.balance >= n)',
    'cache.has(key)',
    'this.client ?? connect()',
    'list.includes(x)',
  ])
    assert.equal(shape(at(text)).name, 'check-then-act', text);
  for (const text of ['this.balance', 'cache.get(key)', 'const n = this.notify()'])
    assert.equal(shape(at(text)).name, 'lost update', text);
  assert.equal(shape({ ...cut, entity: 'fs:lock' }).name, 'check-then-act');
  assert.equal(shape({ ...cut, entity: 'fs:lock (content)' }).name, 'lost update');
});

test('who reads a file means what is in it, also where its name was given to another one', () => {
  const cut = { ...bankCut('RWW'), entity: 'fs:stock.json' };
  const first = { ...cut.first, file: 'gone.ts', text: "JSON.parse(await readFile(path, 'utf8'))" };
  const { name, sentence } = shape({ ...cut, first });
  assert.equal(name, 'lost update');
  assert.equal(sentence, '`alice` and `bob` both read the file `stock.json` before either wrote it');
});

test('a value that decides in the next line, and is not written back, is a check', () => {
  const cut = bankCut('RWW');
  const source = (write: string) => () =>
    ['const known = this.cache.get(key);', 'if (known) return known;', 'await build();', write].join('\n');
  const at = (access: typeof cut.first, line: number) => ({ ...access, file: 'a.ts', line, column: 1 });
  const guarded = { ...cut, first: at(cut.first, 1), remote: at(cut.remote, 4), second: at(cut.second, 4) };
  const told = (write: string) =>
    describeShape({ ...lostUpdate, bug: bugOf(guarded), cutPoint: guarded }, source(write));
  assert.equal(told('this.cache.set(key, built);').name, 'check-then-act');
  assert.match(told('this.cache.set(key, built);').hint, /join the work of the first/);
  assert.equal(told('this.cache.set(key, known + 1);').name, 'lost update');
});

/** A triple on an entity, by the source of its accesses. */
const on = (entity: string, pattern: 'RWR' | 'WRW' | 'WWR', ...texts: readonly [string, string, string]) => {
  const cut = bankCut(pattern);
  const [first, remote, second] = (['first', 'remote', 'second'] as const).map((role, i) => ({
    ...{ ...cut[role], file: 'gone.ts', text: texts[i]! },
  })) as [typeof cut.first, typeof cut.first, typeof cut.first];
  return shape({ ...cut, entity, first, remote, second });
};

test('names of files are told by what is done with them', () => {
  const gap = on('fs:page', 'WRW', 'unlink(page)', 'readFile(page)', 'rename(draft, page)');
  assert.match(gap.sentence, /^`bob` looked for the file `page` after `alice` had removed it/);
  assert.match(gap.hint, /^do not remove it first/);
  const asked = on('fs:mail', 'RWR', 'access(mail)', 'unlink(mail)', 'readFile(mail)');
  assert.equal(asked.name, 'check-then-act');
  assert.match(asked.sentence, /^`alice` looked whether the file `mail` is there/);
  const led = on('fs:lock', 'RWR', 'access(lock)', 'writeFile(lock)', 'writeFile(lock)');
  assert.deepEqual(
    [led.name, led.sentence],
    [
      'check-then-act',
      '`alice` and `bob` both looked whether the file `lock` is there before either made it',
    ],
  );
  assert.match(
    on('fs:lock', 'RWR', 'access(lock)', 'unlink(lock)', 'writeFile(lock)').sentence,
    /acted on the old answer$/,
  );
  const absent = on('fs:list', 'RWR', 'readFile(list)', 'writeFile(list)', 'writeFile(list)');
  assert.deepEqual(
    [absent.name, absent.sentence],
    ['lost update', '`alice` and `bob` both read the file `list` before either wrote it'],
  );
  const freed = on('fs:lock (content)', 'WWR', 'writeFile(lock)', 'writeFile(lock)', 'fs.rm(lock)');
  assert.equal(
    freed.sentence,
    '`alice` made the file `lock`, `bob` made it anew, and `alice` removed it as its own',
  );
  const own = on('fs:current', 'WWR', 'rename(a, b)', 'rename(a, b)', 'readFile(b)');
  assert.match(own.sentence, /^`alice` wrote the file `current`, `bob` wrote over it/);
});

test('a port is tried and kept, and neither read nor written', () => {
  const { name, sentence, hint } = on('port #1', 'WRW', 'listen(port)', 'listen(port)', 'listen(port)');
  assert.equal(name, 'check-then-act');
  assert.match(sentence, /^`alice` and `bob` both used `port #1` between trying and keeping it/);
  assert.match(hint, /listen on port 0/);
});

test('a deadlock is told by who waits, even when a cut point led there', () => {
  const cut = bankCut('RWR');
  assert.equal(shape(cut, { bug: { ...deadlock.bug } }).name, 'deadlock');
});

test('an order bug is told by the two accesses that changed places, where they are known', () => {
  const { first, second } = bugOf(bankCut('RWW'));
  const bug = { ...bugOf(bankCut('RWW')), pattern: null, remote: null };
  const told = (changes: object) =>
    describeShape({ ...lostUpdate, cutPoint: null, bug: { ...bug, ...changes } }, read);
  assert.equal(told({}).name, 'order bug');
  assert.match(
    told({}).sentence,
    /^one `alice` reads `Account#balance` before another `alice` writes it, naturally/,
  );
  assert.match(
    told({ second: { ...second, task: 'bob' } }).sentence,
    /^`alice` reads .* before `bob` writes it/,
  );
  assert.match(told({}).hint, /^let ① wait for ② /);
  // Both come to one statement, which the later call is done with first.
  const write = { ...second, access: 'write' };
  const over = { first: { ...write, task: 'bob' }, second: write };
  assert.equal(
    told(over).sentence,
    '`alice` writes `Account#balance` over what `bob` has written, naturally before that',
  );
  assert.match(told(over).hint, /^before ②, look whether something later has begun/);
  assert.match(
    told({ first: null }).sentence,
    /^the test fails when `alice: fs.append.*` comes after `bob: /,
  );
  assert.match(told({ first: null }).hint, /^look at the first step that moved/);
  assert.equal(first?.task, 'alice');
});

test('where no access is known the two steps of the nearest passing order tell it', () => {
  const near = {
    step: 'get: read a',
    now: 'after' as const,
    anchor: 'put: write a',
    block: false,
    passed: '3/3',
  };
  const sentence = (more: Parameters<typeof bugOf>[1]): string => {
    const bug = bugOf(null, { entity: null, first: null, remote: null, second: null, ...more });
    return describeShape({ ...lostUpdate, cutPoint: null, bug }, read).sentence;
  };
  const turned = 'when `get: read a` comes before `put: write a`';
  assert.equal(sentence({ counterfactual: near }), `the test fails ${turned}`);
  const before = { ...near, now: 'before' as const };
  assert.equal(
    sentence({ counterfactual: before }),
    'the test fails when `put: write a` comes before `get: read a`',
  );
  assert.match(sentence({ counterfactual: near, kind: 'deadlock' }), new RegExp(`can never come ${turned}$`));
  assert.match(sentence({ counterfactual: near, kind: 'timeout' }), new RegExp(`time limit ${turned}$`));
  // Where none is near: the one step that moved, if there is one alone.
  assert.match(sentence({}), /when `alice: fs.appendFile audit.log answers` comes after `bob: /);
  const bug = bugOf(null, { entity: null, first: null, remote: null, second: null });
  const unmoved = { ...lostUpdate, cutPoint: null, bug, failing: lostUpdate.natural };
  assert.match(describeShape(unmoved, read).sentence, /when host answers come in another order$/);
  const extra = { ...lostUpdate.natural[0]!, what: 'setTimeout 400 ms', kind: 'deliver' as const };
  const late = { ...unmoved, failing: [extra, ...lostUpdate.natural] };
  assert.match(
    describeShape(late, read).sentence,
    /when `alice: setTimeout 400 ms.* fires` comes before `.*`; naturally it does not come$/,
  );
});

test('a callback of the first task that makes the last access is named, and what is added to is not written over', () => {
  const cut = bankCut('WWR');
  const flush = { ...cut.second, task: 'Log.#flush' };
  const push = { ...cut.remote, line: 99, text: 'this.#lines.push(line)' };
  assert.equal(
    shape({ ...cut, second: flush }).sentence,
    '`alice` wrote `Account#balance`, `bob` wrote over it, and `Log.#flush` read it as what `alice` had written',
  );
  assert.equal(
    shape({ ...cut, remote: push, second: flush }).sentence,
    '`alice` changed `Account#balance`, `bob` changed it, too, and `Log.#flush` read it as if only `alice` had',
  );
  assert.equal(shape({ ...cut, remote: push }).name, 'mixed with own write');
  assert.match(
    shape({ ...bankCut('WRW'), second: flush }).sentence,
    /between the writes of `alice` and `Log\.#flush`/,
  );
});

test('threads that share a file are not sent to Atomics', () => {
  const threads = { threads: true } as unknown as Partial<BugView>;
  for (const pattern of ['RWW', 'RWR', 'WRW', 'WWR', 'WWW', 'RRW'] as const)
    for (const entity of ['fs:*/total (content)', 'fs:*/total']) {
      const { hint } = shape({ ...bankCut(pattern), entity }, threads);
      assert.match(hint, /lock file/);
      assert.doesNotMatch(hint, /Atomics/);
    }
  assert.match(shape(bankCut('RWW'), threads).hint, /Atomics/);
});
