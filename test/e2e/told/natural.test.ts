/** A test that fails in the natural order: where another order passes, that is told, and where plain Node passes, it is a finding. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { project, readReport, run } from '../batch/command.ts';

/** A key takes longer than a look at a file, and is asked for first. */
const SESSION = `import assert from 'node:assert/strict';
import { pbkdf2 } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
const key = () => promisify(pbkdf2)('a', 'b', 40_000, 32, 'sha1');
class Session {
  user = null;
  async login() { await key(); this.user = 'new'; }
  async restore(ms) { await (ms ? sleep(ms) : stat('package.json')); this.user = 'old'; }
}
test('passes plainly', async () => {
  const s = new Session();
  await Promise.all([s.login(), s.restore()]);
  assert.equal(s.user, 'new');
});
test('its own sleep', async () => {
  const s = new Session();
  const login = s.login();
  await sleep(1);
  assert.equal(s.user, null);
  await login;
});
test('red plainly', async () => {
  const s = new Session();
  await Promise.all([stat('package.json').then(() => { s.user = 'new'; }), s.restore(300)]);
  assert.equal(s.user, 'new');
});
test('red in all orders', async () => {
  const s = new Session();
  await Promise.all([s.restore(), s.restore()]);
  assert.equal(s.user, 'new');
});
`;

test('the natural order is a finding where it fails, another one passes, and plain Node passes', async (t) => {
  const cwd = project(t, { 'a.test.js': SESSION });
  const { code, out } = await run(cwd, [
    'run',
    '--confirm',
    '1',
    '--max-schedules',
    '4',
    '--json',
    'out.json',
    '--',
    'node',
    '--test',
  ]);
  const { bugs, tests } = readReport(cwd);
  const of = (name: string) => {
    const found = tests.find((one) => one.name === name);
    return { ...found!, bugs: bugs.filter((bug) => bug.test === found?.id) };
  };
  assert.equal(code, 1, out);

  const race = of('passes plainly');
  assert.equal(race.baseline, 'passed');
  assert.match(race.natural?.error ?? '', /'old' !== 'new'/);
  assert.match(race.natural?.plain ?? '', /^[1-3]\/3$/);
  const [bug] = race.bugs;
  assert.equal(race.bugs.length, 1);
  assert.deepEqual(
    [bug?.class, bug?.against, bug?.schedulesUntilFound, bug?.reproduced, bug?.control, bug?.entity],
    ['race', 'passing', 0, '1/1', '1/1', 'Session#user'],
  );
  assert.match(`${bug?.counterfactual?.step} ${bug?.counterfactual?.anchor}`, /pbkdf2 answers.*stat/);
  assert.match(
    out,
    /`Session\.login` writes `Session#user` before `Session\.restore` writes it, and passes\s+where/,
  );
  assert.match(out, /What moved against the nearest order that passes/);
  assert.match(out, /whenever nothing is late: this is the natural order/);
  assert.match(out, /fails in the natural order, and passes on plain Node [1-3] of 3/);

  const timing = of('its own sleep').bugs;
  assert.deepEqual(
    timing.map((one) => [one.class, one.timing?.rule]),
    [['timing', 'late']],
  );
  assert.match(out, /the test passes only where its own `setTimeout 1 ms` \(a\.test\.js:21\)/);

  const red = of('red plainly');
  assert.deepEqual([red.baseline, red.bugs.length, red.natural], ['red', 0, null]);
  assert.match(out, /red plainly — RED[^✗]*?passes \(1\/1 runs\)\s+when\s/);
  const dead = of('red in all orders');
  assert.deepEqual([dead.baseline, dead.bugs.length], ['red', 0]);
  assert.match(out, /red in all orders — RED\s+fails without any forcing, on plain Node as well/);

  const again = await run(cwd, ['replay', bug!.id]);
  assert.equal(again.code, 1, again.out);
  const told = await run(cwd, ['report']);
  assert.match(told.out, /fails in the natural order, and passes on plain Node/);
});
