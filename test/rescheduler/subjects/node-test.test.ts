import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DEFAULT_LIMITS } from '../../../data/run.ts';
import { forced } from '../../../rescheduler/investigate/counterfactual.ts';
import { loaderConfigOf } from '../../../rescheduler/subjects/config.ts';
import { type Job, readWhole, withOurs } from '../../../rescheduler/subjects/job.ts';
import { launch } from '../../../rescheduler/subjects/launch.ts';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { OutputTail } from '../../../rescheduler/subjects/output.ts';
import type { Subject } from '../../../rescheduler/subjects/protocol.ts';
import { WHOLE } from '../../extent.ts';
import { exists, fixedProject, options, project, until } from './projects.ts';

const observed = { kind: 'observed' } as const;
const random = (seed: number) => ({ kind: 'random', seed }) as const;
const ids = (subjects: readonly Subject[]) => subjects.map((s) => s.id);
const named = (subjects: readonly Subject[], name: string) => subjects.find((s) => s.name === name)!;

const KINDS = {
  'kinds.test.mjs': `
    import assert from 'node:assert/strict';
    import test, { after, describe, it, suite } from 'node:test';
    import * as all from 'node:test';
    test('plain', () => {});
    test('async', async () => { await null; });
    test('callback', (t, done) => setTimeout(done, 1));
    test('same name', () => {});
    test('same name', () => {});
    test('microtasks first', async () => {
      const order = [];
      process.nextTick(() => order.push('tick'));
      queueMicrotask(() => order.push('microtask'));
      await new Promise((resolve) => setTimeout(resolve, 1));
      assert.deepEqual(order, ['microtask', 'tick']);
    });
    test('context', function (t) { assert.equal(this, t); assert.equal(t.name, 'context'); assert.equal(t.filePath, import.meta.filename); });
    test(function byFunctionName() {});
    test({ timeout: 1000 }, function withOptions() {});
    test('skipped', { skip: true }, () => assert.fail());
    test.skip('skipped too', () => assert.fail());
    test.todo('todo');
    describe('outer', () => {
      it('inner', () => {});
      suite('deeper', () => { all.it('inner', () => {}); });
      describe.skip('left out', () => { it('x', () => {}); });
    });
    test('parent', async (t) => {
      await t.test('child', async (t) => { await t.test('grandchild', () => {}); });
      await t.test('child', () => {});
    });
    test('concurrent', { concurrency: true }, async (t) => {
      await Promise.all([t.test('a', () => new Promise((r) => setTimeout(r, 5))), t.test('b', async () => {})]);
    });`,
  'bodies.test.mjs': `
    import assert from 'node:assert/strict';
    import { after, beforeEach, describe, getTestContext, it, test } from 'node:test';
    const told = [];
    test('body', async (t) => {
      await null;
      assert.equal(getTestContext(), t);
      after(() => told.push('after'));
      await test('sub', async () => { await null; assert.equal(getTestContext().name, 'sub'); told.push('sub'); });
      await describe('suite', () => { beforeEach(() => told.push('each')); it('deep', () => told.push('deep')); });
      await import('./inside.mjs');
      told.push('imported');
      told.push('body');
    });
    test('after a body', () => {
      if (told.length > 0) assert.deepEqual(told, ['sub', 'each', 'deep', 'imported', 'body', 'after']);
      told.length = 0;
    });`,
  'inside.mjs': `
    import { test } from 'node:test';
    await test('imported', async () => { await null; });`,
  'common.test.cjs': `
    const test = require('node:test'); const { it, mock } = require('node:test');
    test('from require', (t) => { t.mock.method(Math, 'max', () => 7); require('node:assert').equal(Math.max(1), 7); });
    it('it from require', () => mock.fn()());`,
};

test('cases that several test files register from one text are told by each of those', async () => {
  const cwd = project({
    'suite.mjs': "import test from 'node:test'; export const same = () => test('same', async () => {});",
    'a.test.mjs': "import { same } from './suite.mjs'; same();",
    'b.test.mjs': "import { same } from './suite.mjs'; same();",
    'c.test.mjs': "import test from 'node:test'; test('same', () => {});",
  });
  const subjects = await recordCommand(['node', '--test'], { cwd });
  assert.deepEqual(ids(subjects).toSorted(), ['a.test.mjs:same', 'b.test.mjs:same', 'c.test.mjs:same']);
  const one = await recordCommand(['node', '--test', 'a.test.mjs'], { cwd });
  assert.deepEqual(ids(one), ['suite.mjs:same']);
});

