/**
 * Tests of one file never run beside each other natively, so they may use the same file of the project, or the same port.
 * Those that do take turns; each run has temporary files of its own.
 */
import { EventKind, type Trace } from '../../data/trace.ts';

const OF_ALL = /^(?:fs:(?!\*|\$TMPDIR)|port \d)/;

/** What other runs may see, by its name. */
export const isOfAll = (resource: string): boolean => OF_ALL.test(resource);

/** Whether a run changed what other runs see. */
export function changesOthers({ entities, events }: Trace): boolean {
  const ofAll = new Set(
    entities.filter(({ kind, name }) => kind === 'resource' && isOfAll(name)).map(({ id }) => id),
  );
  if (ofAll.size === 0) return false;
  for (let at = 0; at < events.length; at++)
    if (events.kind[at] === EventKind.Write && ofAll.has(events.object[at] as number)) return true;
  return false;
}

export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Begins when all work of that file is over that was handed in before. */
  take(file: string, work: () => Promise<unknown>): Promise<unknown> {
    const mine = (this.last.get(file) ?? Promise.resolve()).then(work);
    // One that fails is told by its own promise.
    this.last.set(
      file,
      mine.catch(() => {}),
    );
    return mine;
  }
}
