/** Built-in functions that read or write all fields of an object. */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { Context } from '../context.ts';
import { isLiteral, isQuiet, repeatable } from '../objects.ts';
import type { Rule } from './rule.ts';

/** By the text of the callee: which hook its first argument gets. */
const HOOKS: Readonly<Record<string, 'ks' | 'js' | 'assign'>> = {
  'Object.keys': 'ks',
  'Object.values': 'ks',
  'Object.entries': 'ks',
  'Object.getOwnPropertyNames': 'ks',
  'JSON.stringify': 'js',
  structuredClone: 'js',
  'Object.assign': 'assign',
};

export const whole: Rule = {
  name: 'whole',
  visitor: (ctx) => ({
    CallExpression(path: NodePath<t.CallExpression>) {
      const hook = HOOKS[calleeText(path)];
      const args = path.get('arguments') as NodePath[];
      if (hook === undefined || args.length === 0 || args.some((a) => a.isSpreadElement())) return;
      if (hook === 'assign') assign(ctx, path, args);
      else reads(ctx, args[0]!, hook);
    },
  }),
};

/** `Object.keys` where that is the built-in one; empty otherwise. */
function calleeText(path: NodePath<t.CallExpression>): string {
  const { callee } = path.node;
  const root = callee.type === 'MemberExpression' && !callee.computed ? callee.object : callee;
  if (root.type !== 'Identifier' || path.scope.getBinding(root.name) !== undefined) return '';
  if (callee.type !== 'MemberExpression') return root.name;
  return callee.property.type === 'Identifier' ? `${root.name}.${callee.property.name}` : '';
}

function reads(ctx: Context, source: NodePath, hook: 'ks' | 'js') {
  if (isQuiet(source) || (hook === 'ks' && isLiteral(source.node))) return;
  ctx.wrap(source, `__cov.${hook}(${ctx.site(source, { access: 'read' })},`, ')');
}

/** The target is written where the last source has its value; of several sources only the last is known. */
function assign(ctx: Context, path: NodePath, [target, ...sources]: NodePath[]) {
  const last = sources.at(-1);
  if (last === undefined) return;
  let name = repeatable(
    target!,
    sources.map((source) => source.node),
  );
  if (name === null && !isLiteral(target!.node)) {
    name = ctx.temporary(path);
    if (name !== null) ctx.wrap(target!, `${name}=`, '');
  }
  if (name !== null) ctx.wrap(last, `__cov.as(${ctx.site(path, { access: 'write' })},${name},`, ')');
  for (const source of sources) reads(ctx, source, 'ks');
}
