/** Which processes can be followed, and what in their environment has them followed. */
import { basename } from 'node:path';
import type { ChildOptions } from '../host/started.ts';
import { CHILD, type ChildJob } from './protocol.ts';

export const isFollowable = ({
  file,
  given,
  pairs,
}: Pick<ChildOptions, 'file' | 'given' | 'pairs'>): boolean =>
  pairs !== null && isNode(file) && !isRestricted([...given, ...pairs]);

const isNode = (file: string): boolean =>
  file === process.execPath || /^node(?:\.exe)?$/.test(basename(file));

/** Under Node's permission model a process may not read us. */
const isRestricted = (words: readonly unknown[]): boolean =>
  'permission' in process || words.some((word) => /--(?:experimental-)?permission\b/.test(String(word)));

/** Adds to the environment of a process, as the system gets it, what it is told. */
export function tell(pairs: string[], { preload, notes, grants }: Omit<ChildJob, 'node' | 'options'>): void {
  const OPTIONS = 'NODE_OPTIONS=';
  const at = pairs.findIndex((pair) => pair.startsWith(OPTIONS));
  const options = at < 0 ? null : pairs[at]!.slice(OPTIONS.length);
  const told: ChildJob = { preload, notes, grants, node: process.version, options };
  const path = preload.replace(/[\s"\\]/g, '\\$&');
  const required = `--require=${/[\s"\\]/.test(preload) ? `"${path}"` : preload}`;
  const pair = `${OPTIONS}${required}${options ? ` ${options}` : ''}`;
  if (at < 0) pairs.push(pair);
  else pairs[at] = pair;
  pairs.push(`${CHILD}=${JSON.stringify(told)}`);
}
