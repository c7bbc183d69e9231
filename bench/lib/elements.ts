/** What element access costs in an instrumented program: of arrays that are not shared, and of shared ones. */
import { runInThisContext } from 'node:vm';
import type * as Instrumenter from '../../monitor/instrument/instrument.ts';
import type * as Rules from '../../monitor/instrument/threads/index.ts';
import type * as Config from '../../monitor/loader/config.ts';
import type * as Pools from '../../rescheduler/tokens/pool.ts';
import type * as Runtime from '../../rescheduler/tokens/thread-runtime.ts';
import { ours } from './ours.ts';
import { median, type Row } from './rows.ts';

/** Multiplication of matrices: three loops, three arrays, indices that are computed; and how the program makes arrays. */
const PROGRAM = `({ make: (length) => new Float64Array(length), multiply(a, b, c, size) {
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      let sum = 0;
      for (let at = 0; at < size; at++) sum += a[row * size + at] * b[at * size + column];
      c[row * size + column] = sum;
    }
}})`;
/** So many that the events of one multiplication fit into the log. */
const SIZE = 50;
const ROUNDS = 9;

type Matrix = Float64Array | number[];
type Multiply = (a: Matrix, b: Matrix, c: Matrix, size: number) => void;
interface Program {
  readonly make: (length: number) => Float64Array;
  readonly multiply: Multiply;
}

const MATRICES: Readonly<Record<string, (program: Program) => Matrix>> = {
  'typed arrays of its own': ({ make }) => make(SIZE * SIZE).fill(3),
  'plain arrays': () => new Array<number>(SIZE * SIZE).fill(3),
  'shared memory, recorded': () => new Float64Array(new SharedArrayBuffer(8 * SIZE * SIZE)),
};

export async function elementAccess(scale: number): Promise<Row[]> {
  const { instrument } = await ours<typeof Instrumenter>('monitor/instrument/instrument');
  const { THREAD_RULES } = await ours<typeof Rules>('monitor/instrument/threads/index');
  const { poolControl } = await ours<typeof Pools>('rescheduler/tokens/pool');
  const { installRuntime } = await ours<typeof Runtime>('rescheduler/tokens/thread-runtime');
  const { defaultConfig } = await ours<typeof Config>('monitor/loader/config');
  const { holder } = installRuntime(poolControl(1), 0, defaultConfig());
  const options = { file: 'bench', kind: 'commonjs', typescript: false, firstSite: 1 } as const;
  const { code } = instrument(PROGRAM, options, THREAD_RULES);
  const evaluate = (text: string) => runInThisContext(text) as Program;
  const accesses = 2 * SIZE ** 3 + SIZE ** 2;
  const time = (program: Program, make: (program: Program) => Matrix): number => {
    const { multiply } = program;
    const matrices: [Matrix, Matrix, Matrix] = [make(program), make(program), make(program)];
    const before = process.cpuUsage().user;
    for (let i = 0; i < Math.max(1, 80 * scale); i++) {
      holder.measure();
      multiply(...matrices, SIZE);
    }
    return ((process.cpuUsage().user - before) * 1000) / accesses / Math.max(1, 80 * scale);
  };
  return Object.entries(MATRICES).map(([what, make]): Row => {
    const [raw, instrumented] = [evaluate(PROGRAM), evaluate(code)];
    const rates: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      rates[0].push(time(raw, make));
      rates[1].push(time(instrumented, make));
    }
    return {
      what: `tokens: element access of ${what}`,
      unit: 'ns',
      ours: median(rates[1]),
      peer: { name: 'not instrumented', value: median(rates[0]) },
      // Of shared memory every access is a scheduling point and an event: another kind of work.
      goal: what.startsWith('shared') ? null : { atMost: 2.5 },
    };
  });
}
