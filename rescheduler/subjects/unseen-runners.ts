/** Runners whose tests are not seen: where nothing else was, that is said by their name. */

const NAMES: Readonly<Record<string, string>> = {
  '@hapi/lab': 'lab',
  ava: 'AVA',
  jasmine: 'Jasmine',
  lab: 'lab',
  qunit: 'QUnit',
  tap: 'tap',
  tape: 'tape',
  uvu: 'uvu',
};

/** Name of the package that a script belongs to, or of the link to its command. */
const PACKAGE = /.*\/node_modules\/(?:\.bin\/)?((?:@[^/]+\/)?[^/]+)/;

/** What to say of the first one among these scripts. */
export function unseenRunner(scripts: readonly string[]): string | null {
  const found = scripts.flatMap((script) => NAMES[PACKAGE.exec(script)?.[1] ?? ''] ?? [])[0];
  if (found === undefined) return null;
  const instead = found === 'tape' ? ': give its files as scripts, as in "node test.js"' : '';
  return `it ran ${found}, whose tests are not seen${instead}`;
}
