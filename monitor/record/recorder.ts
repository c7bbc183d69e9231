/**
 * Builds the {@link Trace} of one run: listens to the runtime (accesses, frames) and to the gate
 * (requests, effects, turns) and keeps them as columns and tables.
 */
import type { Activation, Entity, Lock, Request, Site, Trace, TraceJob } from '../../data/trace.ts';
import { EventKind } from '../../data/trace.ts';
import type { HostRequest } from '../host/request.ts';
import { isSetAsOurs } from '../host/timer-owner.ts';
import { setLockObserver } from '../locks/observer.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Frame } from '../runtime/types.ts';
import { CallSites, type Running, siteOf, writtenAt } from './call-site.ts';
import { RecordedEvents } from './columns.ts';
import { RequestCallers } from './request-callers.ts';
import { START, SuspensionGraph } from './suspension.ts';

interface JobDraft {
  readonly activation: number;
  readonly condition: number;
}

export class Recorder {
  private readonly runtime: Runtime;
  private readonly events = new RecordedEvents();
  private readonly graph = new SuspensionGraph();
  private readonly frames: Frame[] = [];
  private readonly activationOf = new Map<Frame, number>();
  /** Null once it is over: a request holds what was read or written, of which a long run has too much to keep. */
  private readonly requests: (HostRequest | null)[] = [];
  private readonly requestRows: Request[] = [];
  private readonly requestIds = new WeakMap<HostRequest, number>();
  private readonly jobs: JobDraft[] = [];
  private readonly entities: Entity[] = [];
  private readonly resources = new Map<string, number>();
  private readonly members = new WeakMap<object, Map<PropertyKey | null, number>>();
  private readonly scopes = new Map<number, Map<PropertyKey | null, number>>();
  private readonly locks: Lock[] = [];
  private readonly lockIds = new WeakMap<object, number>();
  private readonly sites = new Map<number, number>();
  private readonly siteList: Site[] = [];
  /** See {@link Trace.made}. */
  private readonly made = new Set<string>();
  /** What suspended activations wait for, and at which `await`. */
  private readonly awaited = new Map<Frame, { readonly value: unknown; readonly site: number }>();
  private readonly takenBack = new Map<number, number>();
  private readonly requestNames = new Map<string, number>();
  private readonly holders = new Map<number, Frame | null>();
  /** Jobs that stand still while a function with a lock of its own runs inside them. */
  private readonly interrupted: { readonly frame: Frame; readonly caller: Frame; readonly job: number }[] =
    [];
  /** The condition of a lock that was just granted to the function about to be entered; -1: none. */
  private granted = -1;
  /** Requests have no point of their own in instrumented code: theirs is the place of the call. */
  private readonly callSites: CallSites;
  private readonly places = new Map<
    string,
    { readonly id: number; readonly place: Running; readonly fn: string }
  >();
  private readonly requestSites: number[] = [];
  /** Where accesses were called from; null where nobody asks. */
  private readonly callers: RequestCallers | null;
  private job = -1;
  /** The job that began last, the one that ran before it, and how many events there were then; null: it was forgotten. */
  private opened: { readonly job: number; readonly before: number; readonly events: number } | null = null;
  /** The last activation of which an event tells more than that it began; those behind it have done nothing. */
  private lastActive = 0;
  /** The request whose turn it is; -1 between turns. */
  private turn = -1;
  /** Code of the program has run in this turn. */
  private ran = false;
  /** Site of the program's last access in this turn; -1: none yet. */
  private lastSite = -1;
  private root: Frame | null = null;
  /** Events before the verdict was known; -1: it is not. */
  private settled = -1;

  /** `explaining`: also record where each access was called from. That takes time: not for runs that are many. */
  constructor(runtime: Runtime, explaining = false) {
    this.runtime = runtime;
    this.callSites = new CallSites(runtime);
    this.callers = explaining ? new RequestCallers(runtime, this.callSites) : null;
  }

