/**
 * Calls of `Atomics` and of annotations say where they stand: behind their last argument, so that nothing runs between
 * that and the call.
 */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { Point, RuleContext } from '../context.ts';
import type { Rule } from '../rules/rule.ts';
import { viewName } from './view-name.ts';

/** What `unweave/threads` exports for locks and messages. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['acquire', 'release', 'acquireShared', 'releaseShared'],
  ...['send', 'receive', 'arrive', 'leave', 'transaction'],
]);

export const operations: Rule = {
  name: 'operations',
  visitor: (ctx) => ({
    CallExpression: (path: NodePath<t.CallExpression>) => {
      if (isAtomics(path) || isAnnotation(path) || isMethod(path)) tellPlace(ctx, path);
    },
  }),
};

/** Methods of typed arrays and of DataView that access elements. */
const METHODS: ReadonlySet<string> = new Set([
  ...['every', 'some', 'forEach', 'find', 'findIndex', 'findLast', 'findLastIndex', 'reduce', 'reduceRight'],
  ...['includes', 'indexOf', 'lastIndexOf', 'join', 'at', 'entries', 'values', 'map', 'filter', 'slice'],
  ...['fill', 'set', 'sort', 'reverse', 'copyWithin', 'toReversed', 'toSorted', 'with'],
]);
/** Methods of the locks of `unweave/threads`. */
const LOCKS: ReadonlySet<string> = new Set([
  ...['lock', 'tryLock', 'unlock', 'runExclusive', 'lockShared', 'unlockShared', 'read', 'write'],
  ...['enter', 'exit', 'synchronized', 'wait', 'notify', 'notifyAll'],
  ...['acquire', 'tryAcquire', 'release', 'arriveAndWait', 'countDown'],
]);
const DATA_VIEW = /^[gs]et(?:Big)?(?:Int|Uint|Float)\d+$/;

function isMethod({ node: { callee } }: NodePath<t.CallExpression>): boolean {
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier')
    return false;
  const { name } = callee.property;
  return METHODS.has(name) || LOCKS.has(name) || DATA_VIEW.test(name);
}

export function isAtomics({ node: { callee }, scope }: NodePath<t.CallExpression>): boolean {
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return false;
  return callee.object.name === 'Atomics' && scope.getBinding('Atomics') === undefined;
}

export function isAnnotation({ node: { callee }, scope }: NodePath<t.CallExpression>): boolean {
  if (callee.type !== 'Identifier') return false;
  const from = scope.getBinding(callee.name)?.path;
  if (!from?.isImportSpecifier()) return false;
  const { imported } = from.node;
  return imported.type === 'Identifier' && ANNOTATIONS.has(imported.name);
}

/** `transaction('move', …)` says by itself what it is. */
function transactionAt({ node: { callee, arguments: given } }: NodePath<t.CallExpression>): Point {
  const isOne = callee.type === 'Identifier' && callee.name === 'transaction';
  const [name] = given;
  return isOne && name?.type === 'StringLiteral' ? { fn: name.value, text: name.value, atomic: true } : {};
}

function tellPlace(ctx: RuleContext, path: NodePath<t.CallExpression>) {
  const { callee, arguments: given } = path.node;
  // The view is the first argument of `Atomics` and of annotations, the object of a method.
  const object = callee.type === 'MemberExpression' && !isAtomics(path) ? callee.object : given[0];
  const last = (path.get('arguments') as NodePath[]).at(-1);
  if (!object || last?.isSpreadElement()) return;
  const site = ctx.site(path, { key: viewName(object), ...transactionAt(path) });
  if (!last) {
    if (object.type !== 'Super') ctx.wrap(path.get('callee.object') as NodePath, `(__cov.at=${site},`, ')');
    return;
  }
  if (last.isFunction() || last.isIdentifier() || last.isLiteral())
    return ctx.wrap(last, `(__cov.at=${site},`, ')');
  const value = ctx.temporary(path);
  if (value === null) return;
  ctx.wrap(last, `(${value}=(`, `),__cov.at=${site},${value})`);
}
