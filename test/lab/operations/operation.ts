/** What one node of a program may ask of the host. */

/** How an operation tells what happens to it. Every word is told in the turn in which it happens. */
export interface Story {
  /** Something happened: a word, and what the program saw. */
  tell(word: string, value?: unknown): void;
  /** The operation is done; what follows it starts in this very turn. */
  done(value?: unknown): void;
  /** The program is not over before the returned function was called. */
  hold(): () => void;
}

export interface Scene {
  /** A fresh directory with a few files in it; see `prepare`. */
  readonly directory: string;
  /** Number of the node: for names that no other node uses. */
  readonly id: number;
  /** A small number that the generator chose: a delay, one of a few shared names, a variant. */
  readonly n: number;
  /** Delays of timers, ms: small ones where they are to meet, large ones where they are to be told apart. */
  ms(units: number): number;
}

export type Operation = (scene: Scene, story: Story) => void;
export type Operations = Readonly<Record<string, Operation>>;

/** Tells the end of a promise: its value, as `show` has it, or the code of its error. */
export function settles<T>(
  story: Story,
  promise: Promise<T>,
  show: (value: T) => unknown = () => undefined,
): void {
  promise.then(
    (value) => story.done(show(value)),
    (error: NodeJS.ErrnoException) => story.done(error.code ?? error.name),
  );
}

/** A callback in the style of Node that tells the end. */
export function ends(
  story: Story,
  show: (value: any) => unknown = () => undefined,
): (error: unknown, value?: any) => void {
  return (error, value) =>
    story.done(error ? ((error as NodeJS.ErrnoException).code ?? (error as Error).name) : show(value));
}
