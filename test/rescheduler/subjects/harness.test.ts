import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { EventKind } from '../../../data/trace.ts';
import { bySeed, PCT } from '../../../rescheduler/strategies/list.ts';
import { discoverHarnesses } from '../../../rescheduler/subjects/discover.ts';
import { type Subject, SubjectError } from '../../../rescheduler/subjects/protocol.ts';
import { API, exists, fixedProject, observed, options, project, random, until } from './projects.ts';

const opened: Subject[] = [];
after(() => Promise.all(opened.map((s) => s.close())));

async function discover(cwd: string, ...paths: string[]): Promise<Subject[]> {
  const found = await discoverHarnesses(paths, { cwd });
  opened.push(...found);
  return found;
}

/** One harness in a file of its own. */
async function one(parts: string, head = ''): Promise<Subject> {
  const text = `import { harness } from '${API}';\n${head}\nharness({ name: 'it', setup: ({ dir }) => ({ dir, n: 0 }), check() {}, ${parts} });\n`;
  return (await discover(project({ 'one.mjs': text }), 'one.mjs'))[0]!;
}

describe('a folder of harnesses', () => {
  test('files that use the API are found, others are not even run', async () => {
    const cwd = project({
      'a.mjs': `import { harness } from '${API}'; for (const name of ['x', 'y']) harness({ name, setup() {}, check() {}, tasks: { async t() {} } });`,
      'deep/b.mts': `import { harness } from '${API}'; const name: string = 'z'; harness({ name, setup() {}, check() {}, tasks: { async t() {} } });`,
      'helper.mjs': `import { harness } from '${API}'; export const twin = harness;`,
      'other.mjs': `process.exit(3);`,
      'node_modules/p/c.mjs': 'process.exit(3);',
    });
    const found = await discover(cwd, '.');
    assert.deepEqual(
      found.map(({ id, file, name, kind }) => [id, file, name, kind]),
      [
        ['a.mjs:x', 'a.mjs', 'x', 'harness'],
        ['a.mjs:y', 'a.mjs', 'y', 'harness'],
        ['deep/b.mts:z', 'deep/b.mts', 'z', 'harness'],
      ],
    );
  });

  test('what a worker has compiled is kept, though it is killed', async () => {
    const cwd = project({
      'a.mjs': `import { harness } from '${API}'; harness({ name: 'x', setup() {}, check() {}, tasks: { async t() {} } });`,
    });
    const { NODE_COMPILE_CACHE: given } = process.env;
    delete process.env['NODE_COMPILE_CACHE'];
    try {
      const [subject] = await discoverHarnesses(['.'], { cwd, cacheDir: join(cwd, 'cache') });
      // What it keeps is written before it hears the second request.
      for (let runs = 0; runs < 2; runs++) await subject!.execute(observed, options());
      await subject!.close();
    } finally {
      if (given !== undefined) process.env['NODE_COMPILE_CACHE'] = given;
    }
    const kept = readdirSync(join(cwd, 'cache'), { recursive: true, encoding: 'utf8' });
    assert.ok(kept.filter((file) => /\bcompiled\/[^/]+\/\w+$/.test(file)).length > 10, kept.join('\n'));
  });

  test('a lost update is recorded, met by random orders and by priorities, and kept out of the observed one', async () => {
    const [subject] = await discover(fixedProject('harnesses'), '.');
    const { trace, result } = await subject!.record(options());
    assert.equal(result.outcome, 'pass');
    assert.deepEqual(
      trace.activations.filter((a) => a.kind === 'task').map((a) => a.path),
      ['root.first', 'root.second'],
    );
    assert.ok(trace.events.kind.includes(EventKind.Write));
    const outcomes = new Set<string>();
    for (let seed = 0; seed < 20; seed++) {
      const run = await subject!.execute(random(seed), options());
      outcomes.add(run.failure?.kind ?? run.outcome);
    }
    assert.deepEqual(outcomes, new Set(['assertion', 'pass']));
    const byPriorities = new Set<string>();
    for (let seed = 0; seed < 20; seed++) {
      const spec = bySeed(PCT, seed, trace.steps.length);
      byPriorities.add((await subject!.execute(spec, options())).outcome);
    }
    assert.deepEqual(byPriorities, new Set(['fail', 'pass']));
    const again = await subject!.record(options());
    assert.equal(again.result.traceHash, result.traceHash);
  });

  test('a failing order fails again in a fresh process, and equal seeds are equal runs', async () => {
    const [subject] = await discover(fixedProject('harnesses'), '.');
    for (let seed = 0; ; seed++) {
      const warm = await subject!.execute(random(seed), options());
      if (warm.outcome === 'pass') continue;
      const fresh = await subject!.executeFresh(random(seed), options());
      assert.equal(fresh.failure?.fingerprint, warm.failure?.fingerprint);
      assert.deepEqual(fresh.steps, warm.steps);
      break;
    }
    assert.equal((await subject!.executeFresh(observed, options())).outcome, 'pass');
  });

  test('module state is fresh in every run', async () => {
    const subject = (await discover(fixedProject('harnesses'), '.'))[1]!;
    for (let i = 0; i < 3; i++) assert.equal((await subject.execute(observed, options())).outcome, 'pass');
  });
});

