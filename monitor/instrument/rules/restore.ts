/** Where an activation may continue after an `await` that threw: it becomes current again. */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import { isAnonymousFunction } from '../names.ts';
import type { Rule } from './rule.ts';

export const restore: Rule = {
  name: 'restore',
  visitor: (ctx) => {
    const frameAt = (path: NodePath): string | null => {
      const body = ctx.body(path);
      return body?.async ? body.frame : null;
    };
    return {
      CatchClause(path: NodePath<t.CatchClause>) {
        const frame = frameAt(path);
        if (frame !== null) ctx.edits.open(path.node.body.start! + 1, `__cov.re(${frame});`);
      },
      TryStatement(path: NodePath<t.TryStatement>) {
        const frame = frameAt(path);
        const { finalizer } = path.node;
        if (frame !== null && finalizer) ctx.edits.open(finalizer.start! + 1, `__cov.re(${frame});`);
      },
      /** The end of its block awaits, where no hook can stand. */
      VariableDeclaration(path: NodePath<t.VariableDeclaration>) {
        if (path.node.kind === 'await using') ctx.skip(path, 'what is awaited at the end of the block');
      },
      /** Defaults in the head of a catch or `for await` run before the body does. */
      AssignmentPattern(path: NodePath<t.AssignmentPattern>) {
        const frame = frameAt(path);
        // A function gets its name from the pattern only where nothing stands around it.
        if (frame === null || !isInHead(path) || isAnonymousFunction(path.node.right)) return;
        ctx.wrap(path.get('right') as NodePath, `(__cov.re(${frame}),(`, '))');
      },
    };
  },
};

function isInHead(path: NodePath): boolean {
  const around = path.findParent((p) => p.isFunction() || p.isCatchClause() || p.isForOfStatement());
  if (around === null || around.isFunction()) return false;
  if (around.isCatchClause()) return path.node.start! < around.node.body.start!;
  const loop = around.node as t.ForOfStatement;
  return loop.await && path.node.start! < loop.right.start!;
}
