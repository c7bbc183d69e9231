/** The pool harnesses differ in what two tasks do to one pool; the rest is here. */
import { type Expectation, harness, type SetupContext } from '../api.ts';
import { ObjectPool, PoolStateError } from './pool.ts';
import { type Scratch, ScratchFactory } from './pool-factory.ts';
import { RepairedObjectPool } from './pool-repaired.ts';

export interface PoolState {
  readonly dir: string;
  readonly pool: ObjectPool<Scratch>;
  /** An object lent out before the tasks begin, where the harness asks for one. */
  readonly lent: Scratch | null;
}

/** A refusal because of the pool's state is a correct answer; anything else is not. */
export async function unlessRefused(operation: Promise<unknown>): Promise<void> {
  try {
    await operation;
  } catch (error) {
    if (!(error instanceof PoolStateError)) throw error;
  }
}

/** Registers `<name>/bad` on the 1.2 pool and `<name>/ok` on the repaired one. */
export function poolTwins(
  name: string,
  start: 'fresh' | 'lent',
  tasks: Record<string, (state: PoolState) => Promise<void>>,
): void {
  const twin = (suffix: string, Pool: typeof ObjectPool, expect: Expectation) =>
    harness({
      name: `${name}/${suffix}`,
      setup: async ({ dir }: SetupContext): Promise<PoolState> => {
        const pool = new Pool<Scratch>(new ScratchFactory(dir, 'blue'));
        return { dir, pool, lent: start === 'lent' ? await pool.borrow() : null };
      },
      tasks,
      // The pool objects by throwing in a task; there is nothing left to look at.
      check: () => {},
      expect,
    });
  twin('bad', ObjectPool, { bug: true, pattern: 'RWR', entity: 'ObjectPool#factory' });
  twin('ok', RepairedObjectPool, { bug: false });
}
