/** Which functions the tasks of a harness run, from V8's own counts. */
import { Session } from 'node:inspector/promises';
import type { Harness } from '../../harnesses/api.ts';
import { runNaturally } from '../../harnesses/natural.ts';

/** Answers, for a place in a file, whether the innermost function around it ran. */
export type Covered = (url: string, offset: number) => boolean;

/**
 * Runs a harness once on plain Node. What `setup` and `check` run does not count: no order is theirs.
 * Offsets in the sources are those of the running text, for types are stripped by blanks.
 */
export async function covered(harness: Harness): Promise<Covered> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const taken = async () => (await session.post('Profiler.takePreciseCoverage')).result;
  let result: Awaited<ReturnType<typeof taken>> = [];
  await runNaturally({
    ...harness,
    setup: async (context) => {
      const state = await harness.setup(context);
      await taken();
      return state;
    },
    check: async (state) => {
      result = await taken();
      await harness.check(state);
    },
  });
  session.disconnect();
  return (url, offset) => {
    const around = (result.find((script) => script.url === url)?.functions ?? [])
      .map(({ ranges }) => ranges[0]!)
      .filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
      .sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset));
    return (around[0]?.count ?? 0) > 0;
  };
}