describe('every test case of a command is a subject', () => {
  test('whatever way it is written', async () => {
    const found = await recordCommand(['node', '--test'], { cwd: project(KINDS) });
    assert.deepEqual(ids(found), [
      'bodies.test.mjs:body > sub',
      'bodies.test.mjs:body > suite > deep',
      'bodies.test.mjs:after a body',
      'common.test.cjs:from require',
      'common.test.cjs:it from require',
      'inside.mjs:body > imported',
      'kinds.test.mjs:plain',
      'kinds.test.mjs:async',
      'kinds.test.mjs:callback',
      'kinds.test.mjs:same name',
      'kinds.test.mjs:same name (2)',
      'kinds.test.mjs:microtasks first',
      'kinds.test.mjs:context',
      'kinds.test.mjs:byFunctionName',
      'kinds.test.mjs:withOptions',
      'kinds.test.mjs:outer > inner',
      'kinds.test.mjs:outer > deeper > inner',
      'kinds.test.mjs:parent > child > grandchild',
      'kinds.test.mjs:parent > child (2)',
      'kinds.test.mjs:concurrent > a',
      'kinds.test.mjs:concurrent > b',
    ]);
    for (const subject of found) {
      const { result } = await subject.record(options());
      assert.equal(result.outcome, 'pass', subject.id);
    }
    // Each can be run alone, and then takes the very same steps.
    const plain =
      /(?:plain|async|same name|byFunctionName|withOptions|after a body|outer > inner|it from require|> a)$/;
    for (const subject of found.filter(({ id }) => WHOLE || !plain.test(id))) {
      const alone = await subject.record(options(), observed);
      const again = await subject.execute(observed, options());
      assert.equal(again.outcome, 'pass', `${subject.id}: ${again.failure?.message}`);
      assert.deepEqual(again.steps, alone.result.steps);
    }
  });

  test('through npm, through node itself, and in one process', async () => {
    const cwd = fixedProject('lost-update');
    const expected = [
      'account.test.js:account > deposits',
      'account.test.js:account > deposits twice at once',
      'account.test.js:outer > inner',
      'account.test.js:outer > inner (2)',
    ];
    assert.deepEqual(ids(await recordCommand(['npm', 'test'], { cwd })), expected);
    assert.deepEqual(ids(await recordCommand(['node', 'account.test.js'], { cwd })), expected);
    const alone = await recordCommand(['node', '--test', '--test-isolation=none', 'account.test.js'], {
      cwd,
    });
    assert.deepEqual(ids(alone), expected);
    assert.equal((await alone[0]!.execute(observed, options())).outcome, 'pass');
  });
});

test('a lost update: red under some orders, green under the observed one', async () => {
  const found = await recordCommand(['node', '--test'], { cwd: fixedProject('lost-update') });
  const subject = named(found, 'account > deposits twice at once');
  const { trace, result } = await subject.record(options());
  assert.equal(result.outcome, 'pass');
  assert.ok(
    trace.entities.some((e) => /^fs:.*balance/.test(e.name)),
    'the file is an entity',
  );
  const warm = await subject.recordWarm!(options(), observed);
  assert.equal(warm.result.traceHash, result.traceHash);
  for (let seed = 0; ; seed++) {
    const run = await subject.execute(random(seed), options());
    if (run.outcome === 'pass') continue;
    assert.equal(run.failure?.kind, 'assertion');
    const fresh = await subject.executeFresh(random(seed), options());
    assert.equal(fresh.failure?.fingerprint, run.failure?.fingerprint);
    assert.deepEqual(fresh.steps, run.steps);
    break;
  }
  assert.equal((await subject.executeFresh(observed, options())).outcome, 'pass');
});

/** A case that fails where its immediate does not come first. */
const IMMEDIATE_FIRST = `
    test('immediate', async () => {
      let first = false;
      setImmediate(() => { first = true; });
      await stat(import.meta.filename);
      assert.ok(first);
    });`;

describe('a forced run', () => {
  test('begins before the loop, unless a hook has waited for something', async () => {
    const head = `
    import assert from 'node:assert/strict';
    import { stat } from 'node:fs/promises';
    import test, { beforeEach } from 'node:test';`;
    const hook = 'beforeEach(() => stat(import.meta.filename));';
    const cwd = project({
      'alone.test.mjs': head + IMMEDIATE_FIRST,
      'hook.test.mjs': head + hook + IMMEDIATE_FIRST,
    });
    const [alone, behind] = await recordCommand(['node', '--test'], { cwd });
    const late = forced(['E:root|fs.stat#1', 'D:root|fs.stat#1', 'D:root|setImmediate#1']);
    const { outcome } = await alone!.executeFresh(late, options());
    assert.equal(outcome, 'fail');
    const { followed } = await behind!.executeFresh(late, options());
    assert.equal(followed, 'infeasible');
  });

  const files = {
    'a.test.mjs': `
      import assert from 'node:assert/strict';
      import { appendFileSync } from 'node:fs';
      import { createServer } from 'node:net';
      import { after, afterEach, before, beforeEach, describe, it, test } from 'node:test';
      const log = (what) => appendFileSync(process.env.TRACK, what + '\\n');
      before(() => log('file before')); after(() => log('file after')); beforeEach(() => log('each'));
      test('other', () => log('other'));
      describe('s', () => {
        before(() => log('s before'));
        it('one', async () => { log('one'); });
        it('two', async () => { log('two'); });
      });
      describe('t', () => { before(() => log('t before')); it('three', () => log('three')); });
      test('parent', async (t) => {
        log('parent');
        await t.test('x', () => log('x'));
        await t.test('y', () => log('y'));
      });
      describe('h', () => { afterEach(() => assert.ok(process.env.HOOKS !== 'bad')); it('hooked', () => {}); });
      test('exits', () => { if (process.env.HOOKS) process.exit(0); });
      test('dies', () => { if (process.env.HOOKS) process.kill(process.pid, 'SIGKILL'); });
      test('leaves a server open', async () => {
        createServer().listen(0);
        process.on('exit', (code) => log('left with code ' + code));
        assert.ok(process.env.HOOKS);
      });
      test('hangs', () => new Promise(() => { if (!process.env.HOOKS) throw new Error('red') }));`,
  };
  const cwd = project(files);
  const track = join(cwd, 'track');
  const recorded = (() => {
    process.env['TRACK'] = track;
    // The runner waits for what a red test leaves open.
    return recordCommand(['node', '--test', '--test-force-exit'], { cwd });
  })();
  let lines = 0;
  const tracked = () => {
    const all = readFileSync(track, 'utf8').trim().split('\n');
    const fresh = all.slice(lines);
    lines = all.length;
    return fresh;
  };
  const run = async (name: string) => {
    const found = await recorded;
    tracked();
    return named(found, name).executeFresh(observed, options());
  };

  test('leaves out all other tests and their hooks', async () => {
    await run('s > two');
    assert.deepEqual(tracked(), ['file before', 's before', 'each', 'two', 'file after']);
    await run('other');
    assert.deepEqual(tracked(), ['file before', 'each', 'other', 'file after']);
  });
  test('of a subtest runs its parent and its siblings as they are', async () => {
    await run('parent > y');
    assert.deepEqual(tracked(), ['file before', 'each', 'parent', 'each', 'x', 'each', 'y', 'file after']);
  });

  const bad = async (name: string) => {
    process.env['HOOKS'] = 'bad';
    try {
      return await run(name);
    } finally {
      delete process.env['HOOKS'];
    }
  };
  test('fails where a hook fails', async () => {
    assert.equal((await run('h > hooked')).outcome, 'pass');
    assert.equal((await bad('h > hooked')).failure?.name, 'HookFailed');
  });
  test('process.exit', async () => assert.equal((await bad('exits')).failure?.name, 'ProcessExit'));
  test('the process dies', async () => {
    const { outcome, failure } = await bad('dies');
    assert.deepEqual([outcome, failure?.message], ['fail', 'the process was killed by SIGKILL']);
  });
  test('ends when it has failed, whatever it has left open', async () => {
    assert.equal((await run('leaves a server open')).outcome, 'fail');
    assert.equal(tracked().at(-1), 'left with code 1');
    const { result } = await named(await recorded, 'leaves a server open').record(options());
    assert.equal(result.outcome, 'fail');
  });
  test('deadlock', async () => assert.equal((await bad('hangs')).outcome, 'deadlock'));
  test('a red test is recorded as red', async () => {
    const { result } = await named(await recorded, 'hangs').record(options());
    assert.deepEqual([result.outcome, result.failure?.message], ['fail', 'red']);
  });
});

