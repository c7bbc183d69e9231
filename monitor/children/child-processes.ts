/**
 * The Node processes that a run starts. Each tells which files it touches. While two of them are alive they ask before they do, and
 * each such operation is a step of this program: it happens when its turn has come, and belongs to the task that the child is.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildRecord } from '../../data/child-record.ts';
import { partsOf } from '../drivers/sql-parts.ts';
import {
  impatiently,
  metLock,
  type SqlConnection,
  type SqlStatement,
  type StatementOrder,
} from '../drivers/statement.ts';
import { issueArrival } from '../host/arrival.ts';
import type { Context } from '../host/context.ts';
import type { HostController } from '../host/controller.ts';
import type { Elapsed } from '../host/elapsed.ts';
import type { RequestOrigin } from '../host/naming.ts';
import type { HostAccess, HostRequest } from '../host/request.ts';
import type { ChildOptions } from '../host/started.ts';
import { setAsOurs } from '../host/timer-owner.ts';
import type { Frame } from '../runtime/types.ts';
import { isFollowable, tell } from './followable.ts';
import { aboutAsOurs, asOurs, FollowedChild, siteOf } from './followed-child.ts';
import { ownSourceOf } from './own-source.ts';
import type { ChildFiles, ChildNote } from './protocol.ts';

/** ms between two looks at what children ask. */
const LOOK_MS = 1;

/** Beside this module, compiled or not. */
const PRELOAD = fileURLToPath(import.meta.url.replace(/[^/]+\.([jt]s)$/, 'follow.c$1'));

/** What is known of a child as it begins. */
export interface ChildBirth {
  readonly what: string;
  readonly origin: RequestOrigin;
  readonly context: Context;
  readonly elapsed: Elapsed;
}

type AskedNote = Extract<ChildNote, { kind: 'asked' }>;

interface Asking {
  readonly n: number;
  readonly request: HostRequest;
  /** It may be done: tells that it is. */
  done: ((accesses: readonly HostAccess[]) => void) | null;
}

export class LiveChild {
  readonly name: string;
  readonly birth: ChildBirth;
  readonly files: FollowedChild | null;
  /** See {@link ChildRecord.program}. */
  readonly program: string | null;
  /** When it began and ended among all of them, and how many events were recorded then. */
  readonly life: { readonly begin: number; end: number; readonly from: number; to: number };
  frame: Frame | null = null;
  /** What it touched in steps of its own, by entity: whether it wrote. */
  readonly stepped = new Map<string, boolean>();
  /** What it asks now. */
  asking: Asking | null = null;
  /** What it was granted, and has not told so far to be done; it may ask for the next one before that is heard. */
  granted: Asking | null = null;
  /** What it asks again where somebody has given up a lock: until then it stands still. */
  blocked: AskedNote | null = null;
  /** How often it met one. */
  met = 0;
  /** Tells that it was heard of, where that is waited for. */
  heard = (): void => {};
  /** Its step that may happen now. */
  taking: HostRequest | null = null;
  /** Its latest step: what else comes from it comes behind. */
  last: HostRequest | null = null;
  readonly ordinals = new Map<string, number>();
  /** Who has started it; null: the program. */
  readonly startedBy: LiveChild | null;

  constructor(
    name: string,
    birth: ChildBirth,
    files: FollowedChild | null,
    [begin, from]: readonly [number, number],
    program: string | null,
    startedBy: LiveChild | null = null,
  ) {
    this.name = name;
    this.birth = birth;
    this.files = files;
    this.program = program;
    this.startedBy = startedBy;
    this.life = { begin, from, end: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  }

  get isAlive(): boolean {
    return this.life.end === Number.POSITIVE_INFINITY;
  }
}

export class ChildProcesses implements StatementOrder {
  private readonly controller: HostController;
  /** Runs something natively. */
  private readonly outside: <T>(fn: () => T) => T;
  private children: LiveChild[] = [];
  private root: object | null = null;
  private folder: string | null = null;
  private looking = false;
  /** Counts what begins and ends. */
  private moment = 0;
  private waitedFor: ChildRecord[] = [];
  private isAmidStatement = false;

