import type { Subject } from './protocol.ts';

/** A subject with something in the place of its own. */
export function overriding(subject: Subject, own: Partial<Subject>): Subject {
  return new Proxy(subject, {
    get(_, name) {
      if (name in own) return own[name as keyof typeof own];
      const value: unknown = Reflect.get(subject, name, subject);
      return typeof value === 'function' ? value.bind(subject) : value;
    },
  });
}
