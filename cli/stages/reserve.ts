/**
 * What has to be known of a confirmed failure, be the time for its test over: how it goes, and whether it is a race. Without
 * that nothing may be said of it.
 */
import { StoreError } from '../../data/store/index.ts';
import type { StageContext } from './context.ts';

/** So much more than its own time a test gets for one failure, ms: warm runs take a few of these. */
const RESERVE_MS = 5000;

export class Reserve {
  private readonly context: StageContext;
  private more: StageContext | null = null;

  constructor(context: StageContext) {
    this.context = context;
  }

  /** Does a piece of work within the time for the test, and where that ends before, once more within the reserve; null: it has not ended. */
  async spend<T>(work: (context: StageContext) => Promise<T | null>): Promise<T | null> {
    const { context } = this;
    if (!context.signal.aborted) {
      const done = await attempt(context, work);
      if (done !== null || !context.signal.aborted) return done;
    }
    this.more ??= context.beyond(RESERVE_MS);
    return this.isSpent ? null : attempt(this.more, work);
  }

  /** What was to be done in it may not have come to its end. */
  get isSpent(): boolean {
    return this.more?.signal.aborted ?? false;
  }
}

async function attempt<T>(
  context: StageContext,
  work: (context: StageContext) => Promise<T | null>,
): Promise<T | null> {
  try {
    return await work(context);
  } catch (error) {
    if (!context.signal.aborted || error instanceof StoreError) throw error;
    return null;
  }
}
