/** A run that was judged has said all it will say: what its program left open must not keep the process alive. */
import { native } from '../gate/native.ts';

/** For the hooks and the report of the user's runner, real ms. */
const GRACE_MS = 250;
/** For the hooks behind a test that has passed, which put away what it has made, real ms. */
const PASSED_GRACE_MS = 500;

const { exit } = process;

/** Ends this process at once: nobody waits for what its runner would say. */
export function endNow(): void {
  exit.call(process, 0);
}

/** Ends this process, by itself or after a short while. */
export function endSoon(): void {
  native.setTimeout(() => exit.call(process, 1), GRACE_MS).unref();
}

/** The same behind a test that has passed: others of its file, which do not run, may be those that close what it opens. */
export function endPassed(): void {
  native.setTimeout(() => exit.call(process, 0), PASSED_GRACE_MS).unref();
}
