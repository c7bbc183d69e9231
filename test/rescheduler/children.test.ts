/** Node processes that a test starts: while two of them are alive each of their file operations is a step, whose order is forced. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { StrategySpec } from '../../data/run.ts';
import type { Trace } from '../../data/trace.ts';
import { notControlled } from '../../data/ungated.ts';
import { configure, defaultConfig } from '../../monitor/loader/config.ts';
import { runtime } from '../../monitor/runtime/index.ts';
import { meetsUnasked, besideOf as unjudgedOf } from '../../predictor/beside.ts';
import { coverageOf } from '../../predictor/coverage.ts';
import { type Prediction, predict } from '../../predictor/predict.ts';
import { taskName } from '../../predictor/task-name.ts';
import { forced as inOrder } from '../../rescheduler/investigate/counterfactual.ts';
import { executeGated } from '../../rescheduler/subjects/execution.ts';
import { MORE } from '../extent.ts';
import { Directories, limits } from './gate/support.ts';
import '../../monitor/register.ts';

/** What they do within themselves is never judged. */
const besideOf = (trace: Trace) => unjudgedOf(trace).filter(({ within }) => !within);

const directories = new Directories();
after(() => directories.remove());

/** What a child does with the file that it is given, one of which comes much later than the other. */
const WORK: Readonly<Record<string, string>> = {
  promises: `const n = Number(await fsp.readFile(file, 'utf8')); await fsp.writeFile(file, String(n + 1));`,
  calls: `const n = Number(fs.readFileSync(file, 'utf8')); fs.writeFileSync(file, String(n + 1));`,
  // Held for as long as a run takes the other one would see it give up, which real Node shows after two seconds at the soonest.
  locked: `
    for (let looks = 0; ; looks++) try { fs.mkdirSync(file + '.lock'); break; } catch (error) {
      if (looks === 100) throw error;
      await sleep(20);
    }
    const n = Number(fs.readFileSync(file, 'utf8')); fs.writeFileSync(file, String(n + 1));
    fs.rmdirSync(file + '.lock');`,
  appended: `fs.appendFileSync(file, '1');`,
  // What it does before it writes depends on what it reads.
  looking: `
    const n = Number(fs.readFileSync(file, 'utf8'));
    if (n > 0) fs.statSync(file);
    fs.writeFileSync(file, String(n + 1));`,
};
const child = (work: string): string => `
  import fs from 'node:fs'; import fsp from 'node:fs/promises'; import { setTimeout as sleep } from 'node:timers/promises';
  const [, , file, ms] = process.argv;
  if (ms) {
    process.send('there');
    await new Promise((begin) => process.once('message', begin));
    await sleep(Number(ms));
  }
  ${work}`;
const HEAD = `
  import assert from 'node:assert/strict'; import { execFileSync, fork, spawn } from 'node:child_process'; import { once } from 'node:events';
  import fs from 'node:fs'; import { readFile, writeFile } from 'node:fs/promises'; import http from 'node:http';
  const ended = async (child) => assert.equal((await once(child, 'exit'))[0], 0);`;
const both = (result: string): string => `
  await writeFile(dir + '/n', ${result === '11' ? `''` : `'0'`});
  const children = [1, 400].map((ms) => fork(dir + '/child.mjs', [dir + '/n', String(ms)]));
  await Promise.all(children.map((child) => once(child, 'message')));
  for (const child of children) child.send('begin');
  await Promise.all(children.map(ended));
  assert.equal(await readFile(dir + '/n', 'utf8'), '${result}');`;

/** Runs of a program that lies in a folder of its own, in orders. */
async function program(main: string, work = '', { maxStallMs } = limits) {
  const dir = directories.fresh();
  writeFileSync(join(dir, 'child.mjs'), child(work));
  writeFileSync(join(dir, 'main.mjs'), `${HEAD}\nexport default async (dir) => {${main}};`);
  configure(defaultConfig(dir));
  const { default: body } = await import(pathToFileURL(join(dir, 'main.mjs')).href);
  return (spec: StrategySpec, asksAlone = false) =>
    executeGated((root) => runtime.runAsBody(root, () => body(dir)), {
      ...{ spec, wantChoices: false, record: spec.kind === 'observed' },
      limits: { ...limits, maxStallMs, watchdogMs: 30_000, asksAlone },
    });
}

