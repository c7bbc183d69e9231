/** Calls of the host say where they are, so that the requests that they make have a place of their own. */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import { sourceOf } from '../objects.ts';
import type { Rule } from './rule.ts';

const HOST_MODULES =
  /^(node:)?(fs|timers|stream|readline|zlib|crypto|child_process|net|https?|http2|dns|tls|dgram|worker_threads)(\/|$)/;
const HOST_GLOBALS: ReadonlySet<string> = new Set(['setTimeout', 'setInterval', 'setImmediate', 'fetch']);

export const hostCalls: Rule = {
  name: 'host-calls',
  visitor: (ctx) => {
    const visit = (path: NodePath<t.CallExpression> | NodePath<t.OptionalCallExpression>) => {
      const callee = path.get('callee') as NodePath;
      if (!isHost(callee)) return;
      const site = ctx.siteOf(callee.node, path, { text: ctx.textOf(path.node) });
      const last = (path.get('arguments') as NodePath[]).at(-1);
      if (last === undefined) {
        if (path.isCallExpression()) ctx.wrap(path, `(__cov.h(${site}),`, ')');
      } else {
        // Behind the other arguments: these may be calls of the host themselves.
        const value = last.isSpreadElement() ? (last.get('argument') as NodePath) : last;
        ctx.wrap(value, `__cov.h(${site},`, ')');
      }
    };
    return { CallExpression: visit, OptionalCallExpression: visit };
  },
};

function isHost(callee: NodePath): boolean {
  let root = callee;
  while (root.isMemberExpression() || root.isOptionalMemberExpression())
    root = root.get('object') as NodePath;
  if (!root.isIdentifier()) return false;
  const { name } = root.node;
  if (root.scope.getBinding(name) === undefined) return root === callee && HOST_GLOBALS.has(name);
  const source = sourceOf(root, name);
  return source !== null && HOST_MODULES.test(source);
}