describe('how a run may end', () => {
  const ends = async (parts: string, watchdogMs?: number, head?: string) => {
    const subject = await one(parts, head);
    const result = await subject.execute(observed, options(watchdogMs ? { watchdogMs } : {}));
    // The next run must be possible whatever this one did.
    const next = await subject.execute(observed, options(watchdogMs ? { watchdogMs } : {}));
    assert.equal(next.outcome, result.outcome);
    return result;
  };
  const sleep = `const sleep = (ms) => new Promise((r) => setTimeout(r, ms));`;

  test('a task rejects', async () => {
    const { outcome, failure } = await ends(`tasks: { async t() { throw new RangeError('no') } }`);
    assert.deepEqual([outcome, failure?.kind, failure?.name], ['fail', 'exception', 'RangeError']);
  });
  test('a task throws at once', async () => {
    const { failure } = await ends(`tasks: { t() { throw new RangeError('no') } }`);
    assert.equal(failure?.name, 'RangeError');
  });
  test('check throws', async () => {
    const { failure } = await ends(
      `tasks: { async t() {} }, check() { assert.equal(1, 2) }`,
      undefined,
      `import assert from 'node:assert'`,
    );
    assert.equal(failure?.kind, 'assertion');
  });
  test('a rejection that nobody handles', async () => {
    const { failure } = await ends(
      `tasks: { async t() { Promise.reject(new Error('lost')); await sleep(5) } }`,
      undefined,
      sleep,
    );
    assert.deepEqual([failure?.kind, failure?.message], ['unhandled-rejection', 'lost']);
  });
  test('a callback throws', async () => {
    const { failure } = await ends(
      `tasks: { async t() { setTimeout(() => { throw new Error('thrown') }, 1); await sleep(5) } }`,
      undefined,
      sleep,
    );
    assert.deepEqual([failure?.kind, failure?.message], ['exception', 'thrown']);
  });
  test('deadlock', async () => {
    const { outcome, failure } = await ends(`tasks: { t: () => new Promise(() => {}) }`);
    assert.deepEqual([outcome, failure?.kind], ['deadlock', 'deadlock']);
  });
  test('process.exit', async () => {
    const { outcome, failure } = await ends(`tasks: { async t() { process.exit(0) } }`);
    assert.deepEqual([outcome, failure?.name], ['fail', 'ProcessExit']);
  });
  test('the process dies', async () => {
    const { outcome, failure } = await ends(`tasks: { async t() { process.kill(process.pid, 'SIGKILL') } }`);
    assert.deepEqual([outcome, failure?.message], ['fail', 'the process was killed by SIGKILL']);
  });
  test('waiting for the outside world', async () => {
    const { outcome, failure } = await ends(
      `tasks: { t: () => new Promise(() => { createServer().listen('\\0unweave-' + process.pid) }) }`,
      200,
      `import { createServer } from 'node:net'`,
    );
    assert.deepEqual([outcome, failure?.kind], ['unknown', 'timeout']);
  });
  test('a loop without end is killed', async () => {
    const subject = await one('tasks: { async t() { for (;;); } }');
    const controller = new AbortController();
    const run = subject.execute(observed, options({ signal: controller.signal }));
    setTimeout(() => controller.abort(new Error('enough')), 300);
    await assert.rejects(run, /enough/);
  });
});

