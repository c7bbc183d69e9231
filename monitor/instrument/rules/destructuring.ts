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
  // Inner hooks run first: the outer pattern is taken apart before the inner ones.
  for (const { path, keys } of levels(pattern).toReversed()) {
    const points = keys.map(([property, key]) => ctx.site(property, { key, access: 'read' }));
    if (points.length === 0) continue;
    const range = `${points[0]},${points.length},`;
    ctx.wrap(value, path === '' ? `__cov.ds(${range}` : `__cov.dp(${range}${JSON.stringify(path)},`, ')');
  }
  for (const property of pattern.get('properties') as NodePath[])
    if (property.isRestElement()) ctx.wrap(value, `__cov.ks(${ctx.site(property, { access: 'read' })},`, ')');
}

/** A pattern of objects within another one: the keys that lead to it, joined by dots, and those that it reads. */
interface Level {
  readonly path: string;
  readonly keys: readonly (readonly [NodePath, string])[];
}

function levels(pattern: NodePath<t.ObjectPattern>, path = ''): Level[] {
  const keys: [NodePath, string][] = [];
  const inner: Level[] = [];
  for (const property of pattern.get('properties')) {
    if (!property.isObjectProperty()) continue;
    const { key, computed } = property.node;
    const name = computed && key.type === 'Identifier' ? null : keyName(key);
    // Inserted text marks its points by a paragraph sign, and paths are joined by dots.
    if (name === null) continue;
    keys.push([property, name]);
    let target = property.get('value') as NodePath;
    if (target.isAssignmentPattern()) target = target.get('left') as NodePath;
    if (target.isObjectPattern() && !/[.§]/.test(name))
      inner.push(...levels(target, path === '' ? name : `${path}.${name}`));
  }
  return [{ path, keys }, ...inner];
}