const OPEN = `const { DatabaseSync } = await import('node:sqlite'); const db = new DatabaseSync(file, { timeout: 500 });`;
/** The same of a database: what a child does to the one row that is there. */
const ROWS: Readonly<Record<string, string>> = {
  plain: `
    const { n } = db.prepare('select n from counts').get(); await sleep(1);
    db.prepare('update counts set n = ?').run(n + 1);`,
  locked: `
    db.exec('begin immediate'); const { n } = db.prepare('select n from counts').get(); await sleep(1);
    db.prepare('update counts set n = ?').run(n + 1); db.exec('commit');`,
  'locked, as one text': `db.exec('begin immediate; update counts set n = n + 1; commit');`,
  exclusive: `
    db.exec('begin exclusive'); const { n } = db.prepare('select n from counts').get(); await sleep(1);
    db.prepare('update counts set n = ?').run(n + 1); db.exec('commit');`,
  'closed amid it': `
    for (const ends of [false, true]) {
      const own = new DatabaseSync(file, { timeout: 500 }); own.exec('begin immediate');
      own.exec('update counts set n = n + 1'); await sleep(1); if (ends) own.exec('commit'); own.close();
    }`,
  // Two that have read may not both write, however long they would wait: the second is told so at once.
  'written behind reading': `
    db.exec('begin'); const { n } = db.prepare('select n from counts').get();
    db.prepare('update counts set n = ?').run(n + 1); db.exec('commit');`,
  atomic: `db.prepare('update counts set n = n + 1').run();`,
};
const pause = (ms: number): string => `await new Promise((on) => setTimeout(on, ${ms}));`;
const bothOnRows = (held = ''): string => `
  const { DatabaseSync } = await import('node:sqlite'); const file = dir + '/n.db'; const db = new DatabaseSync(file, { timeout: 500 });
  db.exec('drop table if exists counts; create table counts (n integer); insert into counts values (0)');
  const children = [1, 400].map((ms) => fork(dir + '/child.mjs', [file, String(ms)]));
  await Promise.all(children.map((child) => once(child, 'message')));
  for (const child of children) child.send('begin');
  ${held}
  await Promise.all(children.map(ended));
  assert.equal(db.prepare('select n from counts').get().n, 2); db.close();`;

/** Where a busy machine takes long for what it does between two steps, an order is followed all the same. */
const PATIENT = { ...limits, maxStallMs: 10_000 };

/** What comes of each predicted order, and of the one as observed. */
async function forced(work: string, result = '2', most = 3, bounds = limits) {
  const run = await program(both(result), work, bounds);
  const { trace, result: natural } = await run({ kind: 'observed' });
  assert.equal(natural.outcome, 'pass', natural.failure?.stack);
  return { trace: trace!, outcomes: await outcomesOf(run, predict(trace!), most) };
}

/** What comes of the first predicted orders, up to one that fails. */
async function outcomesOf(
  run: Awaited<ReturnType<typeof program>>,
  { cutPoints, schedules }: Pick<Prediction, 'cutPoints' | 'schedules'>,
  most: number,
  asksAlone = false,
): Promise<string[]> {
  const outcomes: string[] = [];
  for (const schedule of schedules.slice(0, most)) {
    const cutPoint = cutPoints.find(({ id }) => id === schedule.cutPoint) ?? null;
    const { outcome, doubts = [] } = (await run({ kind: 'directed', schedule, cutPoint }, asksAlone)).result;
    outcomes.push(doubts.length > 0 ? `${outcome}, but for ${doubts}` : outcome);
    if (outcomes.includes('fail')) break;
  }
  return outcomes;
}

