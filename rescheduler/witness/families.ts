/**
 * What comes to a plain run from outside, be it an answer or news: a row for each family of host functions, told by the beginning
 * of their names. What is in no row a plain run cannot hold back; the thread pool is another matter.
 */

interface HostFamily {
  readonly names: RegExp;
  /** Each call has one answer: nothing unknown comes in between. News are issued when they come, not in a call. */
  readonly isAnswer?: true;
  /** Node delivers it at the beginning of the check phase. */
  readonly isPutOff?: true;
  /** Others do it when they like: that it comes does not show how far the run is. */
  readonly isOfOthers?: true;
  /** The call may be answered before the ticks and microtasks of its turn are over. */
  readonly isInCall?: true;
}

const FAMILIES = {
  nameServers: { names: /^dns\.re/, isAnswer: true, isPutOff: true },
  engine: { names: /^WebAssembly\b/, isAnswer: true, isInCall: true },
  connections: { names: /^net\b/ },
  datagrams: { names: /^dgram\b/ },
  children: { names: /^child_process\b/, isOfOthers: true },
  messages: { names: /^MessagePort\b/ },
  watchers: { names: /^fs\.watch/, isOfOthers: true },
} as const satisfies Readonly<Record<string, HostFamily>>;

export type FamilyName = keyof typeof FAMILIES;
const NAMES = Object.keys(FAMILIES) as FamilyName[];

export const familyNameOf = (api: string): FamilyName | null =>
  NAMES.find((name) => FAMILIES[name].names.test(api)) ?? null;

export function familyOf(api: string): HostFamily | null {
  const name = familyNameOf(api);
  return name && FAMILIES[name];
}

/** Work of the thread pool that others can see before it is answered. */
export const isFileOperation = (api: string): boolean => api.startsWith('fs.') && familyNameOf(api) === null;
