/** `await E`, or `yield E` where a compiler has put that in its place, says that its activation gives way and when it goes on; `return f()` that its caller waits. */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { Rule } from './rule.ts';

export const awaits: Rule = {
  name: 'await',
  visitor: (ctx) => {
    const join = (value: NodePath, body: ReturnType<typeof ctx.body>) => {
      if (body === null || !body.async || body.generator || body.frame === null || !isCall(value.node))
        return;
      ctx.wrap(value, `__cov.join(${ctx.site(value)},__cov.mark(${body.frame}),(`, '))');
    };
    const suspends = (path: NodePath, argument: t.Node) => {
      const frame = ctx.body(path)?.frame ?? 'null';
      const site = ctx.site(path);
      const call = isCall(argument);
      ctx.open(path, `__cov.resume(${site},${frame},`);
      const operand = call ? `suspendCall(${site},__cov.mark(${frame})` : `suspend(${site},${frame}`;
      ctx.edits.open(argument.start!, `__cov.${operand},(`);
      ctx.edits.close(path.node.end!, ')');
      ctx.edits.close(argument.end!, '))');
    };
    return {
      AwaitExpression(path: NodePath<t.AwaitExpression>) {
        suspends(path, path.node.argument);
      },
      YieldExpression(path: NodePath<t.YieldExpression>) {
        const { argument, delegate } = path.node;
        if (!argument || delegate) return;
        const body = ctx.body(path);
        if (body?.async && !body.generator) suspends(path, argument);
      },
      ReturnStatement(path: NodePath<t.ReturnStatement>) {
        if (path.node.argument) join(path.get('argument') as NodePath, ctx.body(path));
      },
      ArrowFunctionExpression(path: NodePath<t.ArrowFunctionExpression>) {
        const body = path.get('body') as NodePath;
        if (!body.isBlockStatement()) join(body, ctx.bodyOf(path.node, path));
      },
    };
  },
};

/** Whether the value is that of a call made here, other than a combinator or factory of Promise. */
function isCall(node: t.Node): boolean {
  switch (node.type) {
    case 'ConditionalExpression':
      return isCall(node.consequent) || isCall(node.alternate);
    case 'LogicalExpression':
      return isCall(node.left) || isCall(node.right);
    case 'OptionalCallExpression':
    case 'TaggedTemplateExpression':
      return true;
    case 'CallExpression':
      return !isPromiseMethod(node.callee);
    default:
      return false;
  }
}

function isPromiseMethod(callee: t.Node): boolean {
  return (
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'Promise'
  );
}
