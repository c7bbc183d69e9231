/**
 * Calls of `Atomics` and of annotations say where they stand: behind their last argument, so that nothing runs between
 * that and the call.
 */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { Context } from '../context.ts';
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
      if (isAtomics(path) || isAnnotation(path)) tellPlace(ctx, path);
    },
  }),
};

function isAtomics({ node: { callee }, scope }: NodePath<t.CallExpression>): boolean {
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return false;
  return callee.object.name === 'Atomics' && scope.getBinding('Atomics') === undefined;
}

function isAnnotation({ node: { callee }, scope }: NodePath<t.CallExpression>): boolean {
  if (callee.type !== 'Identifier') return false;
  const from = scope.getBinding(callee.name)?.path;
  if (!from?.isImportSpecifier()) return false;
  const { imported } = from.node;
  return imported.type === 'Identifier' && ANNOTATIONS.has(imported.name);
}

function tellPlace(ctx: Context, path: NodePath<t.CallExpression>) {
  const [view] = path.node.arguments;
  const last = (path.get('arguments') as NodePath[]).at(-1);
  if (!view || !last || last.isSpreadElement()) return;
  const site = ctx.site(path, { key: viewName(view) });
  if (last.isFunction() || last.isIdentifier() || last.isLiteral())
    return ctx.wrap(last, `(__cov.at=${site},`, ')');
  const value = ctx.temporary(path);
  if (value === null) return;
  ctx.wrap(last, `(${value}=(`, `),__cov.at=${site},${value})`);
}
