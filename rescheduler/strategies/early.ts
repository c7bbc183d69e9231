/** Names of effects that fall within a turn: see {@link ReadyStep.name}. */

/** The step as it would be between turns. */
export const plain = (name: string): string => name.replace(/^\d:/, 'E:');

/** Without the calls of an enumeration that nothing came before. */
export const withoutNone = (steps: readonly string[]): string[] =>
  steps.filter((name) => !/^\d:$/.test(name));
