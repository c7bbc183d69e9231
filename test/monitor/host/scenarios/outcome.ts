/** What a program can see of the end of an operation, as JSON. */

/** The value or the error of a promise, with everything that Node puts on its errors. */
export async function outcome(promise: Promise<unknown>): Promise<unknown> {
  try {
    const value = await promise;
    return ['value', Buffer.isBuffer(value) ? value.toString('hex').slice(0, 60) : value];
  } catch (thrown) {
    const error = thrown as NodeJS.ErrnoException & { dest?: string };
    const { name, code, errno, syscall, path, dest, message } = error;
    return ['error', name, code, errno, syscall, path, dest, message, Object.keys(error)];
  }
}

/** The answer given to a callback in the style of Node. */
export function called(start: (callback: (error: unknown, value?: any) => void) => void): Promise<any> {
  return new Promise((resolve, reject) => {
    start((error, value) => (error ? reject(error) : resolve(value)));
  });
}

export type Scenario = (directory: string) => Promise<unknown>;