describe('two children that share a file:', () => {
  for (const name of ['promises', 'calls'])
    test(`a lost update is predicted and forced: ${name}`, async () => {
      const { trace, outcomes } = await forced(WORK[name]!, '2', 3, PATIENT);
      assert.ok(outcomes.includes('fail'), String(outcomes));
      assert.deepEqual(besideOf(trace), []);
      const own = trace.activations
        .filter(({ kind }) => kind === 'task')
        .map(({ id }) => taskName(trace, id));
      assert.deepEqual(own, ['child 1 (node child.mjs)', 'child 2 (node child.mjs)']);
      const content = trace.entities.findIndex((each) => each.name.endsWith('n (content)'));
      const sites = new Set(trace.events.site.filter((_, i) => trace.events.object[i] === content));
      assert.ok([...sites].some((site) => trace.sites[site]?.file.endsWith('child.mjs')));
    });

  test('a lock that they have keeps them apart in every order', async () => {
    const { outcomes } = await forced(WORK['locked']!, '2', 1);
    assert.deepEqual(new Set(outcomes), new Set(['pass']));
  });

  test('what each does in one step is not torn', async () => {
    const { outcomes } = await forced(WORK['appended']!, '11');
    assert.ok(!outcomes.includes('fail'), String(outcomes));
  });
});

describe('two children that share a database:', () => {
  const forcedOnRows = async (work: string, most: number, held?: string) => {
    const run = await program(bothOnRows(held), OPEN + work, PATIENT);
    const { trace, result } = await run({ kind: 'observed' });
    assert.equal(result.outcome, 'pass', result.failure?.stack);
    assert.deepEqual(result.doubts ?? [], []);
    const prediction = predict(trace!);
    const outcomes = await outcomesOf(run, prediction, most);
    return { trace: trace!, outcomes, predicted: prediction.schedules.length };
  };

  test('a lost update is predicted and forced', async () => {
    const { trace, outcomes } = await forcedOnRows(ROWS['plain']!, 3);
    assert.ok(outcomes.includes('fail'), String(outcomes));
    assert.deepEqual(besideOf(trace), []);
    const rows = trace.entities.findIndex((each) => /^sqlite .*n\.db counts$/.test(each.name));
    const sites = new Set(trace.events.site.filter((_, i) => trace.events.object[i] === rows));
    assert.ok([...sites].some((site) => trace.sites[site]?.file.endsWith('child.mjs')));
  });

  test('what an addon does nobody sees, be it that of an unknown driver: two of these are not judged', async () => {
    const opened = async (path: string) => {
      const opens = `try { process.dlopen({ exports: {} }, '${path}'); } catch {}`;
      const run = await program(bothOnRows(), OPEN + ROWS['atomic'] + opens);
      const { trace, result } = await run({ kind: 'observed' });
      assert.equal(result.outcome, 'pass', result.failure?.stack);
      return besideOf(trace!).map(({ processes }) => processes.length);
    };
    assert.deepEqual(await opened('/node_modules/better-sqlite3/none.node'), []);
    assert.deepEqual(await opened('/node_modules/sqlite3/none.node'), [2]);
  });

  test('so is what two transactions do that write what they have read', async () => {
    const { outcomes } = await forcedOnRows(ROWS['written behind reading']!, 3);
    assert.ok(outcomes.includes('fail'), String(outcomes));
  });

  for (const name of ['locked', 'locked, as one text', 'exclusive', 'closed amid it', 'atomic'])
    test(
      `nothing fails, and no time-out of a lock runs: ${name}`,
      name === 'locked' ? {} : MORE,
      async () => {
        const { outcomes } = await forcedOnRows(ROWS[name]!, 2);
        assert.deepEqual(new Set(outcomes), new Set(outcomes.length > 0 ? ['pass'] : []));
      },
    );

  test('a child waits for what the program has locked itself', async () => {
    const held = `db.exec('begin immediate'); ${pause(1000)} db.exec('update counts set n = 0'); db.exec('commit');`;
    const { outcomes } = await forcedOnRows(ROWS['locked']!, 1, held);
    assert.deepEqual(outcomes, ['pass']);
  });

  test('where the program meets the lock of a child that one goes on by itself, and nothing is proof', async () => {
    const work = `db.exec('begin immediate'); await sleep(700); db.exec('update counts set n = n + 1'); db.exec('commit');`;
    const run = await program(bothOnRows(`${pause(400)} db.exec('update counts set n = n');`), OPEN + work);
    const { result } = await run({ kind: 'observed' });
    assert.notEqual(result.outcome, 'fail', result.failure?.stack);
    assert.deepEqual(result.doubts, ['a child process that was not answered in time']);
  });
});

