/** The tables of a trace besides its events: one descriptor each, how a row is written and read. */
import { z } from 'zod';
import type { Activation, Condition, Entity, Lock, Request, TraceJob } from '../trace.ts';
import { type Cell, corrupt, int, json, nullable, oneOf, real, text } from './cells.ts';
import type { SiteMap } from './sites.ts';

/** How items of one kind are rows of one table; `columns` come after `trace, idx`. */
export interface Table<T> {
  readonly name: string;
  readonly columns: readonly string[];
  write(item: T, sites: SiteMap): Cell[];
  read(cells: readonly Cell[], id: number, sites: SiteMap): T;
}

const flag = (value: boolean): number => (value ? 1 : 0);
const isSet = (cell: Cell | undefined): boolean => cell === 1;
const indices = z.array(z.int());

export const ACTIVATIONS: Table<Activation> = {
  name: 'activations',
  columns: ['kind', 'parent', 'joined', 'cause', 'path', 'name', 'site', 'atomic'],
  write: (a, sites) => [
    a.kind,
    a.parent,
    flag(a.joined),
    a.cause,
    a.path,
    a.name,
    sites.toId(a.site),
    a.atomic === null ? null : flag(a.atomic),
  ],
  read: ([kind, parent, joined, cause, path, name, site, atomic], id, sites) => ({
    id,
    kind: oneOf(['root', 'task', 'async', 'sync', 'callback'], kind, 'activations.kind'),
    parent: int(parent, 'activations.parent'),
    joined: isSet(joined),
    cause: int(cause, 'activations.cause'),
    path: text(path, 'activations.path'),
    name: text(name, 'activations.name'),
    site: sites.toIndex(site),
    atomic: nullable(isSet, atomic, 'activations.atomic'),
  }),
};

export const REQUESTS: Table<Request> = {
  name: 'requests',
  columns: [
    'kind',
    'api',
    'what',
    'name',
    'activation',
    'site',
    'delay',
    'ref',
    'behind',
    'taken_back',
    'since',
  ],
  write: (r, sites) => [
    r.kind,
    r.api,
    r.what,
    r.name,
    r.activation,
    sites.toId(r.site),
    r.delay,
    flag(r.ref),
    r.behind,
    r.takenBack,
    r.since,
  ],
  read: ([kind, api, what, name, activation, site, delay, ref, behind, takenBack, since], id, sites) => ({
    id,
    kind: oneOf(['pool', 'timer', 'immediate', 'external', 'close'], kind, 'requests.kind'),
    api: text(api, 'requests.api'),
    what: text(what, 'requests.what'),
    name: text(name, 'requests.name'),
    activation: int(activation, 'requests.activation'),
    site: sites.toIndex(site),
    delay: real(delay, 'requests.delay'),
    ref: isSet(ref),
    behind: int(behind, 'requests.behind'),
    takenBack: int(takenBack, 'requests.taken_back'),
    since: int(since, 'requests.since'),
  }),
};

export const ENTITIES: Table<Entity> = {
  name: 'entities',
  columns: ['name', 'kind'],
  write: (e) => [e.name, e.kind],
  read: ([name, kind], id) => ({
    id,
    name: text(name, 'entities.name'),
    kind: oneOf(['property', 'variable', 'element', 'resource', 'opaque'], kind, 'entities.kind'),
  }),
};

export const LOCKS: Table<Lock> = {
  name: 'locks',
  columns: ['name'],
  write: (l) => [l.name],
  read: ([name], id) => ({ id, name: text(name, 'locks.name') }),
};

export const JOBS: Table<TraceJob> = {
  name: 'jobs',
  columns: ['activation', 'condition'],
  write: (j) => [j.activation, j.condition],
  read: ([activation, condition], id) => ({
    id,
    activation: int(activation, 'jobs.activation'),
    condition: int(condition, 'jobs.condition'),
  }),
};

export const CONDITIONS: Table<Condition> = {
  name: 'conditions',
  columns: ['kind', 'request', 'job', 'lock', 'members'],
  write(c) {
    switch (c.kind) {
      case 'delivery':
        return [c.kind, c.request, null, null, null];
      case 'job':
        return [c.kind, null, c.job, null, null];
      case 'lock':
        return [c.kind, null, null, c.lock, null];
      case 'all':
      case 'any':
        return [c.kind, null, null, null, JSON.stringify(c.of)];
      default:
        return [c.kind, null, null, null, null];
    }
  },
  read([kind, request, job, lock, members]) {
    switch (kind) {
      case 'start':
      case 'unknown':
        return { kind };
      case 'delivery':
        return { kind, request: int(request, 'conditions.request') };
      case 'job':
        return { kind, job: int(job, 'conditions.job') };
      case 'lock':
        return {
          kind,
          lock: int(lock, 'conditions.lock'),
        };
      case 'all':
      case 'any':
        return { kind, of: json(indices, members, 'conditions.members') };
      default:
        throw corrupt(`conditions.kind ${String(kind)} is unknown`);
    }
  },
};
