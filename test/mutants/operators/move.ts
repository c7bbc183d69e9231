/** Moves one statement across an await: a statement and its neighbour, one of which awaits, change places. */
import type { NodePath } from '@babel/traverse';
import type { Operator } from './operator.ts';

/** Statements that move nothing, or take the rest of the block with them. */
const FIXED: ReadonlySet<string> = new Set([
  'ReturnStatement',
  'ThrowStatement',
  'BreakStatement',
  'ContinueStatement',
  'FunctionDeclaration',
  'ClassDeclaration',
]);

export const move: Operator = (source) => ({
  BlockStatement(path) {
    const statements = path.get('body') as NodePath[];
    for (const [i, first] of statements.slice(0, -1).entries()) {
      const second = statements[i + 1] as NodePath;
      if (FIXED.has(first.node.type) || FIXED.has(second.node.type)) continue;
      if (!source.ran(first.node.start!) || usesNamesOf(first, second)) continue;
      const [before, after] = [awaits(first), awaits(second)];
      if (!before && !after) continue;
      const [a, b] = [first.node, second.node];
      const by = (node: typeof a) => source.text.slice(node.start!, node.end!);
      source.mutant(before && after ? 'swapped' : before ? 'earlier' : 'later', a.loc!.start.line, [
        { start: a.start!, end: a.end!, by: by(b) },
        { start: b.start!, end: b.end!, by: by(a) },
      ]);
    }
  },
});

/** It suspends the function that it stands in. */
function awaits(statement: NodePath): boolean {
  let found = false;
  statement.traverse({
    Function: (inner) => inner.skip(),
    AwaitExpression: (inner) => {
      found = true;
      inner.stop();
    },
  });
  return found;
}

/** The second needs what the first declares: exchanged, they would not run at all. */
function usesNamesOf(first: NodePath, second: NodePath): boolean {
  if (first.node.type !== 'VariableDeclaration') return false;
  const names = new Set(Object.keys(first.getBindingIdentifiers()));
  let uses = false;
  second.traverse({
    Identifier: ({ node }) => {
      if (names.has(node.name)) uses = true;
    },
  });
  return uses;
}
