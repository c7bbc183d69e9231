/** `Atomics` as it is: loaded before that of the program is wrapped, for what is no step of it. */
export const { add } = Atomics;
