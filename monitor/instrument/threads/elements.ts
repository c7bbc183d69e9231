/**
 * `a[i]` in programs of threads: read, written, updated. What an access needs is done inside of the brackets, or
 * behind the value that is stored, so that nothing runs between the hook and the access:
 *
 *     a[i]          a[(a.__shared===null||__cov.sr(…,a,i),i)]
 *     a[i] = v      a[i] = (t=v,a.__shared===null||__cov.sw(…,a,i),t)
 */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { RuleContext } from '../context.ts';
import { canWrap, isQuiet, literalText, repeatable, sourceOf } from '../objects.ts';
import type { Rule } from '../rules/rule.ts';
import { isPatternTarget } from '../targets.ts';
import { viewName } from './view-name.ts';

type ElementHook = 'sr' | 'sw' | 'su';

const ACCESS = { sr: 'read', sw: 'write', su: 'both' } as const;
const NOWHERE = 'element where no variable can be declared';

export const elements: Rule = {
  name: 'elements',
  visitor: (ctx) => {
    const visit = (path: t.MemberPath) => {
      if (!isElement(path)) return;
      const { parentPath, key } = path;
      if (parentPath?.isAssignmentExpression() && key === 'left') return assignment(ctx, parentPath, path);
      if (parentPath?.isUpdateExpression()) return inBrackets(ctx, path, 'su');
      const write = isPatternTarget(path) || (parentPath?.isForXStatement() && key === 'left');
      inBrackets(ctx, path, write ? 'sw' : 'sr');
    };
    return { MemberExpression: visit, OptionalMemberExpression: visit };
  },
};

/** Whether this may be an element of a typed array. */
function isElement(path: t.MemberPath): boolean {
  const { node, parentPath, key } = path;
  if (!node.computed) return false;
  const { property, object } = node;
  if (property.type === 'StringLiteral' || property.type === 'TemplateLiteral') return false;
  if (object.type === 'ArrayExpression' || object.type === 'ObjectExpression') return false;
  // Elements of typed arrays are no functions and cannot be deleted.
  if (key === 'callee') return false;
  if (parentPath?.isUnaryExpression({ operator: 'delete' })) return false;
  const held = path.get('object') as NodePath;
  return !isQuiet(held) || isHanded(held);
}

/** `workerData` itself may be an array: what comes from that module is no state of Node. */
function isHanded(path: NodePath): boolean {
  const from = path.isIdentifier() ? sourceOf(path, path.node.name) : null;
  return from === 'worker_threads' || from === 'node:worker_threads';
}

/** Names the object for a second time; null where that cannot be done. */
function receiverOf(
  ctx: RuleContext,
  holder: NodePath,
  path: t.MemberPath,
  rest: readonly t.Node[],
): string | null {
  const object = path.get('object') as NodePath;
  const again = repeatable(object, rest);
  if (again !== null) return again;
  if (!canWrap(path)) return null;
  const name = ctx.temporary(holder);
  if (name !== null) ctx.wrap(object, `(${name}=`, ')');
  return name;
}

const check = (hook: ElementHook, site: string, receiver: string, key: string): string =>
  `${receiver}.__shared===null||__cov.${hook}(${site},${receiver},${key})`;

function siteOf(ctx: RuleContext, path: t.MemberPath, hook: ElementHook): string {
  return ctx.site(path, { key: viewName(path.node.object), access: ACCESS[hook] });
}

/** The hook runs when object and index are known: just before the access. */
function inBrackets(ctx: RuleContext, path: t.MemberPath, hook: ElementHook) {
  const property = path.get('property') as NodePath;
  const receiver = receiverOf(ctx, path, path, [path.node.property]);
  if (receiver === null) return ctx.skip(path, NOWHERE);
  const site = siteOf(ctx, path, hook);
  const simple = literalText(property.node) ?? repeatable(property, []);
  if (simple !== null) return ctx.wrap(property, `(${check(hook, site, receiver, simple)},`, ')');
  const key = ctx.temporary(path);
  if (key === null) return ctx.skip(path, NOWHERE);
  ctx.wrap(property, `(${key}=(`, `),${check(hook, site, receiver, key)},${key})`);
}

function assignment(ctx: RuleContext, path: NodePath<t.AssignmentExpression>, left: t.MemberPath) {
  const right = path.get('right') as NodePath;
  const property = left.get('property') as NodePath;
  const receiver = receiverOf(ctx, path, left, [property.node, right.node]);
  const value = ctx.temporary(path);
  if (receiver === null || value === null) return ctx.skip(left, NOWHERE);
  let key = literalText(property.node) ?? repeatable(property, [right.node]);
  let before = '';
  let after = '';
  if (key === null) {
    key = ctx.temporary(path)!;
    before = `${key}=(`;
    after = ')';
  }
  if (path.node.operator !== '=') {
    before = `(${before}`;
    after += `,${check('sr', siteOf(ctx, left, 'sr'), receiver, key)},${key})`;
  }
  if (before !== '') ctx.wrap(property, before, after);
  const site = siteOf(ctx, left, 'sw');
  ctx.wrap(right, `(${value}=(`, `),${check('sw', site, receiver, key)},${value})`);
}
