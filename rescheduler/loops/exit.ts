/**
 * Calls `ended` once, at the end of this thread: behind everything that the program itself does at its exit. A listener
 * of `exit` that calls `process.exit` never returns, so what Node calls last, `process.reallyExit`, is watched as well.
 */
export function watchExit(ended: (code: number) => void): void {
  const { emit, reallyExit } = process as NodeJS.Process & { reallyExit(code?: number): never };
  let isOver = false;
  const end = (code: unknown): void => {
    if (isOver) return;
    isOver = true;
    ended(Number(code ?? 0));
  };
  process.emit = function (this: NodeJS.Process, event: string, ...args: unknown[]) {
    try {
      return Reflect.apply(emit, this, [event, ...args]);
    } finally {
      if (event === 'exit') end(process.exitCode ?? args[0]);
    }
  } as typeof process.emit;
  Object.assign(process, {
    reallyExit(this: NodeJS.Process, code?: number): never {
      end(code);
      return reallyExit.call(this, code);
    },
  });
}
