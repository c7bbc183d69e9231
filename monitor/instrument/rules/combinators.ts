/** `Promise.all(members)` and its kin tell what waits for what. */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { Rule } from './rule.ts';

const COMBINATORS: ReadonlySet<string> = new Set(['all', 'allSettled', 'race', 'any']);

export const combinators: Rule = {
  name: 'combinators',
  visitor: (ctx) => ({
    CallExpression(path: NodePath<t.CallExpression>) {
      const { callee, arguments: args } = path.node;
      if (callee.type !== 'MemberExpression' || callee.computed) return;
      const { object, property } = callee;
      if (object.type !== 'Identifier' || object.name !== 'Promise' || path.scope.getBinding('Promise'))
        return;
      if (property.type !== 'Identifier' || !COMBINATORS.has(property.name)) return;
      const [list] = args;
      if (list === undefined || list.type === 'SpreadElement') return;
      const site = ctx.site(path);
      ctx.wrap(path, `__cov.combine(${site},'${property.name}',`, ')');
      ctx.wrap(path.get('arguments')[0] as NodePath, `__cov.members(${site},`, ')');
    },
  }),
};