test('a test that only passes because it begins at once is red', async () => {
  const cwd = project({
    'a.test.mjs': `import assert from 'node:assert/strict';
import http from 'node:http';
import test from 'node:test';
let listens = false;
http.createServer().listen(0, () => { listens = true; }).unref();
test('begins at once', () => assert.ok(!listens));
`,
  });
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  assert.equal(spawnSync(process.execPath, ['--test'], { cwd, env }).status, 0);
  const [subject] = await recordCommand(['node', '--test'], { cwd });
  const { result } = await subject!.record(options());
  assert.deepEqual([result.outcome, result.failure?.name], ['fail', 'AssertionError']);
});

test("the user's own run ends as without us", () => {
  const cwd = project({
    'a.test.mjs': `import assert from 'node:assert/strict'; import { AsyncLocalStorage } from 'node:async_hooks'; import { randomBytes } from 'node:crypto'; import test, { describe, it } from 'node:test';
test('good', async (t) => { await t.test('sub', (t) => { t.diagnostic('hello'); }); });
describe('suite', () => { it('bad', async () => { await null; assert.equal(1, 2); });
  it('slow', { timeout: 50 }, () => new Promise(() => {})); });
test('skips', (t) => t.skip('why'));
test('todo', { todo: true }, () => { throw new Error('later'); });
test('plan', (t) => { t.plan(1); t.assert.ok(true); });
test('plan, and goes on', (t) => { t.plan(1); return new Promise((resolve) => { const i = setInterval(() => { t.assert.ok(1); resolve(); }, 1); t.after(() => clearInterval(i)); }); });
test('callback', (t, done) => done(new Error('called back')));
const rounds = async (n, t) => { for (let i = 0; i < n; i++) await null; t.assert.ok(true); };
for (const n of [1, 3, 4, 5]) {
  test(\`\${n} rounds behind\`, (t) => { t.plan(1); rounds(n, t); });
  test(\`\${n} rounds behind, async\`, async (t) => { t.plan(1); await null; rounds(n, t); });
  test(\`\${n} rounds behind, with a callback\`, (t, done) => { t.plan(1); setImmediate(() => { done(); rounds(n, t); }); });
}
test('leaves an interval', (t) => { t.plan(1); t.assert.ok(true);
  const left = setInterval(() => t.assert.ok(true), 1); t.after(() => clearInterval(left)); });
test('leaves an immediate', (t) => { t.plan(1); t.assert.ok(true);
  const left = setImmediate(() => t.assert.ok(true)); t.after(() => clearImmediate(left)); });
test('leaves a tick', async (t) => { t.plan(1); t.assert.ok(true); let open = true;
  process.nextTick(() => { t.assert.ok(true); assert.ok(!open); }); t.after(() => { open = false; }); });
test('leaves a tick, with a callback', (t, done) => { t.plan(1); t.assert.ok(true); let open = true;
  t.after(() => { open = false; }); done(); process.nextTick(() => { t.assert.ok(true); assert.ok(!open); }); });
test('leaves a subtest', async (t) => { await t.test('awaited', () => {}); t.test('left', (t) => { t.plan(1); t.assert.ok(true); }); });
test('leaves a subtest that takes time', async (t) => { await t.test('awaited', () => {}); t.test('left', () => new Promise((resolve) => setTimeout(resolve, 5))); });
test('leaves work of the pool', (t) => { let open = true;
  const told = new Promise((resolve) => randomBytes(8, () => { assert.ok(!open); resolve(); }));
  t.after(() => { open = false; return told; }); });
const scope = new AsyncLocalStorage();
test('leaves work of the pool that is done', (t, done) => { let heard;
  const told = new Promise((resolve) => scope.run('mine', () => randomBytes(8, () => { heard = scope.getStore(); resolve(); })));
  t.after(async () => { await told; assert.equal(heard, 'mine'); }, { timeout: 20_000 });
  setImmediate(() => done()); });
`,
  });
  const run = (env: NodeJS.ProcessEnv) => {
    const { stdout, status } = spawnSync(process.execPath, ['--test', '--test-reporter=tap'], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env },
    });
    return {
      stdout: stdout
        .replace(/duration_ms.*|(?<=\.mjs:\d+):\d+/g, '')
        .replace(/^.*(node:|rescheduler|\/dist\/|runtime|async |new Promise).*\n/gm, ''),
      status,
    };
  };
  const plain = run({});
  const out = project({});
  const config = loaderConfigOf({ cwd });
  const job = join(out, 'job');
  return launch(
    process.execPath,
    ['--test', '--test-reporter=tap'],
    { cwd },
    { mode: 'record', out, config, limits: DEFAULT_LIMITS },
    job,
    new OutputTail(),
    { timeoutMs: 60_000 },
  ).then((ended) => {
    assert.equal(ended.code, plain.status);
    const ours = run({
      NODE_OPTIONS: withOurs('', readWhole<Job>(job)),
      UNWEAVE_JOB: job,
      UNWEAVE_CONFIG: JSON.stringify(config),
    });
    assert.equal(ours.stdout, plain.stdout);
  });
});

