/** Identity of objects: a number per object, without own keys, also on frozen objects. */

let lastId = 0;

/** Returns the object it is given, so that a subclass puts its private fields on that object. */
function returned(o: object): object {
  return o;
}
const Base = returned as unknown as new (o: object) => object;

class Stamp extends Base {
  #id: number;
  #born: number;
  constructor(o: object, born: number) {
    super(o);
    this.#id = ++lastId;
    this.#born = born;
  }
  static id(o: object): number {
    return #id in o ? (o as Stamp).#id : 0;
  }
  static born(o: object): number {
    return #id in o ? (o as Stamp).#born : -1;
  }
}

/** For objects that refuse a private field (module namespaces, engines that guard frozen ones). */
const refused = new WeakMap<object, { id: number; born: number }>();

function stamp(o: object, born: number): number {
  try {
    new Stamp(o, born);
    return Stamp.id(o);
  } catch {
    refused.set(o, { id: ++lastId, born });
    return lastId;
  }
}

/** The number of `o`, given on first sight; numbers are never used twice in a process. */
export function idOf(o: object): number {
  return Stamp.id(o) || (refused.get(o)?.id ?? stamp(o, -1));
}

/** Remembers that `o` was allocated at `site`; the first word counts. */
export function bornAt(o: object, site: number): void {
  if (Stamp.id(o) === 0 && !refused.has(o)) stamp(o, site);
}

/** The site where `o` was allocated, -1 where unknown. */
export function birthplace(o: object): number {
  return Stamp.id(o) !== 0 ? Stamp.born(o) : (refused.get(o)?.born ?? -1);
}