test('abort kills the worker with everything it started', async () => {
  const subject = await one(
    `tasks: { t: () => new Promise(() => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      writeFileSync('pids', process.pid + ' ' + child.pid);
    }) }`,
    `import { spawn } from 'node:child_process'; import { writeFileSync } from 'node:fs'; import { dirname } from 'node:path';
     process.chdir(import.meta.dirname);`,
  );
  const controller = new AbortController();
  const run = subject.execute(observed, options({ signal: controller.signal }));
  run.catch(() => {});
  const file = join(opened.at(-1)!.id && (subject as unknown as { path: string }).path, '../pids');
  await until(() => existsSync(file) && readFileSync(file, 'utf8').includes(' '));
  const pids = readFileSync(file, 'utf8').split(' ').map(Number);
  assert.ok(pids.every(exists));
  controller.abort();
  await assert.rejects(run, { name: 'AbortError' });
  await until(() => !pids.some(exists));
});

test('output is kept, not printed', async () => {
  const subject = await one(
    `tasks: { async t() { console.log('said'.repeat(3)); console.error('x'.repeat(1e5)) } }`,
  );
  await subject.execute(observed, options());
  await until(() => subject.output().length === 64 * 1024);
  const quiet = await one(`tasks: { async t() { console.log('said') } }`);
  await quiet.execute(observed, options());
  await until(() => quiet.output() === 'said\n');
});

test('a file that the linker cannot rewrite runs in a process each', async () => {
  const subject = await one(
    `tasks: { async t() { n += 1 } }, check() { eval('if (n !== 1) throw new Error(String(n))'); void sep }`,
    `import { sep } from 'node:path'; let n = 0;`,
  );
  for (let i = 0; i < 3; i++) assert.equal((await subject.execute(observed, options())).outcome, 'pass');
});

test('functions that the harness names as transactions', async () => {
  const subject = await one(
    `tasks: { async t() { await step(); await other() } }, transactions: { atomic: ['step'], notAtomic: ['other'] }`,
    `async function step() { await null } async function other() { await null }`,
  );
  const { trace } = await subject.record(options());
  const word = (name: string) => trace.activations.find((a) => a.name === name)?.atomic;
  assert.deepEqual([word('step'), word('other')], [true, false]);
});

describe('what is wrong with the subject is said in one line', () => {
  const says = async (run: Promise<unknown>, message: RegExp) => {
    await assert.rejects(run, (error: Error) => {
      assert.ok(error instanceof SubjectError);
      assert.match(error.message, message);
      assert.ok(!error.message.includes('\n'));
      return true;
    });
  };
  const file = (text: string) => discover(project({ 'x.mjs': text }), 'x.mjs');

  test('missing file', () => says(discover(project({}), 'x.mjs'), /^x\.mjs: no such file or folder$/));
  test('empty folder', () => says(discover(project({}), '.'), /^no source files in \.$/));
  test('syntax error', () => says(file(`import '${API}';\nlet = = 1`), /^x\.mjs: SyntaxError: .*\(?2:/));
  test('no harness', () => says(file('export {}'), /^x\.mjs: no harness/));
  test('missing import', () => says(file(`import './y.mjs'`), /^x\.mjs: .*Cannot find module/));
  test('throws while loading', () =>
    says(file(`import '${API}'; throw new TypeError('bad\\nday')`), /^x\.mjs: TypeError: bad$/));
  test('no tasks', () =>
    says(
      file(`import { harness } from '${API}'; harness({ name: 'n', setup() {}, tasks: {}, check() {} })`),
      /^x\.mjs: .*harness 'n': no tasks/,
    ));
  test('ends the process while loading', () =>
    says(file(`import '${API}'; process.exit(7)`), /^x\.mjs: .*exited with code 7/));
  test('throwing setup', async () => {
    const subject = await one(`tasks: { async t() {} }, setup() { throw new Error('no disk') }`);
    await says(subject.execute(observed, options()), /^one\.mjs: setup of harness 'it' failed: no disk$/);
    await says(subject.record(options()), /setup of harness 'it' failed/);
  });
});
