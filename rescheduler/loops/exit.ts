/** The end of a thread, after everything that the program itself does at its exit. */
export function watchExit(ended: (code: number) => void): void {
  const emit = process.emit;
  process.emit = function (this: NodeJS.Process, event: string, ...args: unknown[]) {
    try {
      return Reflect.apply(emit, this, [event, ...args]);
    } finally {
      if (event === 'exit') ended(Number(process.exitCode ?? args[0] ?? 0));
    }
  } as typeof process.emit;
}
