/** What a loop, a spread or an enumeration of keys runs over, and `k in o`. */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { Context } from '../context.ts';
import { isLiteral, isQuiet } from '../objects.ts';
import type { Rule } from './rule.ts';

const ENUMERATORS: ReadonlySet<string> = new Set([
  'keys',
  'values',
  'entries',
  'assign',
  'getOwnPropertyNames',
]);

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
    CallExpression(path: NodePath<t.CallExpression>) {
      const { callee } = path.node;
      if (callee.type !== 'MemberExpression' || callee.computed || callee.object.type !== 'Identifier')
        return;
      if (callee.object.name !== 'Object' || callee.property.type !== 'Identifier') return;
      if (!ENUMERATORS.has(callee.property.name) || path.scope.getBinding('Object')) return;
      // The target of `Object.assign` is written, not read: only its sources are enumerated.
      const sources = path.get('arguments').slice(callee.property.name === 'assign' ? 1 : 0) as NodePath[];
      for (const source of sources) if (!source.isSpreadElement()) whole(ctx, source, 'ks');
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
function whole(ctx: Context, path: NodePath, hook: 'it' | 'ks'): void {
  if (isQuiet(path) || isLiteral(path.node)) return;
  ctx.wrap(path, `__cov.${hook}(${ctx.site(path, { access: 'read' })},(`, '))');
}
