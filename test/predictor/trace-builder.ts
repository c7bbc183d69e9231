/** Writes traces by hand, in observed order, for tests of the predictor. */
import {
  type Activation,
  type Condition,
  EventKind,
  type Request,
  type Site,
  type Trace,
  type TraceJob,
} from '../../data/trace.ts';

export class TraceBuilder {
  private readonly rows: [number, number, number, number][] = [];
  private readonly activations: Activation[] = [];
  private readonly requests: Request[] = [];
  private readonly entities: string[] = [];
  private readonly lockNames: string[] = [];
  private readonly sites: Site[] = [];
  private readonly conditions: Condition[] = [{ kind: 'unknown' }, { kind: 'start' }];
  private readonly jobs: TraceJob[] = [];
  private readonly steps: string[] = [];
  private job = -1;
  /** Where accesses are placed from now on. */
  file = 'a.ts';

  constructor() {
    this.activation('root', 'root', -1);
  }

  activation(name: string, kind: Activation['kind'] = 'task', parent = 0): number {
    const id = this.activations.length;
    const above = this.activations[parent]?.path;
    this.activations.push({
      id,
      kind,
      parent,
      joined: false,
      cause: -1,
      path: above === undefined || parent < 0 ? name : `${above}.${name}`,
      name,
      site: -1,
      atomic: null,
    });
    return id;
  }

  condition(condition: Condition): number {
    return this.conditions.push(condition) - 1;
  }

  /** A job begins. Default condition: the last delivery, or the start. */
  begin(activation: number, condition?: number): number {
    const id = this.jobs.length;
    this.jobs.push({ id, activation, condition: condition ?? 1 });
    this.rows.push([EventKind.Job, activation, -1, id]);
    this.job = activation;
    return id;
  }

  read(entity: string, place = `${this.job}r`): number {
    return this.access(EventKind.Read, entity, place);
  }

  write(entity: string, place = `${this.job}w`): number {
    return this.access(EventKind.Write, entity, place);
  }

  acquire(lock: string): void {
    this.rows.push([EventKind.Acquire, this.job, -1, this.intern(this.lockNames, lock)]);
  }

  release(lock: string): void {
    this.rows.push([EventKind.Release, this.job, -1, this.intern(this.lockNames, lock)]);
  }

  /** The current job asks for a lock; returns the condition that its grant meets. */
  wait(lock: string): number {
    const condition = this.condition({ kind: 'lock', lock: this.intern(this.lockNames, lock) });
    this.rows.push([EventKind.Wait, this.job, -1, condition]);
    return condition;
  }

  issue(kind: Request['kind'], name: string, delay = 0, behind = -1, api: string = kind): number {
    const id = this.requests.length;
    this.requests.push({
      id,
      kind,
      api,
      what: name,
      name,
      activation: this.job,
      site: -1,
      delay,
      ref: true,
      behind,
      takenBack: -1,
      since: -1,
    });
    this.rows.push([EventKind.Issue, this.job, -1, id]);
    return id;
  }

  /** What another process brings, right behind what the current job does, to another activation. */
  arrive(activation: number, name: string, behind: number, api = 'external'): number {
    const saved = this.job;
    this.job = activation;
    const id = this.issue('external', name, 0, behind, api);
    this.job = saved;
    this.requests[id] = { ...this.requests[id]!, since: this.rows.length - 1 };
    return id;
  }

  takeBack(request: number): void {
    this.requests[request] = { ...this.requests[request]!, takenBack: this.rows.length };
  }

  effect(request: number, ...accesses: readonly (readonly ['R' | 'W', string])[]): number {
    const row = this.requests[request] as Request;
    this.rows.push([EventKind.Effect, row.activation, -1, request]);
    this.steps.push(`E:${row.name}`);
    const at = this.rows.length;
    const saved = this.job;
    this.job = row.activation;
    for (const [kind, entity] of accesses)
      this.access(kind === 'R' ? EventKind.Read : EventKind.Write, entity, `${row.name}`);
    this.job = saved;
    return at;
  }

  /** The request is delivered; returns the condition of what it frees. */
  deliver(request: number): number {
    const row = this.requests[request] as Request;
    this.steps.push(`D:${row.name}`);
    this.rows.push([EventKind.Turn, row.activation, -1, request]);
    return this.condition({ kind: 'delivery', request });
  }

  build(): Trace {
    const column = <T extends Uint8Array | Int32Array>(target: T, at: number): T => {
      this.rows.forEach((row, i) => {
        target[i] = row[at] as number;
      });
      return target;
    };
    const length = this.rows.length;
    return {
      events: {
        length,
        kind: column(new Uint8Array(length), 0),
        activation: column(new Int32Array(length), 1),
        site: column(new Int32Array(length), 2),
        object: column(new Int32Array(length), 3),
      },
      sites: this.sites,
      activations: this.activations,
      requests: this.requests,
      entities: this.entities.map((name, id) => ({
        ...{ id, name },
        kind: name.startsWith('fs:') ? 'resource' : 'property',
      })),
      locks: this.lockNames.map((name, id) => ({ id, name })),
      conditions: this.conditions,
      jobs: this.jobs,
      steps: this.steps,
      saturated: [],
      ungated: {},
    };
  }

  private access(kind: number, entity: string, place: string): number {
    let site = this.sites.findIndex((s) => s.text === place && s.file === this.file);
    if (site < 0)
      site =
        this.sites.push({ file: this.file, line: this.sites.length + 1, column: 1, text: place, fn: 'f' }) -
        1;
    return this.rows.push([kind, this.job, site, this.intern(this.entities, entity)]) - 1;
  }

  private intern(list: string[], name: string): number {
    const at = list.indexOf(name);
    return at >= 0 ? at : list.push(name) - 1;
  }
}
