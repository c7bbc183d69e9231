/** How the gate of a thread takes its steps among the other threads of its program. */
import type { Step } from '../../../data/feasibility/exact/loop.ts';
import type { HostRequest } from '../../../monitor/host/request.ts';
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
  private readonly arrivals: Arrivals;

  constructor(words: Int32Array, holder: ProgramHolder, waits: AsyncWaits, files: Files, arrivals: Arrivals) {
    super(words, holder, waits, files);
    this.arrivals = arrivals;
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
