/** Scenarios: forced runs beside those of a harness that does the same, and serial orders beside both. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Discover from '../../rescheduler/subjects/discover.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import { temporary } from '../../test/temporary.ts';
import { benchFile, ours, ourUrl } from '../lib/ours.ts';
import { type Case, median, type Row } from '../lib/rows.ts';

const limits = { maxStallMs: 1000, maxPauseMs: 250, watchdogMs: 10_000 };
/** Two serial orders of two calls, each with and without a rest between them, by two clocks each and the first two by a third. */
const SERIAL = 2 * 2 * 2 + 2;
/** Serial orders once they are known: nothing of them is measured. */
const WARM = 5;

const run: Case = async ({ rounds, share }) => {
  const { discoverHarnesses } = await ours<typeof Discover>('rescheduler/subjects/discover');
  const cwd = temporary('bench-scenarios');
  const text = readFileSync(benchFile('programs/scenario-fs.mjs'), 'utf8');
  writeFileSync(join(cwd, 'spec.mjs'), `import ${JSON.stringify(ourUrl('harnesses/api'))};\n${text}`);
  const found = await discoverHarnesses(['spec.mjs'], { cwd });
  const [harness, scenario] = found as [Subject, Subject];
  let seed = 0;
  const forced = async (subject: Subject): Promise<number> => {
    const runs = Math.ceil(200 * share);
    const started = performance.now();
    for (let run = 0; run < runs; run++) await subject.execute({ kind: 'random', seed: seed++ }, { limits });
    return (1000 * runs) / (performance.now() - started);
  };
  for (let warm = 0; warm < WARM; warm++) for (const each of [harness, scenario]) await forced(each);
  const taken: number[] = [];
  const peers: number[] = [];
  const serial: number[] = [];
  for (let round = 0; round < rounds; round++) {
    taken.push(await forced(scenario));
    peers.push(await forced(harness));
    // Those of a file that is looked at anew have no serial orders yet.
    const [, anew] = (await discoverHarnesses(['spec.mjs'], { cwd })) as [Subject, Subject];
    const started = performance.now();
    await scenario.close();
    await anew.execute({ kind: 'observed' }, { limits });
    serial.push((1000 * SERIAL) / (performance.now() - started));
    await anew.close();
  }
  await Promise.all(found.map((subject) => subject.close()));
  rmSync(cwd, { recursive: true, force: true });
  const peer = { name: 'a harness that does the same', value: median(peers) };
  const unit = 'runs/s';
  const rows: Row[] = [
    {
      what: 'scenarios, forced runs',
      ...{ unit, ours: median(taken), peer, goal: { atLeast: 0.5 } },
      pairs: taken.map((rate, round) => rate / peers[round]!),
    },
    { what: 'scenarios, serial orders', unit, ours: median(serial), peer, goal: null },
    {
      what: 'scenarios, told by so many forced runs and their serial orders',
      unit: 'scenarios/min',
      ...perMinute(median(taken), median(serial)),
    },
  ];
  return rows;
};

/** What a scenario takes whose search comes to its end: its serial orders, and so many forced runs. */
const FORCED = 30;

const perMinute = (forced: number, serial: number): Pick<Row, 'ours' | 'peer' | 'goal'> => ({
  ours: 60 / (FORCED / forced + SERIAL / serial),
  peer: null,
  goal: null,
});

export default run;