describe('a warm process', () => {
  test('runs the same hooks in the same order as the runner', async () => {
    const cwd = project({
      'a.test.mjs': `
        import { appendFileSync } from 'node:fs';
        import test, { after, afterEach, before, beforeEach, describe, it } from 'node:test';
        let count = 0;
        const log = (what) => appendFileSync(process.env.TRACK2, what + ' ' + ++count + '\\n');
        const hooks = (name) => {
          before(() => log('before ' + name)); after(async () => log('after ' + name));
          beforeEach((t) => log('beforeEach ' + name + ' ' + (t.name ?? ''))); afterEach((t, done) => { log('afterEach ' + name); done(); });
          afterEach(() => log('afterEach 2 ' + name));
        };
        hooks('file');
        describe('a', () => {
          hooks('a');
          it('sibling', () => log('sibling'));
          describe('b', () => { it('target', async function (t) {
            t.after(() => log('t.after')); t.mock.method(Math, 'max', () => 'mocked');
            log(['target', t.name, t.fullName, this === t, Math.max(1), t.signal.aborted, process.argv[1] === t.filePath, import.meta.main].join());
          }); hooks('b'); });
          describe('c', () => { hooks('c'); it('other', () => log('other')); });
          hooks('a, late');
        });
        hooks('file, late');
        test('parent', async (t) => {
          t.before(() => log('t.before')); t.beforeEach(() => log('t.beforeEach')); t.afterEach(() => log('t.afterEach'));
          log('parent'); await t.test('sibling', () => log('sibling')); await t.test('skipped', { skip: true }, () => log('skipped'));
          await t.test('target 2', async (t) => { t.after(() => log('inner t.after')); log('target 2 ' + t.fullName); }); log('parent ends');
        });
        it('target 3', (t, done) => { log('target 3'); setTimeout(done, 5); });`,
    });
    const track = join(cwd, 'track');
    process.env['TRACK2'] = track;
    const found = await recordCommand(['node', '--test'], { cwd });
    const logOf = async (run: () => Promise<unknown>) => {
      rmSync(track, { force: true });
      await run();
      return readFileSync(track, 'utf8').split('\n');
    };
    for (const name of ['a > b > target', 'parent > target 2', 'target 3']) {
      const subject = named(found, name);
      const real = await logOf(() => subject.executeFresh(observed, options()));
      assert.equal((await subject.execute(observed, options())).outcome, 'pass');
      assert.equal((subject as Partial<{ unfit: string | null }>).unfit, null);
      assert.deepEqual(await logOf(() => subject.execute(observed, options())), real);
      await subject.close();
    }
  });

  test('goes on behind a failure that is no proof', async () => {
    const cwd = project({
      'a.test.mjs': `
        import assert from 'node:assert/strict'; import { stat } from 'node:fs/promises'; import test from 'node:test';
        test('doubtful', async () => {
          assert.ok(new Event('x').timeStamp > 0);
          const order = [];
          await Promise.all(['a', 'b'].map((name) => stat('.').then(() => order.push(name))));
          assert.deepEqual(order, ['a', 'b']);
        });`,
    });
    const [doubtful] = await recordCommand(['node', '--test'], { cwd });
    let seed = 0;
    while ((await doubtful!.execute(random(seed), options())).outcome !== 'unknown') seed++;
    assert.equal((doubtful as Partial<{ unfit: string | null }>).unfit, null);
    await doubtful!.close();
  });

  test('misses what was planned where the runner misses it', async () => {
    const cwd = project({
      'a.test.mjs': `
        import { stat } from 'node:fs/promises'; import test from 'node:test';
        test('the first ends it', async (t) => {
          t.plan(2);
          let over = false;
          const look = async (n) => { await stat('.'); if (!over) t.assert.ok(n); if (n === 2) over = true; };
          await Promise.all([look(1), look(2)]);
        });`,
    });
    const [first] = await recordCommand(['node', '--test'], { cwd });
    let seed = 0;
    while ((await first!.execute(random(seed), options())).outcome === 'pass') seed++;
    assert.equal((first as Partial<{ unfit: string | null }>).unfit, null);
    assert.equal((await first!.executeFresh(random(seed), options())).outcome, 'fail');
    await first!.close();
  });

  test('waits for an unref’d timer, as the runner does: it keeps the process alive', async () => {
    const cwd = project({
      'a.test.mjs': `
        import test from 'node:test';
        test('resent', () => new Promise((resolve) => setTimeout(resolve, 1000).unref()));`,
    });
    const found = await recordCommand(['node', '--test'], { cwd });
    const resent = named(found, 'resent');
    assert.equal((await resent.record(options())).result.outcome, 'pass');
    assert.equal((await resent.execute(observed, options())).outcome, 'pass');
    assert.equal((await resent.executeFresh(observed, options())).outcome, 'pass');
    await resent.close();
  });

  test('takes the same steps on the way to its temporary directory, and where Node keeps the date of answers', async () => {
    const cwd = project({
      'a.test.mjs': `
        import fs from 'node:fs'; import { mkdtemp } from 'node:fs/promises'; import http from 'node:http';
        import { once } from 'node:events'; import { tmpdir } from 'node:os'; import { join } from 'node:path';
        import test from 'node:test';
        test('way', async () => {
          const dir = await mkdtemp(join(tmpdir(), 'way-'));
          await new Promise((resolve, reject) => fs.realpath(dir, (e) => (e ? reject(e) : resolve())));
        });
        test('date', async () => {
          const server = http.createServer((_, answer) => answer.end('x')).listen(0);
          await once(server, 'listening');
          await (await fetch('http://127.0.0.1:' + server.address().port, { headers: { connection: 'close' } })).text();
          server.close();
        });`,
    });
    for (const subject of await recordCommand(['node', '--test'], { cwd })) {
      const { steps } = (await subject.record(options())).result;
      assert.ok(steps.length > 3);
      for (let time = 0; time < 3; time += 1)
        assert.deepEqual((await subject.execute(observed, options())).steps, steps, subject.name);
      assert.equal((subject as Partial<{ unfit: string | null }>).unfit, null, subject.name);
      assert.deepEqual((await subject.executeFresh(observed, options())).steps, steps, subject.name);
      await subject.close();
    }
  });

  const files = {
    'a.test.mjs': `
      import assert from 'node:assert/strict'; import test, { afterEach, describe, it, mock } from 'node:test';
      test('fit', () => {});
      test('plans', async (t) => { t.plan(2); t.assert.ok(1); await null; t.assert.equal(1, 1); });
      test('plans and goes on', (t) => { t.plan(1); return new Promise((resolve) => { const i = setInterval(() => { t.assert.ok(1); resolve(); }, 1); t.after(() => clearInterval(i)); }); });
      test('plans and waits', (t) => { t.plan(1, { wait: 100 }); setImmediate(() => t.assert.ok(1)); });
      test('snapshots', (t) => { try { t.assert.snapshot } catch {} });
      test('remembers', () => { globalThis.n = (globalThis.n ?? 0) + 1; if (globalThis.n > 1) return new Promise((r) => setTimeout(r, 5)); });
      test('red', () => assert.fail());
      test('dies', () => { if (process.send) process.kill(process.pid, 'SIGKILL'); });
      describe('async suite', async () => { it('inside', () => {}); });
      describe('hooks', () => { afterEach(() => { if (process.send) throw new Error('hook'); }); it('hooked', () => {}); });`,
  };
  test('is not used where it cannot do what the runner does', async () => {
    const found = await recordCommand(['node', '--test'], { cwd: project(files) });
    const unfit: Record<string, string | null> = {};
    for (const subject of found) {
      // In a process that other cases had, in one of its own, and once more.
      await subject.execute(observed, options());
      await subject.execute(observed, options());
      const result = await subject.execute(observed, options());
      assert.equal(result.outcome, subject.name === 'red' ? 'fail' : 'pass', subject.name);
      unfit[subject.name] = (subject as Partial<{ unfit: string | null }>).unfit ?? null;
      await subject.close();
    }
    assert.deepEqual(unfit, {
      fit: null,
      plans: null,
      'plans and goes on': null,
      'plans and waits': 'the file uses a plan that waits',
      snapshots: null,
      remembers: 'it does not take the recorded steps',
      red: null,
      dies: 'the process was killed by SIGKILL',
      'async suite > inside': 'the file uses an asynchronous suite',
      'hooks > hooked': 'it does not take the recorded steps',
    });
  });

  test('is used again behind a run that it could not carry out', async () => {
    const cwd = project({
      'a.test.mjs': `
        import { beforeEach, test } from 'node:test';
        beforeEach(() => { if (process.send && (globalThis.runs = (globalThis.runs ?? 0) + 1) === 4) throw new Error('once'); });
        test('warm', () => {});`,
    });
    const warm = named(await recordCommand(['node', '--test'], { cwd }), 'warm');
    await warm.record(options());
    for (let time = 0; time < 5; time += 1)
      assert.equal((await warm.execute(random(time), options())).outcome, 'pass');
    assert.equal(warm.unfit, null);
    await warm.close();
  });

  test('is used where a case takes other steps alone, and the same ones there', async () => {
    const cwd = project({
      'a.test.mjs': `
        import test from 'node:test'; import { setTimeout as sleep } from 'node:timers/promises';
        const looks = async () => { if (!globalThis.cache) await sleep(1); await Promise.all([sleep(2), sleep(3)]); };
        test('fills', () => { globalThis.cache = true; });
        test('looks', looks);`,
    });
    const looks = named(await recordCommand(['node', '--test'], { cwd }), 'looks');
    const recorded = (await looks.record(options())).result.steps;
    const alone = (await looks.executeFresh(observed, options())).steps;
    assert.equal(alone.length, recorded.length + 1);
    for (let time = 0; time < 3; time += 1)
      assert.deepEqual((await looks.execute(observed, options())).steps, alone);
    assert.equal((looks as Partial<{ unfit: string | null }>).unfit, null);
    await looks.close();
  });

  test('keeps files on the disk for a test that takes them in the order in which a folder lists them', async () => {
    const cwd = project({
      'a.test.mjs': `
        import { mkdtemp, opendir, readdir, stat, writeFile } from 'node:fs/promises'; import { tmpdir } from 'node:os';
        import { join } from 'node:path'; import test from 'node:test';
        test('walks', async () => {
          const dir = await mkdtemp(join(tmpdir(), 'walk-'));
          for (const name of 'abcdefgh') await writeFile(join(dir, name), '');
          for await (const { name } of await opendir(dir)) await (name < 'e' ? stat(dir) : readdir(dir));
        });`,
    });
    const walks = named(await recordCommand(['node', '--test'], { cwd }), 'walks');
    const { steps } = (await walks.record(options())).result;
    for (let time = 0; time < 3; time += 1)
      assert.deepEqual((await walks.execute(observed, options())).steps, steps);
    assert.equal((walks as Partial<{ unfit: string | null }>).unfit, null);
    await walks.close();
  });

  test('has one process for the cases of a file, and another one for those whom the others disturb', async () => {
    const cwd = project({
      'a.test.mjs': `
        import assert from 'node:assert/strict'; import { appendFileSync } from 'node:fs'; import test from 'node:test';
        import { stat } from 'node:fs/promises';
        const two = async () => {
          const order = [];
          await Promise.all(['a', 'b'].map((name) => stat('.').then(() => order.push(name))));
          return order;
        };
        const told = (name) => appendFileSync(process.env.TRACK3, name + ' ' + process.pid + '\\n');
        test('clean', () => { assert.equal(globalThis.dirty, undefined); told('clean'); });
        test('forced clean', async () => {
          const [first] = await two();
          if (first === 'b') { assert.equal(globalThis.dirty, undefined); told('forced clean'); }
        });
        test('fails', async () => assert.deepEqual(await two(), ['a', 'b']));
        test('one', () => told('one'));
        test('dirty', () => { globalThis.dirty = true; told('dirty'); });`,
    });
    const track = join(cwd, 'track');
    process.env['TRACK3'] = track;
    const found = await recordCommand(['node', '--test'], { cwd });
    rmSync(track);
    let seed = 0;
    while ((await named(found, 'fails').executeFresh(random(seed), options())).outcome === 'pass') seed++;
    const other = random(seed);
    const run = async (name: string, specs: (typeof observed | typeof other)[]) => {
      const subject = named(found, name);
      for (const spec of specs) {
        const { outcome } = await subject.execute(spec, options());
        assert.equal(outcome, name === 'fails' && spec.kind === 'random' ? 'fail' : 'pass', name);
      }
      assert.equal((subject as Partial<{ unfit: string | null }>).unfit, null, name);
      await subject.close();
    };
    const trials = [observed, observed];
    for (const name of ['dirty', 'one', 'clean', 'dirty']) await run(name, trials);
    await run('forced clean', [...trials, other]);
    await run('dirty', trials);
    await run('fails', [...trials, other]);
    await run('dirty', trials);
    const pids = new Map<string, Set<string>>();
    for (const line of readFileSync(track, 'utf8').trim().split('\n')) {
      const [, name = '', pid = ''] = /^(.*) (\d+)$/.exec(line) ?? [];
      pids.set(name, (pids.get(name) ?? new Set()).add(pid));
    }
    const [of, dirty] = [(name: string) => [...(pids.get(name) ?? [])], [...(pids.get('dirty') ?? [])]];
    // Whoever failed has its process for itself, and leaves it to nobody.
    assert.equal(dirty.length, 4);
    assert.deepEqual(of('one'), dirty.slice(0, 1));
    assert.deepEqual([of('clean').length, of('forced clean').length], [1, 1]);
    assert.ok(![...of('clean'), ...of('forced clean')].some((pid) => dirty.includes(pid)));
  });

  test('is used again after a run that took too long, which the real runner has to tell', async () => {
    const cwd = project({
      'a.test.mjs': `
        import { stat } from 'node:fs/promises'; import test from 'node:test'; import { Worker } from 'node:worker_threads';
        import { appendFileSync } from 'node:fs';
        test('waits', async () => {
          appendFileSync('pids', process.pid + ' ');
          const order = [];
          await Promise.all(['a', 'b'].map((name) => stat('.').then(() => order.push(name))));
          if (order[0] === 'b') await new Promise((resolve) => new Worker('setInterval(() => {}, 1000)', { eval: true }).on('exit', resolve));
        });`,
    });
    const [waits] = await recordCommand(['node', '--test'], { cwd });
    const short = () => ({ ...options(), limits: { ...options().limits, watchdogMs: 2000 } });
    let seed = 0;
    while ((await waits!.execute(random(seed), short())).outcome === 'pass') seed++;
    assert.equal((waits as unknown as { unfit: string | null }).unfit, null);
    rmSync(join(cwd, 'pids'));
    for (let n = 0; n < 3; n++) assert.equal((await waits!.execute(observed, short())).outcome, 'pass');
    assert.equal(new Set(readFileSync(join(cwd, 'pids'), 'utf8').trim().split(' ')).size, 1);
    await waits!.close();
  });

  const LOADED = `
    import assert from 'node:assert/strict'; import { stat } from 'node:fs/promises'; import test from 'node:test';
    import { answer } from 'virtual:answer';
    import { appendFileSync } from 'node:fs';
    test('answered', async () => {
      appendFileSync('pids', process.pid + ' ');
      const order = [];
      await Promise.all(['a', 'b'].map((name) => stat('.').then(() => order.push(name))));
      assert.deepEqual([answer, order], [42, ['a', 'b']]);
    });`;
  const HOOKS = (how: string) => `
    ${how} function resolve(specifier, context, next) {
      return next(specifier === 'virtual:answer' ? './answer.mjs' : specifier, context);
    }
    ${how} function load(url, context, next) {
      const given = next(url, context);
      const put = (given) => url.endsWith('answer.mjs') ? { ...given, source: String(given.source).replace('ANSWER', '42') } : given;
      return given.then?.(put) ?? put(given);
    }`;
  const LOADERS: [string, Record<string, string>][] = [
    [
      'of its own thread',
      {
        'loader.mjs': `import { registerHooks } from 'node:module'; ${HOOKS('')} registerHooks({ resolve, load });`,
      },
    ],
    [
      'of another thread',
      {
        'loader.mjs': `import { register } from 'node:module'; register('./hooks.mjs', import.meta.url);`,
        'hooks.mjs': HOOKS('export async'),
      },
    ],
  ];
  for (const [which, loader] of LOADERS) {
    test(`runs what loaders ${which} give; a failure there is for the real runner to tell, once`, async () => {
      const cwd = project({
        ...{ 'a.test.mjs': LOADED, 'answer.mjs': 'export const answer = ANSWER;' },
        ...loader,
      });
      const found = await recordCommand(['node', '--import', './loader.mjs', 'a.test.mjs'], { cwd });
      const answered = named(found, 'answered');
      const { steps } = (await answered.record(options())).result;
      for (let n = 0; n < 2; n++)
        assert.deepEqual((await answered.execute(observed, options())).steps, steps);
      let seed = 0;
      while ((await answered.execute(random(seed), options())).outcome === 'pass') seed++;
      assert.equal((answered as unknown as { unfit: string | null }).unfit, null);
      const fresh = await answered.executeFresh(random(seed), options());
      rmSync(join(cwd, 'pids'));
      for (let n = 0; n < 3; n++) {
        const { failure } = await answered.execute(random(seed), options());
        assert.equal(failure?.fingerprint, fresh.failure?.fingerprint);
      }
      assert.equal(new Set(readFileSync(join(cwd, 'pids'), 'utf8').trim().split(' ')).size, 1);
      await answered.close();
    });
  }

  test('is used with loaders of the user for CommonJS, too, and where they come from the environment', async () => {
    const cwd = project({
      ...{ 'loader.mjs': '', 'a.test.cjs': `require('node:test')('fit', () => {});` },
      'b.test.mjs': `import test from 'node:test'; test('fit', () => {});`,
    });
    const unfitOf = async (...command: string[]) => {
      const [fit] = await recordCommand(command, { cwd });
      assert.equal((await fit!.execute(observed, options())).outcome, 'pass');
      await fit!.close();
      return (fit as unknown as { unfit: string | null }).unfit;
    };
    assert.equal(await unfitOf('node', '--import', './loader.mjs', 'a.test.cjs'), null);
    assert.equal(await unfitOf('node', '--import', './loader.mjs', 'b.test.mjs'), null);
    const early = ['sh', '-c', 'NODE_OPTIONS="$NODE_OPTIONS --import=./loader.mjs" node b.test.mjs'];
    assert.equal(await unfitOf(...early), null);
  });
});

