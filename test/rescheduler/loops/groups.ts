/** A process with threads takes a second to start: small programs share one, and are played one after the other. */
import { extent } from '../../extent.ts';

const TOGETHER = extent(10, 1);

export const groupsOf = <T>(programs: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(programs.length / TOGETHER) }, (_, group) =>
    programs.slice(group * TOGETHER, (group + 1) * TOGETHER),
  );
