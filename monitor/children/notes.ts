/** What a child writes down for the process that started it, and how it waits for an answer. */
import fs from 'node:fs';
import { standStill } from '../../data/stand-still.ts';
import type { HostAccess } from '../host/request.ts';
import type { ChildFiles, ChildJob, ChildNote } from './protocol.ts';

const { appendFileSync, statSync } = fs;

/** So long it waits for an answer, ms: whoever could give it may wait for this process itself, in a way that nobody sees. */
const LONGEST_WAIT = 5000;
/** A child waits by sleeping so long between two looks, ms: at first a little, later longer. */
const FIRST_SLEEP = 0.05;
const LONGEST_SLEEP = 0.5;

const { now } = performance;

export class ChildNotes {
  private readonly told: ChildJob;
  private readonly known = new Set<string>();
  /** How many questions it has asked. */
  asked = 0;
  /** Nobody answers, or can be told. */
  private isAlone = false;
  /** Our own code uses files. */
  isOurs = false;

  constructor(told: ChildJob) {
    this.told = told;
  }

  /** Somebody answers: others are beside this process. */
  get isAsked(): boolean {
    return !this.isAlone && !this.isOurs && this.grants() >= 0;
  }

  /** For a process that this one is about to start: it asks from its beginning where this one does. */
  prepare({ notes, grants }: ChildFiles): void {
    this.natively(() => {
      appendFileSync(notes, '');
      if (statSync(this.told.grants, { throwIfNoEntry: false })) appendFileSync(grants, '');
    });
  }

  tell(note: ChildNote): void {
    this.natively(() => appendFileSync(this.told.notes, `${JSON.stringify(note)}\n`));
  }

  /** Something is touched without asking; each is told once. */
  touch(accesses: readonly HostAccess[]): void {
    const fresh = accesses.filter(({ entity, write }) => {
      const key = `${write ? 'w' : 'r'}${entity}`;
      return !this.known.has(key) && this.known.add(key);
    });
    if (fresh.length > 0) this.tell({ kind: 'touched', accesses: fresh });
  }

  /** Asks, and waits for the answer; the number of the question, or 0 where nobody answers any more. */
  ask(question: Pick<Extract<ChildNote, { kind: 'asked' }>, 'api' | 'what' | 'at' | 'again'>): number {
    const n = ++this.asked;
    this.tell({ kind: 'asked', n, ...question });
    const until = now.call(performance) + LONGEST_WAIT;
    for (let sleep = FIRST_SLEEP; !this.isAlone; sleep = Math.min(LONGEST_SLEEP, sleep * 1.2)) {
      const granted = this.grants();
      if (granted >= n) return n;
      if (granted < 0) return 0;
      if (now.call(performance) > until) break;
      standStill(sleep);
    }
    this.leave();
    return 0;
  }

  /** From here on it goes on by itself. */
  leave(): void {
    this.tell({ kind: 'left' });
    this.isAlone = true;
  }

  /** How many questions are answered; -1: nobody answers. */
  private grants(): number {
    return this.natively(() => statSync(this.told.grants, { throwIfNoEntry: false })?.size ?? -1);
  }

  /** The folder may be gone, or this process not be allowed to use it. */
  natively<T>(fn: () => T): T {
    const before = this.isOurs;
    this.isOurs = true;
    try {
      return fn();
    } catch {
      this.isAlone = true;
      return -1 as T;
    } finally {
      this.isOurs = before;
    }
  }
}
