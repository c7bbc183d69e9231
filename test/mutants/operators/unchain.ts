/** Deletes one use of a queue made of promises: `tail = tail.then(fn)` becomes `tail = fn()`. */
import type { Operator } from './operator.ts';

export const unchain: Operator = (source) => ({
  AssignmentExpression({ node }) {
    const { left, right, loc } = node;
    if (right.type !== 'CallExpression' || right.callee.type !== 'MemberExpression') return;
    const { object, property } = right.callee;
    const [fn] = right.arguments;
    if (property.type !== 'Identifier' || property.name !== 'then' || !fn || !source.ran(node.start!)) return;
    const textOf = (part: { start?: number | null; end?: number | null }) =>
      source.text.slice(part.start!, part.end!);
    if (textOf(object) !== textOf(left)) return;
    source.mutant('unchain', loc!.start.line, [
      { start: right.start!, end: right.end!, by: `(${textOf(fn)})()` },
    ]);
  },
});
