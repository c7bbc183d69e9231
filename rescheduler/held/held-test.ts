/** What every test that is held is, whatever it is held at. */
import type { OverlapLog } from '../../data/overlap.ts';

/** A test that is carried out up to there: state as fresh as the test makes it. Its verdict is not wanted. */
export interface HeldTest {
  /** @throws NotHeld: it ends before that, or does something else. */
  carryOut(body: () => unknown): Promise<HeldOperations>;
  /** Lets the test come to its end without what it waits for; false: it does not end soon. */
  release(): Promise<boolean>;
}

/** The state of such a scenario. */
export interface HeldOperations {
  /** Carries out one of the operations that overlap; gives what of its result counts. */
  call(at: number): Promise<unknown>;
  /** What is seen behind them. */
  look(): Promise<unknown>;
}

/** What a test does while somebody listens. */
export interface OperationLog {
  begin(): void;
  end(): void;
  readonly log: OverlapLog;
}
