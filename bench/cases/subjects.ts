/** Runs as the tool makes them: through a warm worker with its channel, and a process per run. */
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Harness from '../../rescheduler/subjects/discover.ts';
import type * as NodeTest from '../../rescheduler/subjects/node-test.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import { temporary } from '../../test/temporary.ts';
import { benchFile, ours, ourUrl } from '../lib/ours.ts';
import { type Case, median, type Row } from '../lib/rows.ts';

const limits = { maxStallMs: 1000, maxPauseMs: 250, watchdogMs: 10_000 };

type Round = (runs: number) => Promise<void> | void;

/** Runs per second, each measured in turn; and the ratio of the first to the second, round by round. */
async function rates(
  measures: readonly Round[],
  rounds: number,
  runs: number,
): Promise<{ readonly rates: number[]; readonly pairs: number[] }> {
  const taken: number[][] = measures.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (let i = 0; i < measures.length; i++) {
      const started = performance.now();
      await measures[i]!(runs);
      if (round > 0) taken[i]!.push((1000 * runs) / (performance.now() - started));
    }
  }
  return { rates: taken.map(median), pairs: taken[0]!.map((rate, round) => rate / (taken[1]?.[round] ?? 1)) };
}

const run: Case = async ({ rounds, share }) => {
  const { discoverHarnesses } = await ours<typeof Harness>('rescheduler/subjects/discover');
  const { recordCommand } = await ours<typeof NodeTest>('rescheduler/subjects/node-test');
  const cwd = temporary('bench-subjects');
  const put = (name: string): string => {
    const text = readFileSync(benchFile(`programs/${name}`), 'utf8');
    // The sign by which harness files are known.
    writeFileSync(join(cwd, name), `import ${JSON.stringify(ourUrl('harnesses/api'))};\n${text}`);
    return name;
  };
  const seeded = (subject: Pick<Subject, 'execute'>): Round => {
    let seed = 0;
    return async (runs) => {
      for (let i = 0; i < runs; i++) await subject.execute({ kind: 'random', seed: seed++ }, { limits });
    };
  };
  const echo = fork(benchFile('contestants/echo.ts'), { serialization: 'advanced' });
  const trip: Round = async (runs) => {
    for (let i = 0; i < runs; i++) {
      echo.send({ id: i, spec: { kind: 'random', seed: i }, limits });
      await once(echo, 'message');
    }
  };
  const rows: Row[] = [];

  for (const [what, file, atLeast] of [
    ['timer-bound', 'forced-3x4.mjs', 3000],
    ['fs-bound', 'forced-fs.mjs', 2000],
    ['socket-bound', 'forced-net.mjs', 2000],
  ] as const) {
    const [subject] = await discoverHarnesses([put(file)], { cwd });
    const taken = await rates([seeded(subject!), trip], rounds, Math.ceil(1000 * share));
    const [warm, floor] = taken.rates as [number, number];
    await subject!.close();
    const peer = { name: 'empty round trips', value: floor };
    const { pairs } = taken;
    rows.push({
      what: `warm harness runs, ${what} (${atLeast} wanted)`,
      unit: 'runs/s',
      ours: warm,
      peer,
      pairs,
      goal: null,
    });
  }

  const file = put('case.test.mjs');
  const [subject] = await recordCommand([process.execPath, '--test', file], { cwd });
  const fresh: Round = async (runs) => {
    for (let i = 0; i < runs; i++) await subject!.executeFresh({ kind: 'observed' }, { limits });
  };
  const plain: Round = (runs) => {
    for (let i = 0; i < runs; i++) spawnSync(process.execPath, [file], { cwd });
  };
  const { rates: each, pairs } = await rates([fresh, plain], rounds, 3);
  const [freshRate, plainRate] = each as [number, number];
  // Beside what runs in a warm process, too: by how much faster a machine runs than it starts processes differs from one to the next.
  const warm = await rates([seeded(subject!), trip], rounds, Math.ceil(1000 * share));
  const [warmRate, tripRate] = warm.rates as [number, number];
  echo.kill();
  await subject!.close();
  const unit = 'runs/s';
  const processes = { name: 'plain processes', value: plainRate };
  const trips = { name: 'empty round trips', value: tripRate };
  rows.push({
    what: 'node:test, a process per run',
    unit,
    ours: freshRate,
    peer: processes,
    pairs,
    goal: null,
  });
  rows.push({
    what: 'node:test, warm process',
    unit,
    ours: warmRate,
    peer: trips,
    pairs: warm.pairs,
    goal: null,
  });
  rmSync(cwd, { recursive: true, force: true });
  return rows;
};

export default run;
