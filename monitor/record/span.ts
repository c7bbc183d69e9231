/**
 * Follows the spans of a bug in a forced run: from the first access of its transaction to the second. Spans
 * are code, not moments: whichever task comes to the same places is inside one.
 */
import type { AccessPoint, CutPoint } from '../../data/prediction.ts';
import type { HostRequest } from '../host/request.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Frame } from '../runtime/types.ts';

/** Whether an access is that of a point, which is about an entity. */
type Is = (point: AccessPoint, entity: string) => boolean;

export class SpanWatcher {
  private readonly runtime: Runtime;
  private readonly cutPoints: readonly CutPoint[];
  /**
   * Tasks inside of spans, and which spans those are, for they may overlap. Several of them began theirs in one turn, in which
   * nothing could be kept back: they go on one behind the other, and what the later ones have looked at is old. Where that fails it says
   * nothing.
   */
  private readonly inside = new Map<Frame, Set<CutPoint>>();
  /** Others have taken steps while it was open. */
  private lent = false;
  private entered = false;
  private broken = false;

  constructor(runtime: Runtime, cutPoints: readonly CutPoint[]) {
    this.runtime = runtime;
    this.cutPoints = cutPoints;
  }

  /** Spans were met, and none was given up. */
  get whole(): boolean {
    return this.entered && !this.broken;
  }

  /** Whether a task is inside a span now. */
  get open(): boolean {
    this.runtime.flush();
    return this.inside.size > 0;
  }

  /** The task whose turn it is. */
  private get task(): Frame | null {
    return this.inside.keys().next().value ?? null;
  }

  /** Whether a request belongs to the task that is inside the span. */
  owns({ frame }: HostRequest): boolean {
    return this.task !== null && isWithin(frame, this.task);
  }

  /** Whether a request belongs to the operation around the span: code that is not instrumented may have made it. */
  surrounds({ name }: HostRequest): boolean {
    let at = this.task;
    while (at?.parent && at.parent.kind !== 'root') at = at.parent;
    return at !== null && at.kind !== 'root' && isBelow(name, at);
  }

  /** Whether the task waits for one of these requests, by their names. */
  awaits(pending: ReadonlySet<string>): boolean {
    const { task } = this;
    return task !== null && pending.values().some((name) => isBelow(name, task));
  }

  /** Lets others take steps, for a thread that they have is waited for. */
  lend(): void {
    this.lent = true;
  }

  /** Gives the span up: its task waits for another one. */
  giveUp(): void {
    this.broken = true;
    this.inside.clear();
  }

  start(): void {
    this.runtime.sink = {
      access: (frame, site, write) => this.reach(frame, (point) => this.isAt(point, site, write)),
      lock: () => {},
    };
  }

  finish(): void {
    this.runtime.sink = null;
  }

  readonly observer = {
    effect: (request: HostRequest): void => {
      for (const is of accessesAt(request))
        this.reach(request.frame, (point, of) => is(point, of) && isOfRequest(point, request));
    },
    /** A synchronous operation is an access of the code that runs. */
    touched: (request: HostRequest): void => {
      const { frame } = request;
      for (const is of accessesAt(request))
        this.reach(
          frame,
          (point, of) => is(point, of) && point.request === null && isOfFunction(point.path, frame),
        );
    },
  };

  private reach(frame: Frame | null, is: Is): void {
    if (!frame) return;
    const task = this.inside.keys().find((task) => isWithin(frame, task));
    if (!task && this.lent) {
      const open = this.inside.values().flatMap((spans) => spans.values());
      // Who holds the lock of a span keeps others out of theirs, too.
      this.broken ||= open.some((of) => is(of.remote, of.entity) || is(of.first, of.entity));
    }
    const spans = task && this.inside.get(task);
    for (const cutPoint of spans ?? [])
      if (is(cutPoint.second, cutPoint.other?.entity ?? cutPoint.entity)) spans!.delete(cutPoint);
    for (const cutPoint of this.cutPoints)
      if (is(cutPoint.first, cutPoint.entity)) this.enter(frame, task, cutPoint);
    if (task && spans!.size === 0) this.inside.delete(task);
    if (this.inside.size === 0) this.lent = false;
  }

  private enter(frame: Frame, within: Frame | undefined, cutPoint: CutPoint): void {
    const task = within ?? transactionOf(frame, cutPoint);
    const spans = this.inside.get(task);
    if (spans) spans.add(cutPoint);
    else {
      this.broken ||= this.inside.size > 0;
      this.inside.set(task, new Set([cutPoint]));
    }
    this.entered = true;
  }

  private isAt({ request, access, at }: AccessPoint, site: number, write: boolean): boolean {
    if (request !== null || (access === 'write') !== write) return false;
    const info = this.runtime.siteInfo(site);
    return info !== undefined && info !== null && at === `${info.file}:${info.line}:${info.column}`;
  }
}

/**
 * What a request accesses. One that fails has only read what it would have changed, and has come to the place of that change all the
 * same: the span ends with it, or begins.
 */
function accessesAt(request: HostRequest): Is[] {
  const accesses = request.accesses();
  const written = new Set(accesses.filter(({ write }) => write).map(({ entity }) => entity));
  return accesses.map(
    ({ entity, write }): Is =>
      (point, of) =>
        of === entity && (point.access === (write ? 'write' : 'read') || !written.has(entity)),
  );
}

/** Whether a request is that of this activation or of one that it has called, by its name. */
const isBelow = (name: string, { path }: Frame): boolean =>
  name.startsWith(path) && /^[.|>!]/.test(name.slice(path.length));

const ORDINAL = /#\d+$/;

/** Whether a path is that of an activation of the same function. */
function isOfFunction(path: string, frame: Frame | null): boolean {
  if (!frame) return false;
  const segment = frame.path.slice(frame.parent ? frame.parent.path.length : 0).replace(ORDINAL, '');
  return path.replace(ORDINAL, '').endsWith(segment);
}

/** The same request of the same function, whichever task called it. */
function isOfRequest({ request, path }: AccessPoint, { name, frame }: HostRequest): boolean {
  if (request === null || !frame || !isOfFunction(path, frame)) return false;
  return request.slice(path.length) === name.slice(frame.path.length);
}

/** The caller of `frame` that is to it what the cut point's transaction is to its first access. */
function transactionOf(frame: Frame, { first, transaction }: CutPoint): Frame {
  const below = withoutOrdinals(first.path.slice(transaction.length));
  let at: Frame | null = frame;
  while (at && withoutOrdinals(frame.path.slice(at.path.length)) !== below) at = at.parent;
  return at ?? frame;
}

/** The same calls by different tasks differ in ordinals only. */
const withoutOrdinals = (path: string): string => path.replace(/#\d+/g, '');

function isWithin(frame: Frame | null, task: Frame): boolean {
  for (let at = frame; at; at = at.parent) if (at === task) return true;
  return false;
}
