/**
 * What a call does, by its name: nothing else is known of it before it is made at the same time as others. A wrong guess costs a
 * scenario, or a look that changes something, and never a false report: serial orders get the same.
 */
const word = (...words: readonly string[]): RegExp => new RegExp(`^_?(?:${words.join('|')})(?![a-z])`);

const READS = word(
  ...'get has is find list read keys values entries size length count exists exist peek all stat info path'.split(
    ' ',
  ),
  ...'some every search total sum show view inspect dump first last at contains includes to as map iterate'.split(
    ' ',
  ),
);
/** `getOrSet`, `findOneAndUpdate` */
const AND_MORE = /(?:Or|And)[A-Z]/;
/** What comes before all else on an object, and is not promised beside it. */
const OPENS = word(
  ...'init initialize initialise open connect start setup listen ready launch boot'.split(' '),
);
/** And behind all else; with the name of something it is about that: `destroy("session")`. */
const CLOSES = word(
  ...'close end destroy stop quit disconnect dispose shutdown terminate teardown kill unload drop'.split(' '),
);

/** `get` of `store.cache.get` */
const nameOf = (operation: string): string => /[\w$]+$/.exec(operation)?.[0] ?? '';

export const isReading = (operation: string): boolean =>
  READS.test(nameOf(operation)) && !AND_MORE.test(nameOf(operation));

export const opens = (operation: string): boolean => OPENS.test(nameOf(operation));

/** `key`: what its first argument says; null: it has none. */
export const closes = (operation: string, key: unknown): boolean =>
  CLOSES.test(nameOf(operation)) && typeof key !== 'string' && typeof key !== 'number';
