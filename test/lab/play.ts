/** Plays a program, natively or under the gate: what it tells goes to `told`. */
import { OPERATIONS } from './operations/table.ts';
import type { Node, Program } from './program.ts';

export interface Stage {
  readonly directory: string;
  /** ms of one unit of time; 1 where nothing is said. */
  readonly unit?: number;
  /** Hears every word in the turn in which it is told. */
  told(word: string): void;
  /** Just before an operation is started. */
  starting?(): void;
}

/** Settles when all operations are done and nothing is held. */
export function play({ roots }: Program, stage: Stage): Promise<void> {
  const ms = (units: number): number => units * (stage.unit ?? 1);
  return new Promise((resolve) => {
    // The start of the roots is held, too: some operations are done at once.
    let left = 1;
    const over = (): void => {
      if (--left === 0) resolve();
    };
    const start = (nodes: readonly Node[]): void => {
      for (const node of nodes) begin(node);
    };
    const begin = ({ id, operation, n, then }: Node): void => {
      left += 1;
      let isDone = false;
      const story = {
        tell: (word: string, value?: unknown) => stage.told(wordOf(`${id}.${word}`, value)),
        done: (value?: unknown) => {
          if (isDone) throw new Error(`${operation} was done twice`);
          isDone = true;
          stage.told(wordOf(String(id), value));
          start(then);
          over();
        },
        hold: () => {
          left += 1;
          return over;
        },
      };
      stage.starting?.();
      try {
        OPERATIONS[operation]!({ directory: stage.directory, id, n, ms }, story);
      } catch (error) {
        story.done((error as NodeJS.ErrnoException).code ?? error);
      }
    };
    start(roots);
    over();
  });
}

const wordOf = (what: string, value: unknown): string => (value === undefined ? what : `${what}=${value}`);
