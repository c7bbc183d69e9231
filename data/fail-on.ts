/** The lists of a report that an exit code can stand for, and which of them do. */

export interface FailRule {
  /** The exit code of a report that has something in this list. */
  readonly code: 1 | 3;
  /** Whether it counts unless told otherwise. */
  readonly byDefault: boolean;
  readonly about: string;
}

export const FAIL_LISTS = {
  race: { code: 1, byDefault: true, about: 'races' },
  timing: { code: 1, byDefault: false, about: 'timing-dependent tests' },
  conditional: { code: 1, byDefault: false, about: 'findings that rest on an assumption' },
  red: { code: 3, byDefault: true, about: 'tests that fail without any forcing' },
  flaky: { code: 3, byDefault: true, about: 'tests that do not pass every time' },
  blind: { code: 3, byDefault: true, about: 'tests of which nothing was seen' },
  unjudged: { code: 3, byDefault: true, about: 'tests none of whose forced runs could be judged' },
  partly: { code: 3, byDefault: false, about: 'tests of which something was left, or not looked into' },
  guest: { code: 3, byDefault: false, about: 'tests not forced because of a server that is not allowed' },
} as const satisfies Record<string, FailRule>;

export type FailList = keyof typeof FAIL_LISTS;
export const FAIL_NAMES = Object.keys(FAIL_LISTS) as FailList[];

/** `timing` lets a list count, `no-race` takes one out. */
export type FailSwitch = FailList | `no-${FailList}`;
export const FAIL_SWITCHES: readonly FailSwitch[] = FAIL_NAMES.flatMap((name) => [
  name,
  `no-${name}` as const,
]);

/** The lists that count; of two words on one list the later one holds. */
export function countingLists(switches: readonly FailSwitch[]): ReadonlySet<FailList> {
  const counting = new Set(FAIL_NAMES.filter((name) => FAIL_LISTS[name].byDefault));
  for (const word of switches) {
    if (word.startsWith('no-')) counting.delete(word.slice('no-'.length) as FailList);
    else counting.add(word as FailList);
  }
  return counting;
}
