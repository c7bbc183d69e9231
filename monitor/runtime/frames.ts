/** Activations and their stable names. */
import type { ActivationKind } from '../../data/trace.ts';
import type { Frame } from './types.ts';

/** Longer paths are folded into a digest: a chain of timers would otherwise grow names without end. */
const LONGEST_PATH = 600;

let lastId = 0;

/** Counts the runs: see {@link ActivationFrame.ordinals}. */
let run = 0;

/** From here on what is started belongs to another run. */
export function nextRun(): void {
  run += 1;
}

/**
 * The frame of one activation. Fields beyond {@link Frame} belong to the hooks.
 *
 * Invariant: while the activation runs, it or something that it called is current; while it is suspended,
 * `saved` is null and `waiting` is true.
 */
export class ActivationFrame implements Frame {
  readonly id = ++lastId;
  readonly parent: ActivationFrame | null;
  readonly kind: ActivationKind;
  readonly site: number;
  readonly name: string;
  atomic: boolean | null;
  joined = false;
  children = 0;
  saved: ActivationFrame | null = null;
  waiting = false;
  /** Nesting of synchronous instrumented functions inside a sync or callback frame; 0 for all others. */
  depth = 0;
  /** The last async activation that this one started: what an `await` in place joins. */
  last: ActivationFrame | null = null;
  /** The next function entered under this frame *is* this frame (the body of a test or task). */
  adopts = false;
  #path: string | null;
  readonly #ordinal: number;
  #ordinals: Map<string, number> | null = null;
  /** The run that the ordinals are of. */
  #run = run;

  constructor(
    kind: ActivationKind,
    parent: ActivationFrame | null,
    site: number,
    name: string,
    atomic: boolean | null,
    path: string | null,
  ) {
    this.kind = kind;
    this.parent = parent;
    this.site = site;
    this.name = name;
    this.atomic = atomic;
    this.#path = path;
    this.#ordinal = path === null && parent !== null ? nextOrdinal(parent.ordinals, name) : 0;
    if (parent !== null) parent.children++;
  }

  /**
   * They begin anew in each run: what a server calls that a hook has started, or the hook itself, has the name that it has
   * where no other test ran before.
   */
  get ordinals(): Map<string, number> {
    if (this.#ordinals === null || this.#run !== run) {
      this.#ordinals = new Map();
      this.#run = run;
    }
    return this.#ordinals;
  }

  get path(): string {
    this.#path ??= childPath(this.parent, this.name, this.#ordinal);
    return this.#path;
  }
}

/** Counts `name` in `ordinals` and returns how often it was there before. */
export function nextOrdinal(ordinals: Map<string, number>, name: string): number {
  const n = ordinals.get(name) ?? 0;
  ordinals.set(name, n + 1);
  return n;
}

function childPath(parent: Frame | null, name: string, ordinal: number): string {
  const own = `${name.slice(name.lastIndexOf('.') + 1)}#${ordinal}`;
  if (parent === null) return own;
  return `${folded(parent.path)}.${own}`;
}

function folded(path: string): string {
  return path.length <= LONGEST_PATH ? path : `~${digest(path)}`;
}

/** 52-bit FNV-1a: short, and equal names stay equal in every process. */
function digest(text: string): string {
  let high = 0x811c9dc5;
  let low = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    high = Math.imul(high ^ text.charCodeAt(i), 0x01000193);
    low = Math.imul(low ^ text.charCodeAt(i), 0x85ebca6b);
  }
  return (high >>> 0).toString(36) + (low >>> 0).toString(36);
}
