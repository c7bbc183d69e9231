/** `const { a, b } = o` reads `o.a` and `o.b`; so do patterns of parameters and of loops. */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { RuleContext } from '../context.ts';
import { keyName } from '../names.ts';
import { isLiteral, isQuiet, repeatable } from '../objects.ts';
import { moveParameters, movePattern } from '../patterns.ts';
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
    Function: (path: NodePath<t.Function>) => moveParameters(ctx, path, (pattern) => hooks(ctx, pattern)),
    ForOfStatement(path: NodePath<t.ForOfStatement>) {
      const left = path.get('left') as NodePath;
      if (left.isVariableDeclaration()) movePattern(ctx, path, left, (pattern) => hooks(ctx, pattern));
    },
  }),
};

function taken(ctx: RuleContext, pattern: NodePath, value: NodePath): void {
  // A fresh literal is seen by nobody else.
  if (isQuiet(value) || isLiteral(value.node)) return;
  if (pattern.isArrayPattern()) ctx.wrap(value, `__cov.it(${ctx.site(value, { access: 'read' })},`, ')');
  if (!pattern.isArrayPattern() && !pattern.isObjectPattern()) return;
  for (const hook of hooks(ctx, pattern)) ctx.wrap(value, hook, ')');
  if (!pattern.isObjectPattern()) return;
  for (const property of pattern.get('properties')) {
    if (property.isRestElement()) ctx.wrap(value, `__cov.ks(${ctx.site(property, { access: 'read' })},`, ')');
    else if (staticKey(property) === null) computed(ctx, value, property);
  }
}

/** `{ [k]: v } = o`: the value is known before the keys are. */
function computed(ctx: RuleContext, value: NodePath, property: NodePath) {
  let name = repeatable(value, []);
  if (name === null) {
    name = ctx.temporary(value.parentPath!);
    if (name === null) return ctx.skip(property, 'computed key where no variable can be declared');
    ctx.wrap(value, `${name}=(`, ')');
  }
  ctx.wrap(
    property.get('key') as NodePath,
    `__cov.rk(${ctx.site(property, { access: 'read' })},${name},(`,
    '))',
  );
}

/** What opens the hooks of all members that a pattern names, those of inner patterns inside: these run first. */
function hooks(ctx: RuleContext, pattern: NodePath): string[] {
  return levels(pattern)
    .toReversed()
    .filter(({ keys }) => keys.length > 0)
    .map(({ path, keys }) => {
      const points = keys.map(([property, key]) => ctx.site(property, { key, access: 'read' }));
      const range = `${points[0]},${points.length},`;
      return path === '' ? `__cov.ds(${range}` : `__cov.dp(${range}${JSON.stringify(path)},`;
    });
}

/** A pattern within another one: the keys that lead to it, joined by dots, and those that it reads. */
interface Level {
  readonly path: string;
  readonly keys: readonly (readonly [NodePath, string])[];
}

function levels(pattern: NodePath, path = ''): Level[] {
  const keys: [NodePath, string][] = [];
  const inner: Level[] = [];
  const within = (key: string, value: NodePath) => {
    const target = value.isAssignmentPattern() ? (value.get('left') as NodePath) : value;
    // Inserted text marks its points by a paragraph sign, and paths are joined by dots.
    if ((target.isObjectPattern() || target.isArrayPattern()) && !/[.§]/.test(key))
      inner.push(...levels(target, path === '' ? key : `${path}.${key}`));
  };
  if (pattern.isArrayPattern()) {
    (pattern.get('elements') as NodePath[]).forEach((element, i) => {
      if (element.node) within(String(i), element);
    });
  } else {
    for (const property of pattern.get('properties') as NodePath[]) {
      const key = staticKey(property);
      if (key === null) continue;
      keys.push([property, key]);
      within(key, property.get('value') as NodePath);
    }
  }
  return [{ path, keys }, ...inner];
}

function staticKey(property: NodePath): string | null {
  if (!property.isObjectProperty()) return null;
  const { key, computed } = property.node;
  return computed && key.type === 'Identifier' ? null : keyName(key);
}