/** Two children that add one, of which the second begins `when` it is said. */
const later = (when: string): string => `
  await writeFile(dir + '/n', '0');
  const child = fork(dir + '/child.mjs', [dir + '/n']);
  const first = ended(child);
  const pause = (ms) => new Promise((on) => setTimeout(on, ms));
  const isThere = () => { try { return process.kill(child.pid, 0); } catch { return false; } };
  const second = (async () => { ${when} await ended(fork(dir + '/child.mjs', [dir + '/n'])); })();
  await Promise.all([first, second]);
  assert.equal(await readFile(dir + '/n', 'utf8'), '2');`;

describe('a child that is asked through its pipe', () => {
  const dialogue = (between: string): string => `
    const child = spawn(process.execPath, [dir + '/child.mjs', dir]);
    let text = ''; child.stdout.on('data', (data) => (text += data));
    child.stdin.write('a');
    ${between}
    child.stdin.end('b');
    await once(child, 'close');
    assert.equal(text, 'ab');`;
  const besideIn = async (between: string) => {
    const run = await program(
      dialogue(between),
      'for await (const piece of process.stdin) process.stdout.write(piece);',
    );
    const { trace, result } = await run({ kind: 'observed' });
    assert.equal(result.outcome, 'pass', result.failure?.stack);
    return besideOf(trace!);
  };

  test('for more before it has answered: what comes first is its affair, and is told as not judged', async () => {
    const [told, ...others] = await besideIn(pause(1000));
    assert.deepEqual(told, {
      processes: ['child 1 (node child.mjs)', 'the test'],
      shared: [],
      blind: false,
      within: false,
    });
    assert.deepEqual(others, []);
  });

  test('for more when it has answered: there is one order', async () => {
    assert.deepEqual(await besideIn(`await once(child.stdout, 'data');`), []);
  });
});

describe('two children of which one is over before the other begins:', () => {
  test('where that does not wait for its end they may meet', async () => {
    const run = await program(later('while (isThere()) await pause(20);'), WORK['calls']!);
    const { trace, result } = await run({ kind: 'observed' });
    assert.equal(result.outcome, 'pass', result.failure?.stack);
    assert.ok(meetsUnasked(trace!));
    const [told] = besideOf(trace!);
    assert.deepEqual([told?.processes.length, told?.blind], [2, true]);
  });

  test('where they ask, a lost update is forced', async () => {
    const run = await program(later('await pause(700);'), WORK['calls']!, PATIENT);
    const { trace } = await run({ kind: 'observed' }, true);
    assert.ok(!meetsUnasked(trace!));
    const { maxStallMs } = PATIENT;
    const prediction = predict(trace!, { loop: { maxStallMs, maxPauseMs: 250 } });
    const outcomes = await outcomesOf(run, prediction, 6, true);
    assert.ok(outcomes.includes('fail'), String(outcomes));
  });

  test('where that waits for its end they never meet, and are not asked', async () => {
    const run = await program(later('await first;'), WORK['calls']!);
    const { trace } = await run({ kind: 'observed' });
    assert.ok(!meetsUnasked(trace!));
    assert.deepEqual(besideOf(trace!), []);
  });
});

/** The program adds one as its child does, `when` it says so. */
const itself = (when: string): string => `
  await writeFile(dir + '/n', '0');
  const child = fork(dir + '/child.mjs', [dir + '/n', '1']);
  await once(child, 'message');
  const end = ended(child);
  child.send('begin');
  ${when}
  await writeFile(dir + '/n', String(Number(await readFile(dir + '/n', 'utf8')) + 1));
  await end;
  assert.equal(await readFile(dir + '/n', 'utf8'), '2');`;

