/**
 * Watches a forced run for one cut point: did the three accesses happen in the wanted order? Cheaper than
 * recording, so that warm runs stay fast: only the accesses at the three program points are looked at.
 */
import type { AccessPoint, CutPoint } from '../../data/prediction.ts';
import type { HostRequest } from '../host/request.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Frame } from '../runtime/types.ts';

type MatchStage = 0 | 1 | 2;
type PatternRole = 0 | 1 | 2;
const ROLES: readonly PatternRole[] = [0, 1, 2];

export class PatternWatcher {
  private readonly runtime: Runtime;
  private readonly points: readonly [AccessPoint, AccessPoint, AccessPoint];
  private readonly entity: string;
  private readonly interesting = new Map<number, boolean>();
  /** For each (object, key) seen at `first`: how far its pattern has come. */
  private readonly stages = new Map<object | number | string, MatchStage>();
  /** True once first < remote < second was seen on one entity. */
  seen = false;

  constructor(runtime: Runtime, cutPoint: CutPoint) {
    this.runtime = runtime;
    this.points = [cutPoint.first, cutPoint.remote, cutPoint.second];
    this.entity = cutPoint.entity;
  }

  start(): void {
    this.runtime.sink = {
      access: (frame, site, write, target) => this.access(frame, site, write, target),
      lock: () => {},
    };
  }

  finish(): void {
    this.runtime.sink = null;
  }

  readonly observer = {
    effect: (request: HostRequest): void => {
      const roles = ROLES.filter((role) => this.points[role].request === request.name);
      if (roles.length === 0) return;
      for (const { entity, write } of request.accesses())
        if (entity === this.entity)
          this.advance(
            entity,
            (role) => roles.includes(role) && (this.points[role].access === 'write') === write,
          );
    },
    /** A synchronous operation is an access of the code that runs; the entity tells which. */
    touched: (request: HostRequest): void => {
      for (const { entity, write } of request.accesses())
        if (entity === this.entity)
          this.advance(entity, (role) => {
            const { request: effect, access, path } = this.points[role];
            return (
              effect === null && (access === 'write') === write && path === (request.frame?.path ?? 'root')
            );
          });
    },
  };

  private access(frame: Frame | null, site: number, write: boolean, target: object | number): void {
    if (this.seen || !this.interests(site)) return;
    this.advance(target, (role) => this.is(role, frame, site, write));
  }

  /** One access to `target`: the furthest role that it can play is the one it plays. */
  private advance(target: object | number | string, plays: (role: PatternRole) => boolean): void {
    const stage = this.stages.get(target) ?? 0;
    if (stage === 2 && plays(2)) this.seen = true;
    else if (stage >= 1 && plays(1)) this.stages.set(target, 2);
    else if (stage === 0 && plays(0)) this.stages.set(target, 1);
  }

  private is(role: PatternRole, frame: Frame | null, site: number, write: boolean): boolean {
    const point = this.points[role];
    return (
      point.request === null &&
      point.at === this.placeOf(site) &&
      (point.access === 'write') === write &&
      point.path === (frame?.path ?? 'root')
    );
  }

  private interests(site: number): boolean {
    let known = this.interesting.get(site);
    if (known === undefined) {
      const place = this.placeOf(site);
      known = this.points.some((p) => p.at === place);
      this.interesting.set(site, known);
    }
    return known;
  }

  private placeOf(site: number): string {
    const info = this.runtime.siteInfo(site);
    return info ? `${info.file}:${info.line}:${info.column}` : '';
  }
}
