/** `o.k = v`, `o.k += v`, `o.k++`, `delete o.k`, and members as places in patterns and loop heads. */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { RuleContext } from '../context.ts';
import { keyName } from '../names.ts';
import { canWrap, isQuiet, repeatable } from '../objects.ts';
import { isPatternTarget } from '../targets.ts';
import type { Rule } from './rule.ts';

export const membersWrite: Rule = {
  name: 'members-write',
  visitor: (ctx) => {
    const inPlace = (path: t.MemberPath) => {
      const { parentPath } = path;
      if (parentPath.isUpdateExpression()) whole(ctx, path, 'rw', 'both');
      else if (parentPath.isUnaryExpression({ operator: 'delete' })) whole(ctx, path, 'wo', 'write');
      else if (isPatternTarget(path) || (parentPath.isForXStatement() && path.key === 'left')) {
        whole(ctx, path, 'wo', 'write');
      }
    };
    return {
      AssignmentExpression(path: NodePath<t.AssignmentExpression>) {
        const left = path.get('left') as NodePath;
        if (left.isMemberExpression()) assignment(ctx, path, left);
      },
      MemberExpression: inPlace,
      OptionalMemberExpression: inPlace,
    };
  },
};

const NOWHERE = 'write where no variable can be declared';

function staticKey(member: t.MemberPath): string | null {
  const { property, computed } = member.node;
  return computed && property.type === 'Identifier' ? null : keyName(property);
}

/** Accesses that are logged when the object is known: nothing runs between that and the access. */
function whole(ctx: RuleContext, path: t.MemberPath, hook: 'rw' | 'wo', access: 'both' | 'write') {
  const object = path.get('object') as NodePath;
  if (isQuiet(object) || !canWrap(path)) return;
  const grouped = ctx.grouped.get(path.parent);
  if (grouped !== undefined) {
    if (grouped !== '') ctx.wrap(object, grouped, ')');
    return;
  }
  const key = staticKey(path);
  if (key !== null) return ctx.wrap(object, `__cov.${hook}(${ctx.site(path, { key, access })},`, ')');
  const receiver = receiverOf(ctx, path, object, [path.node.property], '');
  if (receiver === null) return ctx.skip(path, NOWHERE);
  const site = ctx.site(path, { access });
  ctx.wrap(path.get('property') as NodePath, `__cov.${hook}k(${site},${receiver},(`, '))');
}

/** Names the object for later, and passes it through `hook` (empty, or the read of a compound assignment). */
function receiverOf(
  ctx: RuleContext,
  holder: NodePath,
  object: NodePath,
  rest: readonly t.Node[],
  hook: string,
): string | null {
  const close = hook === '' ? '' : ')';
  const again = object.isSuper() ? 'this' : repeatable(object, rest);
  if (again !== null) {
    if (hook !== '' && !object.isSuper()) ctx.wrap(object, hook, close);
    return again;
  }
  const name = ctx.temporary(holder);
  if (name !== null) ctx.wrap(object, `(${name}=${hook}`, `${close})`);
  return name;
}

function assignment(
  ctx: RuleContext,
  path: NodePath<t.AssignmentExpression>,
  left: NodePath<t.MemberExpression>,
) {
  const object = left.get('object') as NodePath;
  if (!object.isSuper() && isQuiet(object)) return;
  const right = path.get('right') as NodePath;
  const compound = path.node.operator !== '=';
  const grouped = ctx.grouped.get(path.node);
  if (grouped !== undefined) {
    if (grouped !== '') ctx.wrap(compound ? object : right, grouped, ')');
    return;
  }
  const key = staticKey(left);
  const point = { key, access: compound ? 'both' : 'write' } as const;
  if (key !== null) {
    const site = ctx.site(left, point);
    const receiver = receiverOf(ctx, path, object, [right.node], compound ? `__cov.r(${site},` : '');
    // In parameters and field initialisers nothing can suspend: the write may be logged before its value.
    if (receiver === null) return ctx.wrap(object, `__cov.${compound ? 'rw' : 'wo'}(${site},`, ')');
    return ctx.wrap(right, `__cov.w(${site},${receiver},`, ')');
  }
  const property = left.get('property') as NodePath;
  const receiver = receiverOf(ctx, path, object, [property.node, right.node], '');
  if (receiver === null) return ctx.skip(path, NOWHERE);
  const site = ctx.site(left, point);
  let name = repeatable(property, [right.node]);
  let before = '';
  if (name === null) {
    name = ctx.temporary(path)!;
    before = `${name}=(`;
  }
  const read = compound ? `__cov.rk(${site},${receiver},` : '';
  ctx.wrap(property, read + before, (before === '' ? '' : ')') + (compound ? ')' : ''));
  ctx.wrap(right, `__cov.wk(${site},${receiver},${name},`, ')');
}