  constructor(controller: HostController, outside: <T>(fn: () => T) => T) {
    this.controller = controller;
    this.outside = outside;
  }

  /** A child begins; to its environment is added what has it followed. */
  begin(birth: ChildBirth, options: ChildOptions): LiveChild {
    const { pairs } = options;
    if (this.root !== this.controller.root) this.drop();
    this.root = this.controller.root;
    this.hearAll();
    const n = this.children.filter(({ startedBy }) => !startedBy).length + 1;
    const follows = this.controller.follows && isFollowable(options);
    const files = follows ? this.outside(() => new FollowedChild(filesIn(this.place(), n))) : null;
    if (files) tell(pairs!, { preload: PRELOAD, notes: files.notes, grants: files.grants });
    const name = `child ${n} (${birth.what})`;
    const child = new LiveChild(
      name,
      birth,
      files,
      this.now(),
      this.outside(() => ownSourceOf(options)),
    );
    if (files) {
      child.frame = this.frameOf(child);
      const others = this.children.filter((other) => other.isAlive && other.files);
      if (others.length > 0 || this.controller.asksAlone)
        this.outside(() => {
          for (const each of [child, ...others]) each.files!.beginToAsk();
          this.lookSoon();
        });
    }
    this.children.push(child);
    return child;
  }

  /** A child has started a process of its own: that is one among all of them. It asks where the child does. */
  private beginBy(parent: LiveChild, { k, what, files }: Extract<ChildNote, { kind: 'started' }>): void {
    const { birth } = parent;
    const followed = files && new FollowedChild(files);
    const name = `${parent.name.replace(/ \(.*/s, '')}.${k} (${what})`;
    const origin = { ...birth.origin, name: `${birth.origin.name}.${k}` };
    const own: ChildBirth = { ...birth, what, origin, elapsed: birth.elapsed.heir() };
    const child = new LiveChild(name, own, followed, this.now(), null, parent);
    child.last = parent.last;
    this.children.push(child);
    if (!followed) return;
    child.frame = this.frameOf(child);
    if (!parent.files!.asks) return;
    followed.beginToAsk();
    child.heard = this.controller.expect();
  }

  private frameOf({ name, birth }: LiveChild): Frame | null {
    return this.controller.frames.processFrame?.(name, pathOf(birth)) ?? null;
  }

  /** Its end was told by the system, or by who has started it: nothing more comes from it. */
  hasEnded(child: LiveChild): void {
    if (!this.children.includes(child)) return;
    child.heard();
    if (child.files) this.hearAll();
    [child.life.end, child.life.to] = this.now();
    this.wake();
    if (!child.files) return;
    const { asking, granted } = child;
    child.asking = null;
    granted?.done?.([]);
    if (asking && asking !== granted) this.controller.cancel(asking.request);
  }

  /** The program waits for a process within the present turn: it can answer nobody, and that process may wait for others. */
  waitsFor(what: string, options: ChildOptions): void {
    if (this.root !== this.controller.root) this.drop();
    this.root = this.controller.root;
    const at = ++this.moment;
    const events = this.controller.events();
    this.waitedFor.push({
      ...{
        name: what,
        exit: '',
        path: '',
        startedBy: null,
        program: this.outside(() => ownSourceOf(options)),
      },
      ...{ begin: at, end: at, from: events, to: events },
      ...{ isSeen: false, isJudged: false, touched: new Map(), stepped: new Map() },
    });
    for (const child of this.children) if (child.files?.asks) this.release(child);
  }

  /** Whether one of them stands still before what it does, maybe amid a transaction. */
  private get someAsk(): boolean {
    return this.root === this.controller.root && this.children.some(({ files }) => files?.asks);
  }

