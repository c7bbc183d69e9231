/** Identity of objects: a number per object, without own keys, also on frozen objects. */

let lastId = 0;

/** Returns the object it is given, so that a subclass puts its private fields on that object. */
function returned(o: object): object {
  return o;
}
const Base = returned as unknown as new (o: object) => object;

class Stamp extends Base {
  #id: number;
  constructor(o: object) {
    super(o);
    this.#id = ++lastId;
  }
  static id(o: object): number {
    return #id in o ? (o as Stamp).#id : 0;
  }
}

/** For objects that refuse a private field (module namespaces, engines that guard frozen ones). */
const refused = new WeakMap<object, number>();

function stamp(o: object): number {
  try {
    new Stamp(o);
    return Stamp.id(o);
  } catch {
    refused.set(o, ++lastId);
    return lastId;
  }
}

/** The number of `o`, given on first sight; numbers are never used twice in a process. */
export function idOf(o: object): number {
  return Stamp.id(o) || (refused.get(o) ?? stamp(o));
}

/** Not in the stamp: some objects of a shape would get a stamp at birth, others not, and two shapes are slow. */
const births = new WeakMap<object, number>();

/** Remembers that `o` was allocated at `site`; the first word counts. */
export function bornAt(o: object, site: number): void {
  if (!births.has(o)) births.set(o, site);
}

/** The site where `o` was allocated, -1 where unknown. */
export function birthplace(o: object): number {
  return births.get(o) ?? -1;
}
