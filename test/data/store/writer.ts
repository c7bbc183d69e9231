/**
 * A process that records: `node writer.ts <store> <prefix> <tests>`. After each commit it says on standard
 * output what the store must hold from then on.
 */
import { writeSync } from 'node:fs';
import { openStore } from '../../../data/store/index.ts';
import { makeCutPoint, makeSchedule, makeTrace, newTest, passed } from './support.ts';

const [path, prefix, tests] = process.argv.slice(2) as [string, string, string];
const store = openStore(path, { create: true });

/** Who reads may be slower than this writes: then it waits. Told in pieces as far as there is room. */
function done(line: string): void {
  for (let rest = Buffer.from(`${line}\n`); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

store.beginProcess('record');
for (let n = 0; n < Number(tests); n++) {
  const id = `${prefix}${n}`;
  store.putTest(newTest(id));
  store.putTrace(id, makeTrace(500 + n, n));
  done(`trace ${id} ${n}`);
  store.putCutPoints(id, [makeCutPoint(`c-${id}`)]);
  done(`cut ${id}`);
  for (let s = 0; s < 5; s++) {
    const schedule = makeSchedule(`s${s}-${id}`, `c-${id}`);
    store.recordSchedulePlanned(id, schedule);
    done(`planned ${id} ${schedule.id}`);
    store.recordRun(id, { schedule: schedule.id, mode: 'warm', control: false, result: passed });
    store.setVerdict(id, schedule.id, 'passed');
    done(`judged ${id} ${schedule.id}`);
  }
}
store.close();
done('end');