describe('the end of a command', () => {
  test('abort kills everything', async () => {
    const cwd = project({
      'a.test.mjs': `import test from 'node:test'; import { spawn } from 'node:child_process'; import { writeFileSync } from 'node:fs';
        test('x', () => new Promise(() => {
          const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
          writeFileSync('pids', process.pid + ' ' + child.pid + ' ');
        }));`,
    });
    const controller = new AbortController();
    const run = recordCommand(['node', '--test'], { cwd, signal: controller.signal });
    run.catch(() => {});
    const file = join(cwd, 'pids');
    await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith(' '));
    const pids = readFileSync(file, 'utf8').trim().split(' ').map(Number);
    assert.ok(pids.every(exists));
    controller.abort();
    await assert.rejects(run, { name: 'AbortError' });
    await until(() => !pids.some(exists));
  });

  test('the folder of the recording is left empty', async () => {
    const folder = join(project({}), 'store.d');
    await recordCommand(['node', 'account.test.js'], { cwd: fixedProject('lost-update'), folder });
    assert.equal(existsSync(folder) && readdirSync(folder).length > 0, false);
  });

  const OTHERS = {
    'node_modules/ava/cli.js': '',
    'node_modules/.bin/lab': `console.error('Error: no'); process.exitCode = 1;`,
    'node_modules/.bin/jest': `require('node:child_process').spawn(process.execPath, ['started.js']);`,
    'started.js': '',
  };
  const refused: [string[], RegExp][] = [
    [[], /^no command was given$/],
    [['no-such-command-here'], /^cannot start 'no-such-command-here': ENOENT$/],
    [
      ['node', 'nowhere.js'],
      /^'node nowhere\.js' exited with code 1 and ran no test case.*Cannot find module/,
    ],
    [
      ['node', '-e', '1'],
      /exited with code 0 and ran no test case and no script of yours: only test cases of node:test, Vitest from 2 on, Jest from 29 on, Mocha and uvu, and scripts, are seen$/,
    ],
    [['sh', '-c', 'echo boom >&2; kill -9 $$'], /was killed by SIGKILL.*boom/],
    [
      ['node', 'node_modules/ava/cli.js'],
      /exited with code 0 .* it ran AVA, whose tests are not seen; only test cases/,
    ],
    [['node', 'node_modules/.bin/lab'], /Error: no; it ran lab, whose tests are not seen$/],
    // What tests start is never looked at by itself, be they seen or not.
    [['node', 'node_modules/.bin/jest'], /exited with code 0 and ran no test case and no script of yours/],
    [
      ['sh', '-c', 'echo Ran all. && exit 1'],
      /exited with code 1 .*: Ran all\.; only test cases of node:test/,
    ],
  ];
  for (const [command, message] of refused)
    test(`'${command.join(' ')}' is refused in one line`, () =>
      assert.rejects(recordCommand(command, { cwd: project(OTHERS) }), { name: 'SubjectError', message }));
});

