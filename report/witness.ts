/** What is said of a bug on plain Node. */

export interface Witness {
  /** How many of how many runs failed alike, `k/n`; null: there was nothing to count. */
  readonly ratio: string | null;
  /** Why there was nothing to count, or why so few failed, where that is known. */
  readonly why: string | null;
}

/** One sentence, without a full stop. */
export function witnessSentence({ ratio, why }: Witness): string {
  const [ok, of] = ratio?.split('/') ?? [];
  const said =
    ratio === null
      ? 'no witness on plain Node'
      : ok === '0'
        ? `did not fail on plain Node in ${of} runs with these answers late`
        : `also fails on plain Node ${ok} of ${of}`;
  return why === null ? said : `${said}: ${why}`;
}
