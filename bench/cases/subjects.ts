/** Runs as the tool makes them: through a warm worker with its channel, and a process per run. */
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Harness from '../../rescheduler/subjects/harness.ts';
import type * as NodeTest from '../../rescheduler/subjects/node-test.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import { benchFile, ours, ourUrl } from '../lib/ours.ts';
import { type Case, median, type Row } from '../lib/rows.ts';

const limits = { maxStallMs: 1000, maxPauseMs: 250, watchdogMs: 10_000 };

type Round = (runs: number) => Promise<void> | void;

/** Runs per second, each measured in turn. */
async function rates(measures: readonly Round[], rounds: number, runs: number): Promise<number[]> {
  const taken: number[][] = measures.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (let i = 0; i < measures.length; i++) {
      const started = performance.now();
      await measures[i]!(runs);
      if (round > 0) taken[i]!.push((1000 * runs) / (performance.now() - started));
    }
  }
  return taken.map(median);
}

const run: Case = async (quick) => {
  const { discoverHarnesses } = await ours<typeof Harness>('rescheduler/subjects/harness');
  const { recordCommand } = await ours<typeof NodeTest>('rescheduler/subjects/node-test');
  const cwd = mkdtempSync(join(tmpdir(), 'bench-subjects-'));
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
  const rounds = quick ? 3 : 7;
  const rows: Row[] = [];

  for (const [what, file] of [
    ['timer-bound', 'forced-3x4.mjs'],
    ['fs-bound', 'forced-fs.mjs'],
    ['socket-bound', 'forced-net.mjs'],
  ] as const) {
    const [subject] = await discoverHarnesses([put(file)], { cwd });
    const [warm, floor] = (await rates([seeded(subject!), trip], rounds, 200)) as [number, number];
    await subject!.close();
    const peer = { name: 'empty round trips', value: floor };
    rows.push({ what: `warm harness runs, ${what}`, unit: 'runs/s', ours: warm, peer, goal: null });
  }
  echo.kill();

  const file = put('case.test.mjs');
  const [subject] = await recordCommand([process.execPath, '--test', file], { cwd });
  const fresh: Round = async (runs) => {
    for (let i = 0; i < runs; i++) await subject!.executeFresh({ kind: 'observed' }, { limits });
  };
  const plain: Round = (runs) => {
    for (let i = 0; i < runs; i++) spawnSync(process.execPath, [file], { cwd });
  };
  const [freshRate, plainRate] = (await rates([fresh, plain], rounds, 3)) as [number, number];
  const [warmRate] = (await rates([seeded(subject!)], rounds, 100)) as [number];
  await subject!.close();
  const peer = { name: 'plain processes', value: plainRate };
  rows.push({ what: 'node:test, a process per run', unit: 'runs/s', ours: freshRate, peer, goal: null });
  rows.push({ what: 'node:test, warm process', unit: 'runs/s', ours: warmRate, peer, goal: null });
  rmSync(cwd, { recursive: true, force: true });
  return rows;
};

export default run;
