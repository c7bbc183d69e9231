/** Of how many frames stacks are from here on; left as it is where `Error` is frozen. */
export const setStackDepth = (frames: number): boolean => Reflect.set(Error, 'stackTraceLimit', frames);
