/** `for await`: the loop suspends at every step, and on every way out. */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { Rule } from './rule.ts';

export const forAwait: Rule = {
  name: 'for-await',
  visitor: (ctx) => ({
    ForOfStatement(path: NodePath<t.ForOfStatement>) {
      const { node } = path;
      if (!node.await) return;
      const frame = ctx.body(path)?.frame ?? 'null';
      const { body } = node;
      // A labelled loop may be left for an outer loop: only `finally` sees every way.
      const { start, end } = labelled(path);
      ctx.edits.open(start, 'try{');
      ctx.edits.close(end, `}finally{__cov.re(${frame})}`);
      ctx.wrap(
        path.get('right') as NodePath,
        `__cov.iter(${ctx.site(path.get('right') as NodePath)},${frame},(`,
        '))',
      );
      if (body.type === 'BlockStatement') ctx.edits.open(body.start! + 1, `__cov.re(${frame});`);
      else {
        ctx.edits.open(body.start!, `{__cov.re(${frame});`);
        ctx.edits.close(body.end!, '}');
      }
    },
  }),
};

/** The range of the loop with its labels. */
function labelled(path: NodePath): { start: number; end: number } {
  let at = path;
  while (at.parentPath?.isLabeledStatement()) at = at.parentPath;
  return { start: at.node.start!, end: at.node.end! };
}
