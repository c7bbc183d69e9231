/** What the laboratory knows of each family that comes from outside. */
import type { FamilyName } from '../../rescheduler/witness/families.ts';

/** Rounds of the loop that the engine takes for a module that it does not know. */
export const ENGINE = Number.parseInt(process.versions.node, 10) < 26 ? 2 : 1;

interface LabFamily {
  /** Nobody foresees it: the gate waits for it in real time, and a strategy cannot. */
  readonly isUnforeseen?: true;
  /** What a plan cannot hurry: it comes at the earliest so many rounds of the loop behind the turn that asked. */
  readonly rounds?: number;
  readonly why?: string;
}

export const LAB_FAMILIES: Readonly<Record<FamilyName, LabFamily>> = {
  nameServers: {
    ...{ isUnforeseen: true, rounds: 4 },
    why: 'a name server that refuses is asked four times, a round of the loop each',
  },
  engine: { rounds: ENGINE, why: 'the engine takes two rounds of the loop' },
  ...{ connections: {}, datagrams: {} },
  children: { isUnforeseen: true },
  messages: { isUnforeseen: true },
  watchers: { isUnforeseen: true },
};

export const FAMILY_NAMES = Object.keys(LAB_FAMILIES) as FamilyName[];
