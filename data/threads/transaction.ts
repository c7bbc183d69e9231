/**
 * Transactions of a trace of threads by name, as begin events name them: `src/bank.ts#Account.deposit` for the calls
 * of a function, `src/bank.ts#Account.deposit/for@12:5` for the passes of a loop in it. What the user says of it stands
 * before: `atomic:…`, `not-atomic:…`.
 */
export interface Transaction {
  /** Relative to the working directory. */
  readonly file: string;
  readonly fn: string;
  /** `for@12:5`; null: it is a call of the function. */
  readonly loop: string | null;
  /** The user's word; null: none. */
  readonly atomic: boolean | null;
}

const WORD = { true: 'atomic:', false: 'not-atomic:', null: '' } as const;

export const spelled = ({ atomic, file, fn, loop }: Transaction): string =>
  `${WORD[`${atomic}`]}${file}#${fn}${loop === null ? '' : `/${loop}`}`;

/** The reverse of {@link spelled}. */
export function parseTransaction(name: string): Transaction {
  const atomic = name.startsWith(WORD.true) ? true : name.startsWith(WORD.false) ? false : null;
  const rest = name.slice(WORD[`${atomic}`].length);
  const hash = rest.indexOf('#');
  const slash = rest.indexOf('/', hash);
  return {
    atomic,
    file: rest.slice(0, hash),
    fn: rest.slice(hash + 1, slash < 0 ? undefined : slash),
    loop: slash < 0 ? null : rest.slice(slash + 1),
  };
}

/** For people; names stand in back quotes. */
export const readable = ({ fn, loop }: Transaction): string =>
  loop === null ? `one call of \`${fn}\`` : `one pass of the loop ${loop} in \`${fn}\``;