  /** From here on everything in this process that belongs to the run is recorded. */
  start(root: Frame): void {
    this.root = root;
    if (this.callers) this.callSites.start();
    this.activation(root);
    this.forgetPlace();
    this.graph.running = () => (this.runtime.isRunning ? this.job : -1);
    this.graph.start();
    this.runtime.setImmediacy(this.callers !== null);
    this.runtime.sink = {
      access: (frame, site, write, target, key) => this.access(frame, site, write, this.entity(target, key)),
      lock: (frame, lock, name, acquire) => {
        if (acquire) this.acquired(this.lockId(lock, name), frame);
        else this.released(this.lockId(lock, name));
      },
    };
    this.runtime.observer = {
      begin: (frame) => {
        this.callers?.begin(frame);
        this.enter(frame, undefined);
      },
      end: (frame) => {
        this.leave(frame);
        this.forget(frame);
      },
      suspend: (frame, value, site) => {
        this.awaited.set(frame, { value, site });
        this.leave(frame);
      },
      resume: (frame) => {
        const awaited = this.awaited.get(frame);
        this.awaited.delete(frame);
        this.callers?.resume(frame);
        this.enter(frame, awaited?.value);
      },
      combined: (kind, result, parts) =>
        this.graph.combine(kind === 'all' || kind === 'allSettled' ? 'all' : 'any', result, parts),
    };
    setLockObserver({
      wait: (lock, name, promise) => {
        this.runtime.flush();
        const condition = this.graph.lockWait(this.lockId(lock, name), promise);
        this.push(EventKind.Wait, this.runtime.cur, -1, condition);
        return condition;
      },
      enter: (condition) => {
        this.granted = condition;
      },
      release: (lock, name) => {
        this.runtime.flush();
        this.released(this.lockId(lock, name));
      },
    });
  }

  /** What the gate reports. Accesses wait in columns of the runtime: they come first. */
  readonly observer = {
    events: (): number => {
      this.runtime.flush();
      return this.events.length;
    },
    issued: (request: HostRequest): void => {
      this.runtime.flush();
      const id = this.requests.push(request) - 1;
      this.requestIds.set(request, id);
      this.requestNames.set(request.name, id);
      this.callers?.issue(request, (this.isQuiet() && this.requests[this.turn]) || undefined);
      this.requestSites.push(this.placeOf(request));
      this.push(EventKind.Issue, request.frame, -1, id, this.requestSites[id]);
    },
    takenBack: (request: HostRequest): void => {
      this.runtime.flush();
      const id = this.requestIds.get(request);
      if (id !== undefined) this.takenBack.set(id, this.events.length);
    },
    effect: (request: HostRequest, within: boolean): void => {
      this.runtime.flush();
      const id = this.requestIds.get(request);
      if (id === undefined) return;
      const site = this.requestSites[id] as number;
      this.push(EventKind.Effect, request.frame, -1, id, site);
      this.touches(request, site);
      // What follows is the job's again.
      if (within && this.job >= 0) this.push(EventKind.Job, this.runtime.cur, -1, this.job);
    },
    /** A synchronous operation: its accesses are those of the code that runs. */
    touched: (request: HostRequest): void => {
      this.runtime.flush();
      this.callers?.issue(request);
      this.touches(request, this.placeOf(request));
    },
    turn: (request: HostRequest): void => {
      this.runtime.flush();
      const id = this.requestIds.get(request);
      if (id === undefined) return;
      this.job = -1;
      this.ran = false;
      this.turn = id;
      this.forgetPlace();
      this.graph.beginTurn(id);
      this.push(EventKind.Turn, request.frame, -1, id);
    },
    turnEnd: (): void => {
      this.runtime.flush();
      this.close(this.turn);
      this.turn = -1;
      this.forgetPlace();
    },
    settled: (): void => {
      this.runtime.flush();
      this.settled = this.events.length;
    },
  };

  /** Stops recording and hands over the trace. `steps`: the steps that the gate took. */
  finish(steps: readonly string[], ungated: Readonly<Record<string, number>>): Trace {
    this.graph.finish();
    this.runtime.sink = null;
    this.runtime.observer = null;
    this.runtime.setImmediacy(false);
    setLockObserver(null);
    for (const { id, place, fn } of this.places.values())
      this.siteList[id] = siteOf(writtenAt(place, this.runtime.originalColumn) ?? place, fn);
    // Activations may still be named while requests are listed: keep this order.
    for (const id of this.requests.keys()) this.close(id);
    const suspended = [...this.awaited].map(([frame, { site }]) => ({
      activation: this.activation(frame),
      site: this.site(site),
    }));
    const jobs: TraceJob[] = this.jobs.map((job, id) => ({ id, ...job }));
    return {
      events: this.events.finish(),
      activations: this.frames.map((frame, id) => this.activationRow(frame, id)),
      sites: this.siteList,
      requests: this.requestRows,
      entities: this.entities,
      locks: this.locks,
      conditions: this.graph.conditions,
      jobs,
      steps,
      saturated: this.runtime.saturated().map((site) => this.site(site)),
      ungated,
      ...(this.made.size > 0 && { made: [...this.made] }),
      ...(this.settled >= 0 && { settled: this.settled }),
      ...(this.callers && { callers: this.callers.finish(), packages: this.callSites.packages(), suspended }),
    };
  }

