// The program may put others in its place.
const { wait } = Atomics;
const nobody = new Int32Array(new SharedArrayBuffer(4));

/** The thread does nothing for so many ms. */
export const standStill = (ms: number): void => void wait(nobody, 0, 0, ms);