describe('an interval that goes on beside tests brings them what it does natively, begun in', () => {
  const rows = {
    'a hook': `before(() => begin()); it('waits', wait); it('waits again', wait);`,
    'an earlier test': `it('begins', async () => { begin(); }); it('waits', wait); it('waits again', wait);`,
  };
  for (const [where, tests] of Object.entries(rows))
    test(where, async () => {
      const cwd = project({
        'a.test.mjs': `import { after, before, it } from 'node:test';
          const waiting = [];
          let timer;
          const begin = () => { timer = setInterval(() => { for (const go of waiting.splice(0)) go(); }, 20); };
          const wait = () => new Promise((resolve) => waiting.push(resolve));
          ${tests}
          after(() => clearInterval(timer));`,
      });
      for (const subject of await recordCommand([process.execPath, '--test', 'a.test.mjs'], { cwd })) {
        const { result } = await subject.record(options());
        assert.deepEqual([subject.name, result.outcome], [subject.name, 'pass']);
      }
    });
});

test('a command that fails although none of its tests does is red', async () => {
  const cwd = project({
    'a.test.mjs': `import { test } from 'node:test'; test('passes', () => {});`,
    'wrapper.sh': `node --test a.test.mjs && echo 'the rest failed' >&2 && exit 3`,
  });
  const found = await recordCommand(['sh', 'wrapper.sh'], { cwd });
  assert.deepEqual(
    found.map(({ name }) => name),
    ['passes', 'sh wrapper.sh'],
  );
  await assert.rejects(found[1]!.record(options()), {
    message: 'it exited with code 3 although none of its tests failed: the rest failed',
  });
});