  /**
   * Instrumented code begins or resumes: a new job when nothing instrumented was on the stack, or when a
   * lock was granted to a function that its caller handed in (then the caller goes on in a job of its own).
   */
  private enter(frame: Frame, awaited: unknown): void {
    const granted = this.granted;
    this.granted = -1;
    if (frame.saved !== null && granted < 0) {
      this.activation(frame);
      return;
    }
    if (frame.saved !== null) this.interrupted.push({ frame, caller: frame.saved, job: this.job });
    const id = this.jobs.length;
    const condition = granted >= 0 ? granted : this.graph.beginJob(id, awaited);
    this.graph.continueAs(id);
    this.openJob(frame, condition);
    const met = this.graph.conditions[condition];
    if (met?.kind === 'lock') this.acquired(met.lock, frame);
  }

  /** An activation suspends or ends: the job that a granted lock interrupted goes on. */
  private leave(frame: Frame): void {
    const last = this.interrupted.at(-1);
    if (last?.frame !== frame) return;
    this.interrupted.pop();
    const condition = last.job >= 0 ? this.graph.afterJob(last.job) : START;
    this.graph.continueAs(this.jobs.length);
    this.openJob(last.caller, condition);
  }

  private openJob(frame: Frame, condition: number): void {
    const activation = this.activation(frame);
    const id = this.jobs.push({ activation, condition }) - 1;
    const before = this.job;
    this.job = id;
    this.ran = true;
    this.events.push(EventKind.Job, activation, -1, id);
    this.opened = { job: id, before, events: this.events.length };
  }

  /**
   * A call of a function is over. Where it left no event and nothing follows from it, it is as if it had not been: a test may
   * make millions of them.
   */
  private forget(frame: Frame): void {
    if (frame.kind !== 'callback' && frame.kind !== 'sync') return;
    const id = this.frames.length - 1;
    if (this.frames[id] !== frame || id <= this.lastActive) return;
    const job = this.jobs.length - 1;
    if (this.jobs[job]?.activation === id) {
      const { opened } = this;
      // What is asked for in its course may be somebody else's.
      if (this.job !== job || opened?.job !== job || opened.events !== this.events.length) return;
      if (this.jobs[job - 1]?.activation === id || !this.graph.forget(job)) return;
      this.jobs.pop();
      this.events.pop();
      this.job = opened.before;
      this.opened = null;
    }
    this.frames.pop();
    this.activationOf.delete(frame);
  }

  private acquired(lock: number, frame: Frame | null): void {
    this.holders.set(lock, frame ?? this.root);
    this.push(EventKind.Acquire, frame, -1, lock);
  }

  /** Given back, often by library code: it belongs to the activation that took it. */
  private released(lock: number): void {
    const holder = this.holders.get(lock);
    if (holder === undefined) return;
    this.holders.delete(lock);
    this.push(EventKind.Release, holder, -1, lock);
  }

  private access(frame: Frame | null, site: number, write: boolean, entity: number): void {
    this.lastSite = this.site(site);
    this.callers?.access(this.events.length, frame, this.lastSite);
    this.push(write ? EventKind.Write : EventKind.Read, frame, site, entity, this.lastSite);
  }

  /** `place`: index of a site of this trace, where it is not the runtime's `site`. */
  private push(
    kind: EventKind,
    frame: Frame | null,
    site: number,
    object: number,
    place = this.site(site),
  ): void {
    const activation = this.activation(frame ?? this.root);
    if (activation > this.lastActive) this.lastActive = activation;
    this.events.push(kind, activation, place, object);
  }

  private touches(request: HostRequest, site: number): void {
    for (const { entity, write } of request.accesses()) {
      this.callers?.effect(this.events.length, request);
      this.push(write ? EventKind.Write : EventKind.Read, request.frame, -1, this.resource(entity), site);
    }
  }

  /** What ran before says nothing about the place of what comes now. */
  private forgetPlace(): void {
    this.lastSite = -1;
    this.runtime.hostCall = -1;
  }

  /** Nothing of the program has run in this turn: the host goes on with what it was asked for. */
  private isQuiet(): boolean {
    const { cur, hostCall } = this.runtime;
    return this.turn >= 0 && cur === null && hostCall < 0 && !this.ran && this.lastSite < 0;
  }

