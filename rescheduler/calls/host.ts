/** Whose method it is: the host's objects and those of test runners are not the code under test. */
const MODULES =
  'fs fs/promises stream stream/web stream/promises events http net timers timers/promises readline readline/promises'.split(
    ' ',
  );
const MORE_MODULES = 'worker_threads child_process zlib crypto dns util path url buffer'.split(' ');
/** Classes that no module exports. */
const UNNAMED: ReadonlySet<string> = new Set(['FileHandle', 'TestContext', 'SuiteContext', 'MockTracker']);

let known: ReadonlySet<unknown> | null = null;

/** All functions and prototypes of the host that can be had by name. */
function ofHost(): ReadonlySet<unknown> {
  if (known) return known;
  const found = new Set<unknown>();
  const add = (holder: object): void => {
    for (const key of Reflect.ownKeys(holder)) {
      const value: unknown = Reflect.getOwnPropertyDescriptor(holder, key)?.value;
      if (typeof value !== 'function') continue;
      found.add(value);
      if (typeof value.prototype === 'object' && value.prototype !== null) found.add(value.prototype);
    }
  };
  add(globalThis);
  for (const name of [...MODULES, ...MORE_MODULES]) add(process.getBuiltinModule(`node:${name}`) as object);
  known = found;
  return found;
}

export function isOfHost(receiver: unknown, method: string | null, callee: Function): boolean {
  if (ofHost().has(callee)) return true;
  if (method === null) return false;
  let owner: object | null = Object(receiver);
  while (owner !== null && !Object.hasOwn(owner, method)) owner = Reflect.getPrototypeOf(owner);
  if (owner === null) return false;
  const name: unknown = (owner as { constructor?: { name?: unknown } }).constructor?.name;
  return ofHost().has(owner) || (typeof name === 'string' && UNNAMED.has(name));
}
