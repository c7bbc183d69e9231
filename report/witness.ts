/** What is said of a bug on plain Node. */

/** How many of how many runs failed alike, `k/n`; or why there was nothing to count. */
export type Witness =
  | { readonly ratio: string; readonly why: null }
  | { readonly ratio: null; readonly why: string };

/** One sentence, without a full stop. */
export function witnessSentence({ ratio, why }: Witness): string {
  if (ratio === null) return `no witness on plain Node: ${why}`;
  const [ok, of] = ratio.split('/');
  if (ok === '0') return `did not fail on plain Node in ${of} runs with these answers late`;
  return `also fails on plain Node ${ok} of ${of}`;
}
