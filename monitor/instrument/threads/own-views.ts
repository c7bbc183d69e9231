/**
 * `new Float64Array(n)` in programs of threads: what is no shared memory is marked as such where it is made. Marked at its
 * first access it would cost more at every one: the engine could not take the hook out of the loop around it.
 */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { Rule } from '../rules/rule.ts';

const TYPED_ARRAY = /^(?:(?:Big)?(?:Int|Uint)(?:8|16|32|64)|Float(?:16|32|64)|Uint8Clamped)Array$/;

export const ownViews: Rule = {
  name: 'own views',
  visitor: (ctx) => ({
    NewExpression: (path: NodePath<t.NewExpression>) => {
      const { callee } = path.node;
      if (callee.type !== 'Identifier' || !TYPED_ARRAY.test(callee.name)) return;
      if (path.scope.getBinding(callee.name) === undefined) ctx.wrap(path, '__cov.own(', ')');
    },
  }),
};
