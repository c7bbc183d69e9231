import type { ThreadEvents, ThreadNames, ThreadTrace } from '../../../data/threads/trace.ts';

/** A trace that can be read again and again. */
export interface LongTrace {
  readonly counts: { readonly threads: number; readonly entities: number; readonly events: number };
  names(): ThreadNames;
  /** In pieces; each may be overwritten by the next. */
  chunks(): Iterable<ThreadEvents>;
}

export const inMemory = ({ events, names }: ThreadTrace): LongTrace => ({
  counts: { threads: names.threads.length, entities: names.entities.length, events: events.length },
  names: () => names,
  chunks: () => [events],
});
