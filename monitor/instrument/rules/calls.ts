/** Method calls: callbacks of promises, methods of built-in collections, functions held in fields. */
import type { NodePath } from '@babel/traverse';
import { COLLECTION_METHODS } from '../../runtime/methods.ts';
import { STORE_METHODS } from '../../runtime/stores.ts';
import type * as t from '../ast.ts';
import type { RuleContext } from '../context.ts';
import { keyName } from '../names.ts';
import { canWrap, isQuiet, literalText, repeatable } from '../objects.ts';
import type { Rule } from './rule.ts';

/** They read the member that their argument names. */
const MEMBERSHIP: ReadonlySet<string> = new Set(['hasOwnProperty', 'propertyIsEnumerable']);
const REACTIONS: ReadonlySet<string> = new Set(['then', 'catch', 'finally']);

type CallPath = NodePath<t.CallExpression> | NodePath<t.OptionalCallExpression>;

export const calls: Rule = {
  name: 'calls',
  visitor: (ctx) => {
    const visit = (path: CallPath) => {
      const callee = path.get('callee') as NodePath;
      if (!callee.isMemberExpression() && !callee.isOptionalMemberExpression()) return;
      const object = callee.get('object') as NodePath;
      if (isQuiet(object) || !canWrap(callee)) return;
      if (callee.node.computed) return computedCall(ctx, path, callee, object);
      const name = keyName(callee.node.property);
      if (name === null || name.startsWith('#')) return;
      if (REACTIONS.has(name) && path.node.arguments.length > 0) return reaction(ctx, path, object);
      if (MEMBERSHIP.has(name)) return membership(ctx, path, object);
      const point = { key: name, access: 'read', text: undefined } as const;
      if (!COLLECTION_METHODS.has(name) && !STORE_METHODS.has(name))
        return ctx.wrap(object, `__cov.c(${ctx.site(callee, point)},`, ')');
      collection(ctx, path, object, ctx.site(path, { key: name, access: 'both' }));
    };
    return { CallExpression: visit, OptionalCallExpression: visit };
  },
};

/** Text for the object that later hooks can use; null where it cannot be named. */
function bind(ctx: RuleContext, path: NodePath, object: NodePath, rest: readonly t.Node[]): string | null {
  const again = repeatable(object, rest);
  if (again !== null) return again;
  const name = ctx.temporary(path);
  if (name !== null) ctx.wrap(object, `(${name}=`, ')');
  return name;
}

function reaction(ctx: RuleContext, path: CallPath, object: NodePath) {
  const args = path.get('arguments') as NodePath[];
  if (args.some((a) => a.isSpreadElement())) return;
  const promise = bind(ctx, path, object, path.node.arguments);
  if (promise === null) return ctx.skip(path, 'callback of a promise where no variable can be declared');
  const frame = ctx.body(path)?.frameName() ?? 'null';
  for (const arg of args) {
    const site = ctx.site(arg, { fn: (path.node.callee as any).property.name });
    ctx.wrap(arg, `__cov.then(${site},${frame},${promise},`, ')');
  }
}

/** The hook sits at the last argument, so that it logs when all of them have their values. */
function collection(ctx: RuleContext, path: CallPath, object: NodePath, site: string) {
  const args = path.get('arguments') as NodePath[];
  const last = args.at(-1);
  if (last === undefined || args.some((a) => a.isSpreadElement())) {
    return ctx.wrap(object, `__cov.m0(${site},`, ')');
  }
  const receiver = bind(ctx, path, object, path.node.arguments);
  if (receiver === null) return ctx.wrap(object, `__cov.m0(${site},`, ')');
  if (args.length === 1) return ctx.wrap(last, `__cov.m1(${site},${receiver},`, ')');
  const first = args[0]!;
  let key = repeatable(first, path.node.arguments) ?? literalText(first.node);
  if (key === null) {
    key = ctx.temporary(path)!;
    ctx.wrap(first, `${key}=`, '');
  }
  ctx.wrap(last, `__cov.mk(${site},${receiver},${key},`, ')');
}

function membership(ctx: RuleContext, path: CallPath, object: NodePath) {
  const [key] = path.get('arguments') as NodePath[];
  if (key === undefined || key.isSpreadElement()) return;
  const receiver = bind(ctx, path, object, [key.node]);
  if (receiver === null) return ctx.skip(path, 'membership where no variable can be declared');
  ctx.wrap(key, `__cov.rk(${ctx.site(path, { access: 'read' })},${receiver},`, ')');
}

function computedCall(ctx: RuleContext, path: CallPath, callee: NodePath, object: NodePath) {
  const property = callee.get('property') as NodePath;
  const receiver = bind(ctx, path, object, [property.node]);
  if (receiver === null) return ctx.skip(callee, 'computed member where no variable can be declared');
  const site = ctx.site(callee, { access: 'read' });
  ctx.wrap(property, `__cov.rk(${site},${receiver},(`, '))');
}
