/** Puts a function in the place of a method, which it looks like from outside: name, length, and how it is defined. */
export function replaceMethod(target: object, key: PropertyKey, value: Function): void {
  const before = Object.getOwnPropertyDescriptor(target, key) as PropertyDescriptor;
  for (const own of ['name', 'length'])
    Object.defineProperty(
      value,
      own,
      Object.getOwnPropertyDescriptor(before.value, own) as PropertyDescriptor,
    );
  Object.defineProperty(target, key, { ...before, value });
}
