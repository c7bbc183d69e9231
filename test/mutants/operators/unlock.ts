/** Deletes one use of a lock: the guarded function is called, and nobody waits. */
import type { Operator } from './operator.ts';

/** Methods that run a function under mutual exclusion. */
const GUARDS: ReadonlySet<string> = new Set(['runExclusive', 'acquire', 'limit']);

export const unlock: Operator = (source) => ({
  CallExpression({ node }) {
    const { callee } = node;
    if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
    if (!GUARDS.has(callee.property.name)) return;
    const { start, end, loc } = node as { start: number; end: number; loc: { start: { line: number } } };
    if (!source.ran(start)) return;
    const guarded = node.arguments.find((argument) => argument.type === 'ArrowFunctionExpression');
    if (guarded) {
      const body = source.text.slice(guarded.start!, guarded.end!);
      source.mutant('unlock', loc.start.line, [{ start, end, by: `(${body})()` }]);
    } else if (node.arguments.length === 0 && callee.property.name === 'acquire') {
      // What is acquired by hand is a function that releases.
      source.mutant('unlock', loc.start.line, [{ start, end, by: '(() => {})' }]);
    }
  },
});