  /**
   * A statement of the program itself, which runs within the present turn: where it meets the lock of a child that stands still, that
   * one can be granted nothing meanwhile. All of them go on by themselves then.
   */
  carryOut<Result>({ connection, sql, isText, run }: SqlStatement<Result>): Result {
    return this.within(
      () => run(sql),
      () => {
        const wasAmid = connection.inTransaction();
        const parts = isText ? partsOf(sql) : [sql];
        if (!parts) this.letGo();
        let result: Result;
        for (const part of parts ?? [sql]) result = this.meetingNone(connection, () => run(part));
        if (wasAmid && !connection.inTransaction()) this.wake();
        return result!;
      },
    );
  }

  prepare<Result>(connection: SqlConnection, run: () => Result): Result {
    return this.within(run, () => this.meetingNone(connection, run));
  }

  /** `asked`: where children ask. What it runs itself, to learn of the connection, is no statement of the program. */
  private within<Result>(run: () => Result, asked: () => Result): Result {
    if (this.isAmidStatement || !this.controller.active() || !this.someAsk) return run();
    this.isAmidStatement = true;
    try {
      return asked();
    } finally {
      this.isAmidStatement = false;
    }
  }

  private meetingNone<Result>(connection: SqlConnection, run: () => Result): Result {
    const patience = connection.patience();
    if (patience === 0) return run();
    try {
      return impatiently(connection, patience, run);
    } catch (error) {
      if (!metLock(error)) throw error;
    }
    this.letGo();
    return run();
  }

  private letGo(): void {
    for (const child of this.children) if (child.files?.asks) this.leave(child);
  }

  /** What is known of all, for the recording. */
  records(): ChildRecord[] {
    this.outside(() => {
      // Those that are heard of here are heard in their turn.
      for (const child of this.children)
        for (const note of child.files?.news() ?? []) this.hearOfOthers(child, note);
    });
    const records = this.children.map((child) => {
      const { name, birth, life, files, program, stepped, startedBy } = child;
      const isSeen = files?.isFollowed === true && !files.isPartlyUnseen;
      const isJudged = isSeen && files.asks;
      return {
        name,
        exit: endOf(child).birth.origin.name,
        path: pathOf(birth),
        ...{ startedBy: startedBy?.name ?? null, program },
        ...life,
        isSeen,
        isJudged,
        touched: files?.touched ?? new Map(),
        stepped,
      };
    });
    return [...records, ...this.waitedFor];
  }

  /** It has waited for an answer in vain: what it did since nobody has ordered. */
  private leave(child: LiveChild): void {
    this.controller.doubt('a child process that was not answered in time');
    this.release(child);
  }

  /** It goes on by itself. */
  private release(child: LiveChild): void {
    this.outside(() => child.files!.free());
    const { asking } = child;
    this.unblock(child);
    if (!asking || asking.done) return;
    child.asking = null;
    this.controller.cancel(asking.request);
  }

  /** The run is over: those that are alive go on by themselves. */
  drop(): void {
    const { children, folder } = this;
    this.children = [];
    this.waitedFor = [];
    this.folder = null;
    this.outside(() => {
      for (const { files } of children) files?.close();
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
    });
  }

  private place(): string {
    this.folder ??= mkdtempSync(join(tmpdir(), 'unweave-'));
    return this.folder;
  }

  /** The next moment among all of them, and how many events were recorded. */
  private now(): [number, number] {
    return [++this.moment, this.controller.events()];
  }

  private lookSoon(): void {
    if (this.looking) return;
    this.looking = true;
    setAsOurs(() => setTimeout(() => this.look(), LOOK_MS)).unref();
  }

  private look(): void {
    this.looking = false;
    for (const child of this.children) if (child.isAlive && child.files?.asks) this.hear(child);
    if (this.children.some(({ files, isAlive }) => isAlive && files?.asks)) this.lookSoon();
  }

  /** What children have done is known before another one begins, and when one has ended. */
  private hearAll(): void {
    this.outside(() => {
      for (const child of this.children) if (child.files && child.isAlive) this.hear(child);
    });
  }