test('a bound on coverage is not about the text that is instrumented', async () => {
  const cwd = project({
    'lib.mjs': `import { stat } from 'node:fs/promises';\nexport async function size() { return (await stat('.')).size; }\n`,
    'a.test.mjs': `import { test } from 'node:test'; import { size } from './lib.mjs'; test('sizes', size);`,
  });
  const bounds = ['lines', 'branches'].map((what) => `--test-coverage-${what}=100`);
  const command = [process.execPath, '--test', '--experimental-test-coverage', ...bounds, 'a.test.mjs'];
  assert.deepEqual(ids(await recordCommand(command, { cwd })), ['a.test.mjs:sizes']);
  // Who counts files that were never loaded is told.
  const line = 'ERROR: Coverage for lines (0%) does not meet global threshold (100%)';
  const all = ['sh', '-c', `node --test a.test.mjs && echo '${line}' >&2 && exit 1`];
  const [, broken] = await recordCommand(all, { cwd });
  await assert.rejects(broken!.record(options()), ({ message }: Error) =>
    message.endsWith(
      `${line}; coverage is not counted here: give the command without that bound, as what comes behind it was not run`,
    ),
  );
});

test('tests are seen behind a runner of scripts that keeps variables from them unless it is asked not to', async () => {
  const cwd = project({
    'a.test.mjs': `import test from 'node:test'; test('x', async () => {});`,
    'scripts.cjs': `
      const { PATH, NODE_OPTIONS, TMPDIR, ...others } = process.env;
      const env = others.TURBO_ENV_MODE === 'loose' ? process.env : { PATH, NODE_OPTIONS, TMPDIR };
      const { status } = require('node:child_process').spawnSync('node', ['--test'], { env, stdio: 'inherit' });
      process.exitCode = status;`,
  });
  assert.deepEqual(ids(await recordCommand(['node', 'scripts.cjs'], { cwd })), ['a.test.mjs:x']);
});
