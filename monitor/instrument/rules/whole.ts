/** Built-in functions that read or write all fields of an object. */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { RuleContext } from '../context.ts';
import { isLiteral, isQuiet, literalText, repeatable } from '../objects.ts';
import type { Rule } from './rule.ts';

type WholeHook = 'ks' | 'js' | 'it' | 'assign' | 'rk' | 'wok' | 'rwk';

/**
 * By the text of the callee: which hook its first argument gets; `rk`, `wok` and `rwk` read, write and update the member
 * that the second argument names.
 */
const HOOKS: Readonly<Record<string, WholeHook>> = {
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
  'Array.fromAsync': 'it',
  'Iterator.from': 'it',
  'Promise.all': 'it',
  'Promise.allSettled': 'it',
  'Promise.race': 'it',
  'Promise.any': 'it',
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
  'Atomics.load': 'rk',
  'Atomics.store': 'wok',
  ...Object.fromEntries(
    ['add', 'sub', 'and', 'or', 'xor', 'exchange', 'compareExchange'].map((name) => [
      `Atomics.${name}`,
      'rwk' as const,
    ]),
  ),
};

const ACCESS = { rk: 'read', wok: 'write', rwk: 'both' } as const;

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
      else if (hook === 'rk' || hook === 'wok' || hook === 'rwk') member(ctx, path, args, hook);
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

/** One member, named by the second argument; a write is told when what is written has its value. */
function member(ctx: RuleContext, path: NodePath, args: NodePath[], hook: keyof typeof ACCESS) {
  const [object, key, value] = args as [NodePath, NodePath?, NodePath?];
  if (key === undefined || isQuiet(object) || isLiteral(object.node)) return;
  const rest = args.slice(1).map((arg) => arg.node);
  let name = repeatable(object, rest);
  if (name === null) {
    name = ctx.temporary(path);
    if (name === null) return;
    ctx.wrap(object, `(${name}=`, ')');
  }
  const point = `${ctx.site(path, { access: ACCESS[hook] })},${name},`;
  if (hook !== 'wok' || value === undefined) return ctx.wrap(key, `__cov.${hook}(${point}`, ')');
  let text = repeatable(key, rest) ?? literalText(key.node);
  if (text === null) {
    text = ctx.temporary(path);
    if (text === null) return;
    ctx.wrap(key, `${text}=`, '');
  }
  ctx.wrap(value, `__cov.wk(${point}${text},`, ')');
}

function reads(ctx: RuleContext, source: NodePath, hook: 'ks' | 'js' | 'it') {
  if (isQuiet(source) || (hook !== 'js' && isLiteral(source.node))) return;
  ctx.wrap(source, `__cov.${hook}(${ctx.site(source, { access: 'read' })},`, ')');
}

/** What comes before a source that suspends is written later than it is evaluated: it is not told. */
const SUSPENDS = /\b(await|yield)\b/;

/** The target is written where each source has its value. */
function assign(ctx: RuleContext, path: NodePath, [target, ...sources]: NodePath[]) {
  if (sources.length === 0) return;
  let name = repeatable(
    target!,
    sources.map((source) => source.node),
  );
  if (name === null && !isLiteral(target!.node)) {
    name = ctx.temporary(path);
    if (name !== null) ctx.wrap(target!, `${name}=`, '');
  }
  const lastPause = sources.findLastIndex(({ node }) =>
    SUSPENDS.test(ctx.code.slice(node.start!, node.end!)),
  );
  sources.forEach((source, at) => {
    if (name !== null && at >= lastPause)
      ctx.wrap(source, `__cov.as(${ctx.site(path, { access: 'write' })},${name},`, ')');
    reads(ctx, source, 'ks');
  });
}
