/** What a body threw, as data that any thread can be told. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly code: string;
}

export function thrownBy(error: unknown): Thrown {
  const read = (key: keyof Thrown): string => {
    try {
      const value = (error as Partial<Record<keyof Thrown, unknown>> | null)?.[key];
      return typeof value === 'string' ? value : '';
    } catch {
      return '';
    }
  };
  const isObject = typeof error === 'object' && error !== null;
  return {
    name: read('name') || (isObject ? 'Error' : typeof error),
    message: read('message') || (isObject ? '' : String(error)),
    stack: read('stack'),
    code: read('code'),
  };
}
