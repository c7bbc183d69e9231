import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeWhole } from '../../../rescheduler/subjects/job.ts';
import { noteName, Supervisor } from '../../../rescheduler/subjects/supervisor.ts';
import { temporary } from '../../temporary.ts';

/** A folder of notes, and a clock that only the test moves. */
function scene() {
  const folder = temporary('notes');
  let time = 0;
  const killed: number[] = [];
  const supervisor = new Supervisor(folder, 1000, { now: () => time, kill: (pid) => killed.push(pid) });
  return {
    supervisor,
    killed,
    begin: (pid: number, within: number | null = null) =>
      writeWhole(join(folder, `${noteName(pid, 'a')}.process`), {
        within: within === null ? null : noteName(within, 'a'),
      }),
    end: (pid: number) => writeWhole(join(folder, `${noteName(pid, 'a')}.exit`), {}),
    record: (pid: number, key: string) => writeWhole(join(folder, `${noteName(pid, key)}.case`), {}),
    run: (pid: number, name: string, native = false) =>
      writeFileSync(join(folder, `${pid}.current`), JSON.stringify({ name, native })),
    after(ms: number): boolean {
      time += ms;
      return supervisor.look();
    },
  };
}

test('what gives a sign now and then is left alone', () => {
  const { begin, record, after, killed, supervisor } = scene();
  begin(1);
  for (let i = 0; i < 5; i++) {
    record(1, String(i));
    assert.equal(after(900), true);
  }
  assert.deepEqual(killed, []);
  assert.equal(supervisor.recorded, 5);
});

test('of processes that wait for each other the innermost is ended first', () => {
  const { begin, run, after, killed, supervisor } = scene();
  begin(1);
  begin(2, 1);
  begin(3, 2);
  begin(4, 1);
  run(4, 'hangs');
  assert.equal(after(0), true);
  assert.equal(supervisor.current, 'hangs');
  assert.equal(after(1000), true);
  assert.deepEqual(killed, [3, 4]);
  assert.match(
    supervisor.whyEnded(noteName(4, 'a')) ?? '',
    /did not end in 'hangs' and was killed after 1 s/,
  );
  assert.equal(supervisor.whyEnded(noteName(1, 'a')), null);
  after(0);
  after(1000);
  assert.deepEqual(killed, [3, 4, 2]);
});

test('as long as one goes on nobody is ended', () => {
  const { begin, record, after, killed } = scene();
  begin(1);
  begin(2);
  for (let i = 0; i < 5; i++) {
    record(2, String(i));
    after(900);
  }
  assert.deepEqual(killed, []);
});

test('a test that goes on in real time may be silent for longer', () => {
  const { begin, run, after, killed } = scene();
  begin(1);
  run(1, 'slow', true);
  after(0);
  assert.equal(after(4500), true);
  assert.deepEqual(killed, []);
  after(600);
  assert.deepEqual(killed, [1]);
});

test('words alone keep a command alive for a while, and not for ever', () => {
  const { begin, after, killed, supervisor } = scene();
  begin(1);
  after(0);
  for (let i = 0; i < 11; i++) {
    supervisor.heard();
    assert.equal(after(900), true);
  }
  assert.deepEqual(killed, []);
  supervisor.heard();
  after(900);
  assert.deepEqual(killed, [1]);
});

test('a command of which no process is known is given up', () => {
  const { begin, end, after } = scene();
  begin(1);
  assert.equal(after(0), true);
  end(1);
  assert.equal(after(0), true);
  assert.equal(after(1000), false);
});

test('where there is less time for all of it, what is silent for so long is ended, whatever it does', () => {
  const folder = temporary('notes');
  let time = 0;
  const killed: number[] = [];
  const world = { now: () => time, kill: (pid: number) => killed.push(pid) };
  const supervisor = new Supervisor(folder, 1000, world, 600);
  const name = noteName(1, 'a');
  writeWhole(join(folder, `${name}.process`), { within: null });
  writeFileSync(join(folder, '1.current'), JSON.stringify({ name: 'spins', native: true }));
  supervisor.look();
  time = 700;
  supervisor.look();
  assert.deepEqual(killed, [1]);
  assert.match(supervisor.whyEnded(name) ?? '', /'spins' and was killed after 0.6 s .* a larger --budget/);
});