describe('one child against the program:', () => {
  test('that it met it unasked shows, though it was over long before; then it asks, and a lost update is forced', async () => {
    const run = await program(
      itself(`await new Promise((on) => setTimeout(on, 400));`),
      WORK['promises']!,
      PATIENT,
    );
    const unasked = await run({ kind: 'observed' });
    assert.equal(unasked.result.outcome, 'pass', unasked.result.failure?.stack);
    assert.ok(!unasked.result.steps.some((step) => step.includes('exit#1>')), String(unasked.result.steps));
    assert.ok(meetsUnasked(unasked.trace!));
    const [told] = besideOf(unasked.trace!);
    assert.deepEqual(told?.processes, ['child 1 (node child.mjs)', 'the test']);

    const { trace, result } = await run({ kind: 'observed' }, true);
    assert.equal(result.outcome, 'pass', result.failure?.stack);
    assert.ok(!meetsUnasked(trace!));
    assert.deepEqual(besideOf(trace!), []);
    const outcomes = await outcomesOf(run, predict(trace!), 6, true);
    assert.ok(outcomes.includes('fail'), String(outcomes));
  });

  test('one whose end is awaited before meets nobody, and is not asked', async () => {
    const run = await program(itself('await end;'), WORK['promises']!);
    const { trace, result } = await run({ kind: 'observed' });
    assert.equal(result.outcome, 'pass', result.failure?.stack);
    assert.ok(!meetsUnasked(trace!));
    assert.deepEqual(besideOf(trace!), []);
  });

  test('what it has told of comes behind what it did, in every order', async () => {
    const tells = `${WORK['promises']!} process.send('done');`;
    const run = await program(itself(`await once(child, 'message');`), tells, PATIENT);
    const { trace, result } = await run({ kind: 'observed' }, true);
    assert.equal(result.outcome, 'pass', result.failure?.stack);
    for (const schedule of predict(trace!).schedules.slice(0, 3)) {
      const { result: other } = await run({ kind: 'directed', schedule, cutPoint: null }, true);
      assert.equal(other.outcome, 'pass', other.failure?.stack);
    }
  });
});

test('what a child asks for before the program has had a turn is in the place of the child', async () => {
  const main = `
    fs.writeFileSync(dir + '/n', '');
    const children = ['a', 'b'].map((name) => fork(dir + '/child.mjs', [dir + '/n']));
    await Promise.all(children.map(ended));`;
  const run = await program(main, WORK['appended']!);
  const { trace } = await run({ kind: 'observed' });
  const { activations, events, sites } = trace!;
  const tasks = new Set(activations.filter(({ kind }) => kind === 'task').map(({ id }) => id));
  const files = [...events.site].flatMap((site, i) =>
    tasks.has(events.activation[i]!) && site >= 0 ? [sites[site]!.file.split('/').at(-1)] : [],
  );
  assert.deepEqual(new Set(files), new Set(['child.mjs']));
});

/** The work of the second begins by a timer of the program. */
const PAUSED = `
  await writeFile(dir + '/n', '0');
  const children = [];
  // One after the other: which of two is there first no order can force.
  for (const ms of [1, 1]) {
    children.push(fork(dir + '/child.mjs', [dir + '/n', String(ms)]));
    await once(children.at(-1), 'message');
  }
  const ends = Promise.all(children.map(ended));
  children[0].send('begin');
  await new Promise((on) => setTimeout(on, 400));
  children[1].send('begin');
  await ends;`;

test('a timer of the program fires while a step of a child is held', async () => {
  const run = await program(PAUSED, WORK['promises']!, PATIENT);
  const { result } = await run({ kind: 'observed' });
  assert.equal(result.outcome, 'pass', result.failure?.stack);
  // The second file that it opens: Node 26 does the whole of it in one trip.
  const second = (child: number) => new RegExp(`exit#${child}>fs\\.(open#2|writeFile#1)$`);
  const child = result.steps.findIndex((step) => second(1).test(step));
  const timer = result.steps.findIndex((step) => step.includes('setTimeout'));
  assert.ok(child >= 0 && child < timer, String(result.steps));
  const other = result.steps.findIndex((step) => second(2).test(step));
  const steps = [...result.steps.slice(0, child), ...result.steps.slice(timer, other + 1)];
  const held = await run(inOrder(steps));
  assert.equal(held.result.followed, 'followed', String(held.result.steps));
  assert.ok(!('a child process that was not answered in time' in held.result.ungated));
});

