/** Forced runs of test cases in processes that last, as the runner has them in processes of their own; where that cannot be they are not used. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { named, observed, options, project, random } from './projects.ts';

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

  test('is used where something is done at its first use alone, which the recorded run had behind it', async () => {
    const cwd = project({
      'a.test.mjs': `
        import test from 'node:test'; import { setTimeout as sleep } from 'node:timers/promises';
        const uses = async () => {
          if (!globalThis.used) { globalThis.used = true; await sleep(1); }
          await Promise.all([sleep(2), sleep(3)]);
        };
        test('first', uses);
        test('later', uses);`,
    });
    const found = await recordCommand(['node', '--test'], { cwd });
    const unfit: (string | null | undefined)[] = [];
    for (const subject of found) {
      const { steps } = (await subject.record(options())).result;
      for (let time = 0; time < 2; time += 1)
        assert.deepEqual((await subject.execute(random(1), options())).outcome, 'pass');
      if (subject.name === 'later')
        assert.deepEqual((await subject.execute(observed, options())).steps, steps);
      unfit.push((subject as Partial<{ unfit: string | null }>).unfit);
      await subject.close();
    }
    // What is done once is never done again in a process that lasts.
    assert.deepEqual(unfit, ['it does not take the recorded steps', null]);
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
