/** A controller that controls nothing: clocks, timers and all that is not a file operation are Node's own. */

import type { Frame } from '../runtime/types.ts';
import type { Context } from './context.ts';
import type { BegunBy, FrameAccess, HostController } from './controller.ts';
import type { HostRequest } from './request.ts';

/** Nobody asks who does something in a plain run. */
const NOBODY = {} as Frame;
const FRAMES: FrameAccess = { cur: () => null, runAs: (_, fn) => fn(), deliveryFrame: () => NOBODY };
const nothing = (): void => {};

export abstract class PassThroughController implements HostController {
  readonly frames = FRAMES;
  readonly turn = null;
  readonly root = {};
  readonly rules = {
    ...{ instant: true, fifo: true, traceless: true, copies: true },
    ...{ clocks: false, forgets: false },
  };
  readonly follows = false;
  readonly asksAlone = false;
  readonly assumesIo = false;
  readonly holdsCloses = false;
  readonly base: Context = (fn) => fn();

  abstract active(): boolean;
  abstract issue(request: HostRequest): void;
  abstract drain(): void;

  get usesPool(): boolean {
    return true;
  }
  get running(): boolean {
    return false;
  }
  get takesOver(): boolean {
    return false;
  }
  begunBy(): BegunBy {
    return 'us';
  }
  cancel(_request: HostRequest): void {}
  setRef(): void {}
  touching(_api: string, _what: () => string): void {}
  touched(_request: HostRequest): void {}
  doubt(): void {}
  otherClock(): void {}
  begin(): () => void {
    return nothing;
  }
  expect(): () => void {
    return nothing;
  }
  stands(): void {}
  doubts(): boolean {
    return false;
  }
  clock(): number {
    return 0;
  }
  waited(): void {}
  epoch(): number {
    return 0;
  }
  monotonic(): number {
    return 0;
  }
  events(): number {
    return 0;
  }
  place(): number {
    return 0;
  }
  amidHeads(): number {
    return -1;
  }

  moment(): number {
    return 0;
  }
  timeOf(): number {
    return 0;
  }
  virtualTime(real: number): { readonly time: number; readonly doubtful: boolean } {
    return { time: real, doubtful: false };
  }
}
