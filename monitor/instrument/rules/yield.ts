/** Async generators suspend at `yield`, at `yield*`, and at `return E`, which awaits E. */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import { coreOf } from '../unwrap.ts';
import type { Rule } from './rule.ts';

export const yields: Rule = {
  name: 'yield',
  visitor: (ctx) => {
    const frameAt = (path: NodePath): string | null => {
      const body = ctx.body(path);
      return body?.async && body.generator ? body.frame : null;
    };
    return {
      YieldExpression(path: NodePath<t.YieldExpression>) {
        const frame = frameAt(path);
        if (frame === null) return;
        const { node } = path;
        const site = ctx.site(path);
        ctx.open(path, `__cov.resume(${site},${frame},`);
        ctx.edits.close(node.end!, ')');
        if (!node.argument) {
          ctx.edits.close(coreOf(node).end, ` __cov.suspend(${site},${frame},undefined)`);
          return;
        }
        const hook = node.delegate ? 'iter' : 'suspend';
        ctx.edits.open(node.argument.start!, `__cov.${hook}(${site},${frame},(`);
        ctx.edits.close(node.argument.end!, '))');
      },
      ReturnStatement(path: NodePath<t.ReturnStatement>) {
        const frame = frameAt(path);
        if (frame === null || !path.node.argument) return;
        const value = path.get('argument') as NodePath;
        ctx.wrap(value, `__cov.suspend(${ctx.site(value)},${frame},(`, '))');
      },
    };
  },
};
