/** Where literals and collections are made: it names the entities in them. */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { Rule } from './rule.ts';

/** Longer lists are data, not state. */
const LONGEST_LIST = 32;
const COLLECTIONS =
  /^(Map|Set|WeakMap|WeakSet|Array|Date|Object|DataView|(Shared)?ArrayBuffer|(Big)?(Int|Uint|Float)\d+(Clamped)?Array)$/;

export const births: Rule = {
  name: 'births',
  visitor: (ctx) => {
    const literal = (path: NodePath<t.ObjectExpression> | NodePath<t.ArrayExpression>) => {
      if (isTransient(path)) return;
      const list = path.findParent((p) => p.isArrayExpression());
      if (list !== null && (list.node as t.ArrayExpression).elements.length > LONGEST_LIST) return;
      ctx.wrap(path, `__cov.born(${ctx.site(path)},`, ')');
    };
    return {
      NewExpression(path: NodePath<t.NewExpression>) {
        const { callee } = path.node;
        if (callee.type !== 'Identifier' || !COLLECTIONS.test(callee.name)) return;
        if (path.scope.getBinding(callee.name)) return;
        ctx.wrap(path, `__cov.born(${ctx.site(path)},`, ')');
      },
      ObjectExpression: literal,
      ArrayExpression: literal,
    };
  },
};

/** A list that is taken apart on the spot: `for (const x of [a, b])`, `[a, b] = [b, a]`, `[1, 2].map(…)`. */
function isTransient(path: NodePath): boolean {
  const { parent, key } = path;
  switch (parent.type) {
    case 'ForOfStatement':
      return key === 'right';
    case 'SpreadElement':
      return true;
    case 'MemberExpression':
      return key === 'object';
    case 'VariableDeclarator':
      return parent.id.type !== 'Identifier';
    case 'AssignmentExpression':
      // The value of the assignment is the list itself.
      return parent.left.type.endsWith('Pattern') && path.parentPath!.parentPath!.isExpressionStatement();
    default:
      return false;
  }
}
