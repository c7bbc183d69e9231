/**
 * What a process under test and the Node processes that it starts tell each other, by two files for each: the child writes down
 * what it touches, and asks; the file of its grants grows by a byte for each question that is answered. While there is no such file
 * nobody is asked, and nobody waits: neither process depends on the other being able to answer.
 */
import type { HostAccess } from '../host/request.ts';

/** Environment variable with the {@link ChildJob} of a child. */
export const CHILD = 'UNWEAVE_CHILD';

/** The file in which a child writes, and that of its grants. */
export interface ChildFiles {
  readonly notes: string;
  readonly grants: string;
}

export interface ChildJob extends ChildFiles {
  /** What it loads first, and what has those followed that it starts itself. */
  readonly preload: string;
  /** Other releases are not followed. */
  readonly node: string;
  /** `NODE_OPTIONS` as they would be without us; null: there would be none. */
  readonly options: string | null;
}

/** Where in the child's own source something was asked for. */
export interface ChildPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly fn: string;
}

/** One line of the child. Entities are named by whole paths. */
export type ChildNote =
  /** It is followed from here on. */
  | { readonly kind: 'begun' }
  /** It touched this without asking. */
  | { readonly kind: 'touched'; readonly accesses: readonly HostAccess[] }
  /** It has nothing to do now but to wait. */
  | { readonly kind: 'idle' }
  /** It starts a process, its k-th; without files nobody follows that. */
  | { readonly kind: 'started'; readonly k: number; readonly what: string; readonly files: ChildFiles | null }
  /** That process has ended. */
  | { readonly kind: 'ended'; readonly k: number }
  /** It does what nobody looks at. */
  | { readonly kind: 'unseen'; readonly what: string }
  /** It goes on without an answer to its last question, and asks no more. */
  | { readonly kind: 'left' }
  /** It is about to do something, and waits; the questions of a child are numbered from 1. */
  | {
      readonly kind: 'asked';
      readonly n: number;
      readonly api: string;
      readonly what: string;
      readonly at: ChildPlace | null;
      /** It has met a lock of somebody else: until that is released it can only meet it again. */
      readonly again?: true;
    }
  /** It has done it; `releases`: it has given up what others may wait for. */
  | {
      readonly kind: 'done';
      readonly n: number;
      readonly accesses: readonly HostAccess[];
      readonly releases?: true;
    };
