/** `const { a, b } = o` reads `o.a` and `o.b`. */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { Context } from '../context.ts';
import { keyName } from '../names.ts';
import { isLiteral, isQuiet } from '../objects.ts';
import type { Rule } from './rule.ts';

export const destructuring: Rule = {
  name: 'destructuring',
  visitor: (ctx) => ({
    VariableDeclarator(path: NodePath<t.VariableDeclarator>) {
      const init = path.get('init') as NodePath;
      if (init.node) taken(ctx, path.get('id') as NodePath, init);
    },
    AssignmentExpression(path: NodePath<t.AssignmentExpression>) {
      if (path.node.operator === '=') taken(ctx, path.get('left') as NodePath, path.get('right') as NodePath);
    },
  }),
};

function taken(ctx: Context, pattern: NodePath, value: NodePath): void {
  // A fresh literal is seen by nobody else.
  if (isQuiet(value) || isLiteral(value.node)) return;
  if (pattern.isArrayPattern()) {
    ctx.wrap(value, `__cov.it(${ctx.site(value, { access: 'read' })},`, ')');
    return;
  }
  if (!pattern.isObjectPattern()) return;
  const keys: [NodePath, string][] = [];
  for (const property of pattern.get('properties') as NodePath[]) {
    if (property.isRestElement()) {
      ctx.wrap(value, `__cov.ks(${ctx.site(property, { access: 'read' })},`, ')');
      return;
    }
    const { key, computed } = property.node as t.ObjectProperty;
    const name = computed && key.type === 'Identifier' ? null : keyName(key);
    if (name !== null) keys.push([property, name]);
  }
  const points = keys.map(([path, key]) => ctx.site(path, { key, access: 'read' }));
  if (points.length > 0) ctx.wrap(value, `__cov.ds(${points[0]},${points.length},`, ')');
}
