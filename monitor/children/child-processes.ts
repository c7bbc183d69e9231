/**
 * The Node processes that a run starts. Each tells which files it touches. While two of them are alive they ask before they do, and
 * each such operation is a step of this program: it happens when its turn has come, and belongs to the task that the child is.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildRecord } from '../../data/child-record.ts';
import { issueArrival } from '../host/arrival.ts';
import type { Context } from '../host/context.ts';
import type { HostController } from '../host/controller.ts';
import type { Elapsed } from '../host/elapsed.ts';
import type { RequestOrigin } from '../host/naming.ts';
import type { HostAccess, HostRequest } from '../host/request.ts';
import { setAsOurs } from '../host/timer-owner.ts';
import type { Frame } from '../runtime/types.ts';
import { aboutAsOurs, asOurs, FollowedChild, siteOf } from './followed-child.ts';
import { CHILD, type ChildJob, type ChildNote } from './protocol.ts';

/** ms between two looks at what children ask. */
const LOOK_MS = 1;

/** Beside this module, compiled or not. */
const PRELOAD = fileURLToPath(import.meta.url.replace(/[^/]+\.([jt]s)$/, 'follow.c$1'));

/** What is known of a child as it begins. */
export interface ChildBirth {
  readonly what: string;
  readonly given: readonly unknown[];
  readonly origin: RequestOrigin;
  readonly context: Context;
  readonly elapsed: Elapsed;
}

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
  /** When it began and ended among all of them, and how many events were recorded then. */
  readonly life: { readonly begin: number; end: number; readonly from: number; to: number };
  frame: Frame | null = null;
  /** What it touched in steps of its own, by entity: whether it wrote. */
  readonly stepped = new Map<string, boolean>();
  /** What it asks now. */
  asking: Asking | null = null;
  /** Tells that it was heard of, where that is waited for. */
  heard = (): void => {};
  /** Its step that may happen now. */
  taking: HostRequest | null = null;
  /** Its latest step: what else comes from it comes behind. */
  last: HostRequest | null = null;
  readonly ordinals = new Map<string, number>();

  constructor(name: string, birth: ChildBirth, files: FollowedChild | null, begin: number, from: number) {
    this.name = name;
    this.birth = birth;
    this.files = files;
    this.life = { begin, from, end: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  }

  get isAlive(): boolean {
    return this.life.end === Number.POSITIVE_INFINITY;
  }
}

export class ChildProcesses {
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

  constructor(controller: HostController, outside: <T>(fn: () => T) => T) {
    this.controller = controller;
    this.outside = outside;
  }

  /** A child begins; `pairs`: its environment, to which is added what has it followed. */
  begin(birth: ChildBirth, file: string, pairs: string[] | null): LiveChild {
    if (this.root !== this.controller.root) this.drop();
    this.root = this.controller.root;
    const n = this.children.length + 1;
    const follows =
      this.controller.follows && pairs !== null && isNode(file) && !isRestricted([...birth.given, ...pairs]);
    const files = follows ? this.outside(() => new FollowedChild(join(this.place(), String(n)))) : null;
    if (files) tell(pairs!, files);
    const name = `child ${n} (${birth.what})`;
    const child = new LiveChild(name, birth, files, ++this.moment, this.controller.events());
    if (files) {
      child.frame = this.controller.frames.processFrame?.(name, `${birth.origin.name}!`) ?? null;
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

  /** Its end was told by the system: nothing more comes from it. */
  hasEnded(child: LiveChild): void {
    if (!this.children.includes(child)) return;
    child.heard();
    child.life.end = ++this.moment;
    child.life.to = this.controller.events();
    if (!child.files) return;
    this.outside(() => this.hear(child));
    const { asking } = child;
    child.asking = null;
    if (asking?.done) asking.done([]);
    else if (asking) this.controller.cancel(asking.request);
  }

  /** The program waits for a process within the present turn: it can answer nobody, and that process may wait for others. */
  waitsFor(what: string): void {
    if (this.root !== this.controller.root) this.drop();
    this.root = this.controller.root;
    const at = ++this.moment;
    const events = this.controller.events();
    this.waitedFor.push({
      ...{ name: what, exit: '', begin: at, end: at, from: events, to: events },
      ...{ isSeen: false, isJudged: false, touched: new Map(), stepped: new Map() },
    });
    for (const child of this.children) if (child.files?.asks) this.release(child);
  }

  /** What is known of all, for the recording. */
  records(): ChildRecord[] {
    const records = this.children.map(({ name, birth, life, files, stepped }) => {
      if (files) this.outside(() => files.news());
      const isSeen = files?.isFollowed === true && !files.isPartlyUnseen;
      const isJudged = isSeen && files.asks;
      return {
        name,
        exit: birth.origin.name,
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

  private hear(child: LiveChild): void {
    for (const note of child.files!.news()) {
      if (note.kind === 'idle') child.heard();
      else if (note.kind === 'left') this.leave(child);
      else if (note.kind === 'asked') this.ask(child, note);
      else if (note.kind === 'done' && child.asking?.n === note.n) {
        const { done } = child.asking;
        child.asking = null;
        done?.(note.accesses.map(asOurs));
      }
    }
  }

  private ask(child: LiveChild, { n, api, what, at }: Extract<ChildNote, { kind: 'asked' }>): void {
    const { controller, outside } = this;
    const { frames } = controller;
    const { birth, files, frame, ordinals } = child;
    const { elapsed } = birth;
    const ordinal = (ordinals.get(api) ?? 0) + 1;
    ordinals.set(api, ordinal);
    const name = `${birth.origin.name}>${api}#${ordinal}`;
    const site = (at && frames.pointAt?.(siteOf(at))) ?? -1;
    let accesses: readonly HostAccess[] = [];
    const request = issueArrival(controller, {
      ...{ api, what: aboutAsOurs(what), behind: child.last, since: elapsed.since },
      ...{ how: { by: 'handle', after: elapsed.after }, isOthers: true, context: birth.context },
      origin: { name, frame, site },
      happen: (done) => {
        asking.done = (touched) => {
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
          elapsed.anew();
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

const isNode = (file: string): boolean =>
  file === process.execPath || /^node(?:\.exe)?$/.test(basename(file));

/** Under Node's permission model a process may not read us. */
const isRestricted = (words: readonly unknown[]): boolean =>
  'permission' in process || words.some((word) => /--(?:experimental-)?permission\b/.test(String(word)));

/** Adds to the environment of a child, as the system gets it, what it is told. */
function tell(pairs: string[], { notes, grants }: FollowedChild): void {
  const OPTIONS = 'NODE_OPTIONS=';
  const at = pairs.findIndex((pair) => pair.startsWith(OPTIONS));
  const options = at < 0 ? null : pairs[at]!.slice(OPTIONS.length);
  const told: ChildJob = { notes, grants, node: process.version, options };
  const path = PRELOAD.replace(/[\s"\\]/g, '\\$&');
  const preload = `--require=${/[\s"\\]/.test(PRELOAD) ? `"${path}"` : PRELOAD}`;
  const pair = `${OPTIONS}${preload}${options ? ` ${options}` : ''}`;
  if (at < 0) pairs.push(pair);
  else pairs[at] = pair;
  pairs.push(`${CHILD}=${JSON.stringify(told)}`);
}
