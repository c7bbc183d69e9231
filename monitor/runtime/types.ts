/** What the instrumented program, the recorder and the gate share about one process. */
import type { ActivationKind, Site } from '../../data/trace.ts';

/** Where something stands in a text. */
export interface SourcePlace {
  /** Relative to the working directory. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What a map says of a place. */
export interface MappedPlace {
  /** Absent: it is in the file that was loaded. */
  readonly file?: string;
  readonly line: number;
  readonly column: number;
}

/** One program point as the instrumenter knows it. */
export interface SiteInfo extends Site {
  /** Where it is in the text that runs, when that was made of another file: names are made of this, since maps come and go. */
  readonly made?: SourcePlace;
  /** Static name of the property or variable; null where it is only known at run time. */
  readonly key: string | null;
  readonly access: 'read' | 'write' | 'both' | null;
  /** Functions only: the user's word on whether the activation is a transaction. */
  readonly atomic: boolean | null;
}

/** One activation: a call of an async function, or one callback that the host or a library ran. */
export interface Frame {
  readonly id: number;
  /** Who called it, or who registered the callback; null for a root. */
  readonly parent: Frame | null;
  /** Stable name, equal in every order: the parent's path, the function's name, an ordinal among equals. */
  readonly path: string;
  readonly kind: ActivationKind;
  /** The function's own site; -1 where unknown. */
  readonly site: number;
  readonly name: string;
  atomic: boolean | null;
  /** The parent awaits it in place. */
  joined: boolean;
  /** How many child activations it has started. */
  children: number;
  /** Who was current before it ran; null while it is suspended. */
  saved: Frame | null;
  /** Ordinals of stable names, per kind of thing that this frame starts. */
  readonly ordinals: Map<string, number>;
}

/** Receives every access while recording. `target` is an object or the id of a variable scope. */
export interface AccessSink {
  access(
    frame: Frame | null,
    site: number,
    write: boolean,
    target: object | number,
    key: PropertyKey | null,
  ): void;
  lock(frame: Frame | null, lock: object, name: string, acquire: boolean): void;
}

export type Combinator = 'all' | 'allSettled' | 'race' | 'any';

/** Receives the life of activations; the recorder builds the suspension graph from it. */
export interface RuntimeObserver {
  begin?(frame: Frame): void;
  end?(frame: Frame): void;
  /** `frame` is about to await `value`. */
  suspend?(frame: Frame, value: unknown, site: number): void;
  resume?(frame: Frame): void;
  /** `result` is what `Promise.<kind>(members)` returned. */
  combined?(kind: Combinator, result: unknown, members: readonly unknown[]): void;
  /** A callback registered on a promise by `.then`, `.catch` or `.finally` is about to run in `frame`. */
  reaction?(frame: Frame, promise: object): void;
}
