/** How the gate of a thread takes its steps among the other threads of its program. */
import type { Step } from '../../../data/feasibility/exact/loop.ts';
import { Op } from '../../../data/threads/trace.ts';
import type { HostRequest } from '../../../monitor/host/request.ts';
import { GOES_ON } from '../../../monitor/threads/call-points.ts';
import type { Alone } from '../../gate/companions.ts';
import { PoolCompanions } from '../../tokens/companions.ts';
import { isInForce, RULE } from '../../tokens/control.ts';
import type { Files } from '../../tokens/file-cells.ts';
import type { AsyncWaits } from '../../tokens/wait-async.ts';
import type { Arrivals } from './arrivals.ts';
import type { ProgramHolder } from './program-holder.ts';

export class ProgramCompanions extends PoolCompanions {
  readonly alone: Alone;
  /** The steps by name, as a schedule wants them. */
  readonly names: string[] = [];
  /** Why a failure is no proof. */
  readonly doubts: string[] = [];
  private readonly program: ProgramHolder;
  private readonly arrivals: Arrivals;
  private readonly callPoint: () => number;
  /** Of the synchronous call that is on; 0: nobody looks into who makes it. */
  private calling = 0;

  /** `callPoint`: the point of the call that is running. */
  constructor(
    words: Int32Array,
    holder: ProgramHolder,
    waits: AsyncWaits,
    files: Files,
    arrivals: Arrivals,
    callPoint: () => number,
  ) {
    super(words, holder, waits, files);
    this.program = holder;
    this.arrivals = arrivals;
    this.callPoint = callPoint;
    this.alone = {
      brings: new Set(['MessagePort', 'Worker']),
      lingers: () => arrivals.lingers() || waits.any,
    };
  }

  override step(kind: Step['kind'], request: HostRequest, at: number, name: string): boolean {
    const isTaken = super.step(kind, request, at, name);
    this.names.push(name);
    return isTaken;
  }

  /** Files are there for all threads at once: a synchronous call is preempted like an access of memory. */
  calls(): void {
    const point = this.callPoint();
    // Who gives the token away writes down what it knows, by calls of its own.
    if (point !== 0) this.program.point();
    this.calling = point;
  }

  called(request: HostRequest): void {
    const point = this.calling;
    this.calling = 0;
    if (point === 0) return;
    const { files, program } = this;
    for (const [at, { entity, write }] of request.accesses().entries()) {
      const [op, cell] = [write ? Op.Write : Op.Read, files.cellOf(entity)];
      if (at === 0) program.access(op, cell, point);
      else program.within(op, cell, point + GOES_ON);
    }
  }

  override *arrived(): Iterable<HostRequest> {
    yield* super.arrived();
    yield* this.arrivals.arrived();
  }

  doubted(what: string): void {
    if (isInForce(this.words, RULE.doubts)) this.doubts.push(what);
  }

  protected override sourceOf(request: HostRequest): number | null {
    return this.arrivals.sourceOf(request) ?? super.sourceOf(request);
  }
}
