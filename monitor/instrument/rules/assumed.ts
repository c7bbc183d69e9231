/** A plain function that is assumed to do I/O: the promise that it returns settles when the host would answer. */
import type { NodePath } from '@babel/traverse';
import { isAssumed } from '../assumed.ts';
import type * as t from '../ast.ts';
import type { Rule } from './rule.ts';

export const assumed: Rule = {
  name: 'assumed',
  visitor: (ctx) => {
    const later = (fn: NodePath<t.Function>, value: NodePath) => {
      if (fn.node.async || !isAssumed(ctx, fn)) return;
      ctx.wrap(value, `__cov.assumedResult(${ctx.site(value)},(`, '))');
    };
    return {
      ReturnStatement(path: NodePath<t.ReturnStatement>) {
        const fn = path.getFunctionParent();
        if (fn && path.node.argument) later(fn as NodePath<t.Function>, path.get('argument') as NodePath);
      },
      ArrowFunctionExpression(path: NodePath<t.ArrowFunctionExpression>) {
        const body = path.get('body') as NodePath;
        if (!body.isBlockStatement()) later(path, body);
      },
    };
  },
};