test('a child that stands still before another step is not waited for', async () => {
  const run = await program(both('2'), WORK['looking']!, PATIENT);
  const { result } = await run({ kind: 'observed' });
  assert.equal(result.outcome, 'pass', result.failure?.stack);
  const of = (step: string): number => result.steps.findIndex((each) => each.endsWith(step));
  const write = of('exit#1>fs.writeFileSync#1');
  const [last, look] = [of('exit#2>fs.writeFileSync#1'), of('exit#2>fs.stat#1')];
  assert.ok(write >= 0 && write < look && look < last, String(result.steps));
  const { steps } = result;
  const wanted = [...steps.slice(0, write), ...steps.slice(write + 1, last + 1), steps[write]!].filter(
    (step) => !/exit#1$|read#1\+[1-9]/.test(step),
  );
  const held = await run(inOrder(wanted));
  assert.equal(held.result.followed, 'diverged', String(held.result.steps));
  // Else it would wait for as long as a step is held, or until the child gives up.
  assert.ok(!('a child process that was not answered in time' in held.result.ungated));
});

test('children whose steps are ordered are controlled; others are called by what they run', async () => {
  const ordered = await program(both('2'), WORK['calls']!, PATIENT);
  const { ungated } = (await ordered({ kind: 'observed' })).result;
  assert.deepEqual(notControlled(ungated), {});
  // Not all of their orders are known, all the same.
  assert.notDeepEqual(ungated, {});
  const free = await program(
    `await ended(spawn('sleep', ['0.05'])); await ended(fork(dir + '/child.mjs', [dir + '/n']));`,
    WORK['appended']!,
  );
  assert.deepEqual(notControlled((await free({ kind: 'observed' })).result.ungated), {
    'child process `node child.mjs`': 1,
    'child process `sleep`': 1,
  });
});

test('ends of two children come in either order, those of one behind the other in one', async () => {
  const end = `ended(spawn('true', { stdio: 'ignore' }))`;
  const together = await program(`await Promise.all([${end}, ${end}]);`);
  assert.equal(coverageOf((await together({ kind: 'observed' })).trace!).coverage, 'analysed');
  const apart = await program(`await ${end}; await ${end};`);
  assert.equal(coverageOf((await apart({ kind: 'observed' })).trace!).coverage, 'no-concurrency');
});

const SERVER = `
  const server = http.createServer((_, answer) => { fs.readFileSync('/dev/null'); answer.end('there'); });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.on('message', () => process.exit(0));`;

/** What is said of processes that nobody ordered: which, and whether the test is blind there. */
const SAID: Readonly<Record<string, { main: string; work?: string; said: [string[], boolean][] }>> = {
  'one behind the other': { main: `await ended(spawn('true')); await ended(spawn('true'));`, said: [] },
  'two at once that are not followed': {
    main: `await Promise.all([ended(spawn('true')), ended(spawn('sleep', ['0.05']))]);`,
    said: [[['child 1 (true)', 'child 2 (sleep)'], false]],
  },
  'two that share nothing': {
    main: `await Promise.all(['a', 'b'].map((name) => ended(fork(dir + '/child.mjs', [dir + name]))));`,
    work: `fs.writeFileSync(file + process.pid, '1');`,
    said: [],
  },
  'one whose files the test reads meanwhile': {
    main: `
      const child = fork(dir + '/child.mjs', [dir + '/n']);
      await once(child, 'message');
      await readFile(dir + '/n');
      child.send('end');
      await ended(child);`,
    work: `fs.writeFileSync(file, '1'); process.send('there'); process.once('message', () => process.exit(0));`,
    said: [[['child 1 (node child.mjs)', 'the test'], false]],
  },
  'two of which the program waits for a third that asks them': {
    main: `
      const servers = [0, 0].map(() => fork(dir + '/child.mjs', ['']));
      const ports = (await Promise.all(servers.map((server) => once(server, 'message')))).flat();
      const ask = "fetch('http://127.0.0.1:" + ports.find(Number) + "').then((r) => r.text()).then(console.log)";
      assert.equal(execFileSync(process.execPath, ['-e', ask], { encoding: 'utf8' }), 'there\\n');
      for (const server of servers) { server.send('end'); await ended(server); }`,
    work: `import http from 'node:http'; ${SERVER}`,
    said: [
      [['child 1 (node child.mjs)', 'node'], false],
      [['child 2 (node child.mjs)', 'node'], false],
    ],
  },
};

