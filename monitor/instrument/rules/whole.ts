/** Built-in functions that read or write all fields of an object. */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { Context } from '../context.ts';
import { isLiteral, isQuiet, repeatable } from '../objects.ts';
import type { Rule } from './rule.ts';

type Hook = 'ks' | 'js' | 'it' | 'assign' | 'rk' | 'wok';

/**
 * By the text of the callee: which hook its first argument gets; `rk` and `wok` read and write the member that the
 * second argument names.
 */
const HOOKS: Readonly<Record<string, Hook>> = {
  'Object.keys': 'ks',
  'Object.values': 'ks',
  'Object.entries': 'ks',
  'Object.getOwnPropertyNames': 'ks',
  'JSON.stringify': 'js',
  structuredClone: 'js',
  'Object.getOwnPropertyDescriptors': 'ks',
  'Reflect.ownKeys': 'ks',
  'Object.fromEntries': 'it',
  'Object.groupBy': 'it',
  'Map.groupBy': 'it',
  'Array.from': 'it',
  'Object.assign': 'assign',
  'Object.defineProperties': 'assign',
  'Object.hasOwn': 'rk',
  'Object.getOwnPropertyDescriptor': 'rk',
  'Reflect.get': 'rk',
  'Reflect.has': 'rk',
  'Reflect.getOwnPropertyDescriptor': 'rk',
  'Object.defineProperty': 'wok',
  'Reflect.defineProperty': 'wok',
  'Reflect.deleteProperty': 'wok',
  'Reflect.set': 'wok',
};

/** Constructors that run over their first argument. */
const COPIES = /^(Map|Set|(Big)?(Int|Uint|Float)\d+(Clamped)?Array)$/;

export const whole: Rule = {
  name: 'whole',
  visitor: (ctx) => ({
    CallExpression(path: NodePath<t.CallExpression>) {
      const hook = HOOKS[calleeText(path)];
      const args = path.get('arguments') as NodePath[];
      if (hook === undefined || args.length === 0 || args.some((a) => a.isSpreadElement())) return;
      if (hook === 'assign') assign(ctx, path, args);
      else if (hook === 'rk' || hook === 'wok') member(ctx, path, args, hook);
      else reads(ctx, args[0]!, hook);
    },
    NewExpression(path: NodePath<t.NewExpression>) {
      const { callee } = path.node;
      const [first] = path.get('arguments') as NodePath[];
      if (first === undefined || first.isSpreadElement() || callee.type !== 'Identifier') return;
      if (COPIES.test(callee.name) && !path.scope.getBinding(callee.name)) reads(ctx, first, 'it');
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

/** One member, named by the second argument. */
function member(ctx: Context, path: NodePath, [object, key]: NodePath[], hook: 'rk' | 'wok') {
  if (key === undefined || isQuiet(object!) || isLiteral(object!.node)) return;
  let name = repeatable(object!, [key.node]);
  if (name === null) {
    name = ctx.temporary(path);
    if (name === null) return;
    ctx.wrap(object!, `(${name}=`, ')');
  }
  const site = ctx.site(path, { access: hook === 'rk' ? 'read' : 'write' });
  ctx.wrap(key, `__cov.${hook}(${site},${name},`, ')');
}

function reads(ctx: Context, source: NodePath, hook: 'ks' | 'js' | 'it') {
  if (isQuiet(source) || (hook !== 'js' && isLiteral(source.node))) return;
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
