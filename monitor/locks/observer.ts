/** Where lock adapters report to; null while nothing is being recorded. */
export interface LockObserver {
  /** `lock` is asked for; `promise`, if any, settles when it is granted. Returns a ticket for `enter`. */
  wait(lock: object, name: string, promise: unknown): number;
  /** The function entered next runs because the lock of this ticket was granted. */
  enter(ticket: number): void;
  /** The lock is given back. */
  release(lock: object, name: string): void;
}

export let lockObserver: LockObserver | null = null;

export function setLockObserver(observer: LockObserver | null): void {
  lockObserver = observer;
}