describe('processes beside each other that nobody orders are told of:', () => {
  for (const [name, { main, work, said }] of Object.entries(SAID))
    test(name, async () => {
      const run = await program(main, work);
      const { trace, result } = await run({ kind: 'observed' });
      assert.equal(result.outcome, 'pass', result.failure?.stack);
      assert.deepEqual(
        besideOf(trace!).map(({ processes, blind }) => [processes, blind]),
        said,
      );
    });
});

/** The child of the program starts two of its own, of which one begins later; `how` they follow each other. */
const grandchildren = (
  how: string,
  start = `fork(process.argv[2] + '/child.mjs', [file, String(ms)])`,
): string => `
  await writeFile(dir + '/n', '0');
  await writeFile(dir + '/between.mjs', \`
    import { fork, spawn } from 'node:child_process'; import { once } from 'node:events';
    const file = process.argv[2] + '/n';
    const add = async (ms) => {
      const child = ${start};
      const end = once(child, 'exit');
      if (child.channel) { await once(child, 'message'); child.send('begin'); }
      await end;
    };
    ${how}\`);
  await ended(fork(dir + '/between.mjs', [dir]));
  assert.equal(await readFile(dir + '/n', 'utf8'), '2');`;
const BESIDE = 'await Promise.all([1, 1000].map(add));';

describe('processes that a child starts:', () => {
  test('two that meet unasked are told; then they ask, and a lost update is forced', async () => {
    const run = await program(grandchildren(BESIDE), WORK['promises']!, PATIENT);
    const unasked = await run({ kind: 'observed' });
    assert.equal(unasked.result.outcome, 'pass', unasked.result.failure?.stack);
    assert.ok(meetsUnasked(unasked.trace!));
    const told = besideOf(unasked.trace!).find(({ blind }) => blind);
    assert.deepEqual(told?.processes, ['child 1.1 (node child.mjs)', 'child 1.2 (node child.mjs)']);
    assert.ok(
      told?.shared.some((entity) => entity.endsWith('n (content)')),
      String(told?.shared),
    );

    const { trace, result } = await run({ kind: 'observed' }, true);
    assert.equal(result.outcome, 'pass', result.failure?.stack);
    assert.deepEqual(besideOf(trace!), []);
    const outcomes = await outcomesOf(run, predict(trace!), 6, true);
    assert.ok(outcomes.includes('fail'), String(outcomes));
  });

  test('one behind the other, they meet nobody', async () => {
    const run = await program(grandchildren('await add(1); await add(1);'), WORK['promises']!);
    const { trace, result } = await run({ kind: 'observed' });
    assert.equal(result.outcome, 'pass', result.failure?.stack);
    assert.deepEqual(besideOf(trace!), []);
    assert.ok(!meetsUnasked(trace!));
  });

  test('a lock that they have keeps them apart', async () => {
    const run = await program(grandchildren(BESIDE), WORK['locked']!);
    const { trace } = await run({ kind: 'observed' }, true);
    for (const schedule of predict(trace!).schedules.slice(0, 1)) {
      const { result } = await run({ kind: 'directed', schedule, cutPoint: null }, true);
      assert.equal(result.outcome, 'pass', result.failure?.stack);
    }
  });

  test('two of which nobody tells what they do are named', async () => {
    const shell = `spawn('sh', ['-c', 'printf 2 > ' + file])`;
    const run = await program(grandchildren('await Promise.all([1, 4].map(add));', shell));
    const { trace, result } = await run({ kind: 'observed' });
    assert.equal(result.outcome, 'pass', result.failure?.stack);
    assert.deepEqual(besideOf(trace!), [
      { processes: ['child 1.1 (sh)', 'child 1.2 (sh)'], shared: [], blind: false, within: false },
    ]);
  });
});
