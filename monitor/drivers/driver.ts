/** The seam for drivers: modules that bring a program to state which it shares by a way of their own. */
import type { HostDoubts, HostLiveness, HostRequests } from '../host/controller.ts';
import type { StatementOrder } from './statement.ts';

/** What a driver asks and tells; what a call has touched goes to `touch` (`../host/touch.ts`). */
export type DriverHost = HostRequests & HostLiveness & HostDoubts;

export interface DriverAdapter {
  /** The name by which programs load it; that of a package is in {@link DRIVER_PACKAGES} as well. */
  readonly module: string;
  /** Called with the exports of each copy that the program loads, as `require` gives them. Methods are wrapped in place; `order`: where other processes may be at the same state. */
  adopt(exports: object, host: DriverHost, order?: StatementOrder | null): void;
}
