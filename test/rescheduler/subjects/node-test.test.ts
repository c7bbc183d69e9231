import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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
import { exists, fixedProject, named, observed, options, project, random, until } from './projects.ts';

const ids = (subjects: readonly Subject[]) => subjects.map((s) => s.id);

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

test('a test that only passes because it begins before the ticks that its file has left', async () => {
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
  assert.deepEqual([result.outcome, result.failure], ['pass', null]);
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
    'node_modules/vitest/package.json': '{ "name": "vitest", "version": "0.34.6" }',
    'node_modules/vitest/vitest.mjs': '',
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
      /exited with code 0 and ran no test case and no script of yours: only test cases of node:test, Vitest from 1 on, Jest from 27 on, Mocha and uvu, and scripts, are seen$/,
    ],
    [['sh', '-c', 'echo boom >&2; kill -9 $$'], /was killed by SIGKILL.*boom/],
    [
      ['node', 'node_modules/ava/cli.js'],
      /exited with code 0 .* it ran AVA, whose tests are not seen; only test cases/,
    ],
    [['node', 'node_modules/.bin/lab'], /Error: no; it ran lab, whose tests are not seen$/],
    [
      ['node', 'node_modules/vitest/vitest.mjs'],
      /code 0 .*: it ran Vitest 0\.34\.6, and Vitest is seen from 1 on; only test cases/,
    ],
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
