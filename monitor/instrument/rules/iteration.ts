/** What a loop or a spread runs over, and `k in o`. */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { RuleContext } from '../context.ts';
import { isLiteral, isQuiet } from '../objects.ts';
import type { Rule } from './rule.ts';

export const iteration: Rule = {
  name: 'iteration',
  visitor: (ctx) => ({
    ForOfStatement(path: NodePath<t.ForOfStatement>) {
      if (!path.node.await) whole(ctx, path.get('right') as NodePath, 'it');
    },
    ForInStatement(path: NodePath<t.ForInStatement>) {
      whole(ctx, path.get('right') as NodePath, 'ks');
    },
    SpreadElement(path: NodePath<t.SpreadElement>) {
      whole(ctx, path.get('argument') as NodePath, path.parent.type === 'ObjectExpression' ? 'ks' : 'it');
    },
    BinaryExpression(path: NodePath<t.BinaryExpression>) {
      const { operator, left } = path.node;
      if (operator !== 'in' || left.type === 'PrivateName') return;
      const key = ctx.temporary(path);
      if (key === null) return;
      ctx.wrap(path.get('left') as NodePath, `(${key}=`, ')');
      const right = path.get('right') as NodePath;
      ctx.wrap(right, `__cov.inn(${ctx.site(path, { access: 'read' })},${key},`, ')');
    },
  }),
};

/** A sequence in a loop head needs its own parentheses inside a call. */
function whole(ctx: RuleContext, path: NodePath, hook: 'it' | 'ks'): void {
  if (isQuiet(path) || isLiteral(path.node)) return;
  ctx.wrap(path, `__cov.${hook}(${ctx.site(path, { access: 'read' })},(`, '))');
}
