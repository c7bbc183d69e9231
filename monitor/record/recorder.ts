/**
 * Builds the {@link Trace} of one run: listens to the runtime (accesses, frames) and to the gate
 * (requests, effects, turns) and keeps them as columns and tables.
 */
import type { Activation, Entity, Job, Lock, Request, Site, Trace } from '../../data/trace.ts';
import { EventKind } from '../../data/trace.ts';
import type { HostRequest } from '../host/request.ts';
import { entityName } from '../runtime/entities.ts';
import type { Frame } from '../runtime/frames.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { siteById } from '../runtime/sites.ts';
import { EventBuffer } from './columns.ts';
import { SuspensionGraph } from './suspension.ts';

interface JobDraft {
  readonly activation: number;
  readonly condition: number;
}

export class Recorder {
  private readonly runtime: Runtime;
  private readonly events = new EventBuffer();
  private readonly graph = new SuspensionGraph();
  private readonly frames: Frame[] = [];
  private readonly activationOf = new Map<Frame, number>();
  private readonly requests: HostRequest[] = [];
  private readonly requestIds = new Map<HostRequest, number>();
  private readonly jobs: JobDraft[] = [];
  private readonly entities: Entity[] = [];
  private readonly resources = new Map<string, number>();
  private readonly members = new WeakMap<object, Map<PropertyKey | null, number>>();
  private readonly scopes = new Map<number, Map<PropertyKey | null, number>>();
  private readonly locks: Lock[] = [];
  private readonly lockIds = new WeakMap<object, number>();
  private readonly sites = new Map<number, number>();
  private readonly siteList: Site[] = [];
  private readonly awaited = new Map<Frame, unknown>();
  private job = -1;
  private root: Frame | null = null;

  constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  /** From here on everything in this process that belongs to the run is recorded. */
  start(root: Frame): void {
    this.root = root;
    this.activation(root);
    this.graph.running = () => (this.runtime.cur === null ? -1 : this.job);
    this.graph.start();
    this.runtime.sink = {
      access: (frame, site, write, target, key) =>
        this.access(frame, site, write, this.entity(target, key, site)),
      lock: (frame, lock, name, acquire) => this.lock(frame, lock, name, acquire),
    };
    this.runtime.observer = {
      begin: (frame) => this.enter(frame, undefined),
      suspend: (frame, value) => {
        this.awaited.set(frame, value);
      },
      resume: (frame) => {
        const value = this.awaited.get(frame);
        this.awaited.delete(frame);
        this.enter(frame, value);
      },
      combined: (kind, result, parts) =>
        this.graph.combine(kind === 'all' || kind === 'allSettled' ? 'all' : 'any', result, parts),
      lockWait: (promise, lock, name, frame) =>
        this.graph.lockWait(promise, this.lockId(lock, name), this.activation(frame ?? this.root)),
    };
  }

  /** What the gate reports. */
  readonly observer = {
    issued: (request: HostRequest): void => {
      const id = this.requests.push(request) - 1;
      this.requestIds.set(request, id);
      this.push(EventKind.Issue, request.frame, request.site, id);
    },
    effect: (request: HostRequest): void => {
      const id = this.requestIds.get(request);
      if (id === undefined) return;
      this.push(EventKind.Effect, request.frame, request.site, id);
      for (const { entity, write } of request.accesses())
        this.access(request.frame, request.site, write, this.resource(entity));
    },
    turn: (request: HostRequest): void => {
      const id = this.requestIds.get(request);
      if (id === undefined) return;
      this.job = -1;
      this.graph.beginTurn(id);
      this.push(EventKind.Turn, request.frame, -1, id);
    },
  };

  /** Stops recording and hands over the trace. `steps`: the steps that the gate took. */
  finish(steps: readonly string[], ungated: Readonly<Record<string, number>>): Trace {
    this.graph.finish();
    this.runtime.sink = null;
    this.runtime.observer = null;
    // Activations may still be named while requests are listed: keep this order.
    const requests = this.requests.map((request, id) => this.requestRow(request, id));
    const jobs: Job[] = this.jobs.map((job, id) => ({ id, ...job, hops: 0 }));
    return {
      events: this.events.finish(),
      activations: this.frames.map((frame, id) => this.activationRow(frame, id)),
      sites: this.siteList,
      requests,
      entities: this.entities,
      locks: this.locks,
      conditions: this.graph.conditions,
      jobs,
      steps,
      saturated: this.runtime.saturated().map((site) => this.site(site)),
      ungated,
    };
  }

  /** Instrumented code begins or resumes: a new job when nothing instrumented was on the stack. */
  private enter(frame: Frame, awaited: unknown): void {
    if (frame.saved !== null) {
      this.activation(frame);
      return;
    }
    const id = this.jobs.length;
    const condition = this.graph.beginJob(id, awaited);
    this.jobs.push({ activation: this.activation(frame), condition });
    this.job = id;
    this.push(EventKind.Job, frame, -1, id);
  }

  private access(frame: Frame | null, site: number, write: boolean, entity: number): void {
    this.push(write ? EventKind.Write : EventKind.Read, frame, site, entity);
  }

  private lock(frame: Frame | null, lock: object, name: string, acquire: boolean): void {
    this.push(acquire ? EventKind.Acquire : EventKind.Release, frame, -1, this.lockId(lock, name));
  }

  private push(kind: EventKind, frame: Frame | null, site: number, object: number): void {
    this.events.push(kind, this.activation(frame ?? this.root), this.site(site), object);
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

  private entity(target: object | number, key: PropertyKey | null, site: number): number {
    const table = typeof target === 'number' ? this.scopeTable(target) : this.memberTable(target);
    let id = table.get(key);
    if (id === undefined) {
      const kind = typeof target === 'number' ? 'variable' : 'property';
      id = this.entities.push({
        id: this.entities.length,
        name: entityName(target, key, siteById(site)),
        kind,
      });
      id -= 1;
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
      const info = siteById(site);
      if (!info) return -1;
      const { file, line, column, text, fn } = info;
      id = this.siteList.push({ file, line, column, text, fn }) - 1;
      this.sites.set(site, id);
    }
    return id;
  }

  private requestRow(request: HostRequest, id: number): Request {
    const { kind, api, what, name, delay, ref } = request;
    const activation = this.activation(request.frame ?? this.root);
    return { id, kind, api, what, name, activation, site: this.site(request.site), delay, ref };
  }

  private activationRow(frame: Frame, id: number): Activation {
    const { kind, joined, path, name, atomic } = frame;
    const parent = frame.parent === null ? -1 : this.activation(frame.parent);
    const cause = frame.cause ? (this.requestIds.get(frame.cause as HostRequest) ?? -1) : -1;
    return { id, kind, parent, joined, cause, path, name, site: this.site(frame.site), atomic };
  }
}