  /** Site of a request: the call on the stack, what ran last in its turn, or that of the request whose turn it is. */
  private placeOf(request: HostRequest): number {
    if (isSetAsOurs()) return -1;
    // What ran last here did not ask for what a child asks for.
    if (request.kind === 'external' && request.isOthers) return this.site(request.site);
    if (request.kind === 'timer' && request.isOlder) return this.site(request.site);
    if (this.isQuiet()) return this.requestSites[this.turn] as number;
    const place = this.callSites.current();
    const call = this.runtime.siteInfo(this.runtime.hostCall);
    if (place === null) {
      // Issued from a tick after the program's own code: what ran last in this turn asked for it.
      if (call !== undefined) return this.site(this.runtime.hostCall);
      if (this.lastSite >= 0) return this.lastSite;
      return this.turn >= 0 ? (this.requestSites[this.turn] as number) : this.site(request.site);
    }
    // The stack knows lines, the last call of the host its own place.
    const own = place.told ? call : (call?.made ?? call);
    const { file, line } = place.told ?? place;
    if (own?.file === file && own.line === line) return this.site(this.runtime.hostCall);
    const key = `${file}:${line}`;
    let known = this.places.get(key);
    if (!known) {
      const fn = request.frame?.name ?? '';
      const id = this.siteList.push({ file, line, column: 1, text: '', fn }) - 1;
      known = { id, place, fn };
      this.places.set(key, known);
    }
    return known.id;
  }

  private activation(frame: Frame | null): number {
    if (frame === null) return 0;
    let id = this.activationOf.get(frame);
    if (id === undefined) {
      // Parents first, so that a parent's id is always smaller than its children's.
      if (frame.parent !== null) this.activation(frame.parent);
      id = this.frames.push(frame) - 1;
      this.activationOf.set(frame, id);
    }
    return id;
  }

  private entity(target: object | number, key: PropertyKey | null): number {
    const table = typeof target === 'number' ? this.scopeTable(target) : this.memberTable(target);
    let id = table.get(key);
    if (id === undefined) {
      const name = this.runtime.entityName(target, key);
      id =
        this.entities.push({ id: this.entities.length, name, kind: this.runtime.entityKind(target, key) }) -
        1;
      table.set(key, id);
    }
    return id;
  }

  private memberTable(target: object): Map<PropertyKey | null, number> {
    let table = this.members.get(target);
    if (!table) this.members.set(target, (table = new Map()));
    return table;
  }

  private scopeTable(scope: number): Map<PropertyKey | null, number> {
    let table = this.scopes.get(scope);
    if (!table) this.scopes.set(scope, (table = new Map()));
    return table;
  }

  private resource(name: string): number {
    let id = this.resources.get(name);
    if (id === undefined) {
      id = this.entities.push({ id: this.entities.length, name, kind: 'resource' }) - 1;
      this.resources.set(name, id);
    }
    return id;
  }

  private lockId(lock: object, name: string): number {
    let id = this.lockIds.get(lock);
    if (id === undefined) {
      id = this.locks.push({ id: this.locks.length, name }) - 1;
      this.lockIds.set(lock, id);
    }
    return id;
  }

  private site(site: number): number {
    if (site < 0) return -1;
    let id = this.sites.get(site);
    if (id === undefined) {
      const info = this.runtime.siteInfo(site);
      if (!info) return -1;
      const { file, line, column, text, fn, made } = info;
      if (made) this.made.add(made.file);
      id = this.siteList.push({ file, line, column, text, fn }) - 1;
      this.sites.set(site, id);
    }
    return id;
  }

  /** Keeps of a request what the trace says of it. */
  private close(id: number): void {
    const request = this.requests[id];
    if (!request) return;
    this.requestRows[id] = this.requestRow(request, id);
    this.requests[id] = null;
  }

  private requestRow(request: HostRequest, id: number): Request {
    const { kind, api, what, name, ref } = request;
    const delay = kind === 'timer' ? request.delay : 0;
    const activation = this.activation(request.frame ?? this.root);
    const site = this.requestSites[id] as number;
    const behind = (request.behind && this.requestIds.get(request.behind)) ?? -1;
    const takenBack = this.takenBack.get(id) ?? -1;
    const since = kind === 'external' ? (request.since ?? -1) : -1;
    return { id, kind, api, what, name, activation, site, delay, ref, behind, takenBack, since };
  }

  private activationRow(frame: Frame, id: number): Activation {
    const { kind, joined, path, name, atomic } = frame;
    const parent = frame.parent === null ? -1 : this.activation(frame.parent);
    const cause = path.endsWith('!') ? (this.requestNames.get(path.slice(0, -1)) ?? -1) : -1;
    return { id, kind, parent, joined, cause, path, name, site: this.site(frame.site), atomic };
  }
}