  private hearOfOthers(child: LiveChild, note: ChildNote): void {
    if (note.kind === 'started') this.beginBy(child, note);
    else if (note.kind === 'ended') {
      const name = `${child.birth.origin.name}.${note.k}`;
      const ended = this.children.find(({ birth }) => birth.origin.name === name);
      if (ended) this.hasEnded(ended);
    }
  }

  private hear(child: LiveChild): void {
    for (const note of child.files!.news()) {
      this.hearOfOthers(child, note);
      if (note.kind === 'idle') child.heard();
      else if (note.kind === 'left') this.leave(child);
      else if (note.kind === 'asked' && note.again) this.block(child, note);
      else if (note.kind === 'asked') this.ask(child, note);
      else if (note.kind === 'done' && [child.asking, child.granted].some((each) => each?.n === note.n)) {
        const { granted } = child;
        if (child.asking?.n === note.n) child.asking = null;
        if (granted?.n === note.n) granted.done?.(note.accesses.map(asOurs));
        if (note.releases) this.wake(child);
      }
    }
  }

  /** It has met a lock: what it asks again is no step before somebody has given that up. */
  private block(child: LiveChild, question: AskedNote): void {
    child.blocked = question;
    this.controller.stands(stepsOf(child), true);
    child.heard();
  }

  /** A lock was given up: those that have met one look again. */
  private wake(who: LiveChild | null = null): void {
    for (const child of this.children) {
      const { blocked } = child;
      if (!blocked || child === who) continue;
      this.unblock(child);
      this.ask(child, blocked);
    }
  }

  private unblock(child: LiveChild): void {
    if (child.blocked) this.controller.stands(stepsOf(child), false);
    child.blocked = null;
  }

  private ask(child: LiveChild, { n, api, what, at, again }: AskedNote): void {
    const { controller, outside } = this;
    const { frames } = controller;
    const { birth, files, frame, ordinals } = child;
    const { elapsed } = birth;
    const ordinal = (ordinals.get(api) ?? 0) + (again ? 0 : 1);
    ordinals.set(api, ordinal);
    child.met = again ? child.met + 1 : 0;
    // However often it meets a lock, what it does later is called the same.
    const name = `${stepsOf(child)}${api}#${ordinal}${again ? `~${child.met}` : ''}`;
    const site = (at && frames.pointAt?.(siteOf(at))) ?? -1;
    let accesses: readonly HostAccess[] = [];
    const request = issueArrival(controller, {
      ...{ api, what: aboutAsOurs(what), behind: child.last, since: elapsed.since },
      ...{ how: { by: 'handle', after: elapsed.after }, isOthers: true, context: birth.context },
      origin: { name, frame, site },
      happen: (done) => {
        child.granted = asking;
        asking.done = (touched) => {
          child.granted = null;
          accesses = touched;
          for (const { entity, write } of touched)
            child.stepped.set(entity, write || child.stepped.get(entity) === true);
          done();
        };
        child.taking = request;
        outside(() => files!.grant());
        child.heard = controller.expect();
      },
      deliver: () => {
        child.taking = null;
        const touch = (): void => {
          controller.touched({ ...request, kind: 'pool', accesses: () => accesses });
          elapsed.stepped();
        };
        if (frame && frames.goOn) frames.goOn(frame, touch);
        else touch();
      },
    });
    const asking: Asking = { n, request, done: null };
    child.asking = asking;
    child.last = request;
    child.heard();
  }
}

const filesIn = (folder: string, n: number): ChildFiles => ({
  notes: join(folder, `${n}.notes`),
  grants: join(folder, `${n}.grants`),
});

/** The names of its steps begin so. */
const stepsOf = ({ birth }: LiveChild): string => `${birth.origin.name}>`;

const pathOf = ({ origin }: ChildBirth): string => `${origin.name}!`;

/** Whose end tells the program that it has ended: its own, or that of who started it and was there longer. */
function endOf(child: LiveChild): LiveChild {
  const { startedBy, life } = child;
  return startedBy && life.end < startedBy.life.end ? endOf(startedBy) : child;
}
