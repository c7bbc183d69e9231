/** What one script, or one test of a suite, did plainly and under us. */

/** `timed out`: it did not end within the limit. */
export type Plain = 'passed' | 'failed' | 'timed out' | 'not run';

/**
 * `red`: the recorded run failed; `unknown`: nobody can tell, with the reason; `finding`: it passed as recorded and a
 * forced order fails.
 */
export type Here = 'passed' | 'red' | 'unknown' | 'finding' | 'not run';

export interface Row {
  readonly group: string;
  readonly name: string;
  readonly plain: Plain;
  readonly here: Here;
  /** Why it did not pass here. */
  readonly cause: string;
  /** ms that it took, plainly and under us. */
  readonly took: { readonly plain: number; readonly here: number };
}

/** The part of a file's name in front of its second hyphen: `test-fs-open.js` is in `fs`. */
export function groupOf(name: string): string {
  const [first = name, second] = name.split('-');
  return first === 'test' && second !== undefined ? second.replace(/\..*$/, '') : first.replace(/\..*$/, '');
}

/** It passes plainly and not here: the tool is not neutral, or has found something. */
export const differs = ({ plain, here }: Row): boolean => plain === 'passed' && here !== 'passed';
