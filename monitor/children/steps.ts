/**
 * Each file operation of a child becomes a step of the program that started it: the child stands still before it until that is
 * granted, as it might wherever the system takes its processor away, and has done it before it goes on. All else of the child is its own.
 */
import fs from 'node:fs';
import { contextCapturer } from '../host/context.ts';
import { wrapFs } from '../host/fs.ts';
import { PassThroughController } from '../host/pass-through.ts';
import type { HostAccess, HostRequest } from '../host/request.ts';
import { callerPlace } from './caller.ts';
import type { ChildNotes } from './notes.ts';

const { access } = fs;
const { setImmediate } = globalThis;

/** What is answered by a descriptor alone: nobody else sees it. */
const isOfNobody = ({ entity }: HostAccess): boolean => entity.startsWith('fs:fd ');

export class ChildSteps extends PassThroughController {
  private readonly notes: ChildNotes;
  /** The question of the synchronous call that is on. */
  private question = 0;
  private loads = false;
  /** It has told that it waits, since it went on last. */
  private isTold = false;

  constructor(notes: ChildNotes) {
    super();
    this.notes = notes;
  }

  install(): void {
    const capture = contextCapturer({ enabled: false, current: () => undefined, set: () => {} });
    wrapFs(this, capture, (fn) => fn(), null);
  }

  active(): boolean {
    return this.notes.isAsked;
  }

  /** Operations are done within their call: nothing of this process comes between the question and what it is about. */
  override get usesPool(): boolean {
    return false;
  }

  override touching(api: string, what: () => string): void {
    const at = callerPlace();
    this.loads = at === 'loader';
    this.question = at === 'loader' ? 0 : this.notes.ask({ api, what: what(), at });
    this.notes.isOurs = true;
  }

  override touched(request: HostRequest): void {
    this.notes.isOurs = false;
    if (this.loads) this.notes.touch(request.accesses());
    else this.done(this.question, request.accesses());
    this.question = 0;
    this.idleSoon();
  }

  issue(request: HostRequest): void {
    const at = callerPlace();
    const n = at === 'loader' ? 0 : this.notes.ask({ api: request.api, what: request.what, at });
    this.carryOut(request, n);
  }

  drain(): void {}

  /** One effect after the other; what has to wait for somebody is told as done when it begins. */
  private carryOut(request: HostRequest, n: number): void {
    const touched: HostAccess[] = [];
    let isWithin = true;
    let isOver = false;
    const { notes } = this;
    const next = (left: number): void => {
      notes.isOurs = true;
      request.effect((last = false) => {
        touched.push(...request.accesses());
        if (!last && left > 1) {
          next(left - 1);
          return;
        }
        isOver = true;
        if (!isWithin) request.deliver();
      });
      notes.isOurs = false;
    };
    next(request.effects);
    isWithin = false;
    this.done(n, touched);
    if (isOver)
      this.later(() => {
        request.deliver();
        this.idleSoon();
      });
  }

  /** It goes on behind a step that is not ours. */
  went(): void {
    this.idleSoon();
  }

  /** Whether it goes on at once is waited for by whoever orders its steps. */
  private idleSoon(): void {
    const { notes } = this;
    const { asked } = notes;
    setImmediate(() =>
      setImmediate(() => {
        if (notes.asked === asked && !this.isTold) notes.tell({ kind: 'idle' });
        this.isTold = true;
      }).unref(),
    ).unref();
    this.isTold = false;
  }

  private done(n: number, accesses: readonly HostAccess[]): void {
    const told = accesses.filter((each) => !isOfNobody(each));
    if (n > 0) this.notes.tell({ kind: 'done', n, accesses: told });
    else this.notes.touch(told);
  }

  /** Answers come as those of the thread pool do. */
  private later(fn: () => void): void {
    const { notes } = this;
    const before = notes.isOurs;
    notes.isOurs = true;
    access('/', fn);
    notes.isOurs = before;
  }
}
