/** Finds groups of accesses before the rules of members see them one by one. */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { RuleContext } from '../context.ts';
import { siteMark } from '../edits.ts';
import { canLead, type Group, groupsIn, newsOf } from '../groups.ts';
import type { Rule } from './rule.ts';

export const groups: Rule = {
  name: 'groups',
  visitor: (ctx) => ({
    Program: (path: NodePath<t.Program>) => list(ctx, path, path.node.body),
    BlockStatement: (path: NodePath) => list(ctx, path, (path.node as { body: t.Node[] } & t.Node).body),
    SwitchCase: (path: NodePath) =>
      list(ctx, path, (path.node as { consequent: t.Node[] } & t.Node).consequent),
  }),
};

function list(ctx: RuleContext, path: NodePath, statements: readonly t.Node[]) {
  for (const { name, accesses } of groupsIn(statements, path)) {
    // A block inside of another list was seen with it.
    const own = accesses.filter(({ node }) => !ctx.grouped.has(node));
    if (own.length > 0 && canLead(name, own[0]!)) place(ctx, path, { name, accesses: own });
  }
}

/** One point for everything that is new; the first access carries the hook of all. */
function place(ctx: RuleContext, path: NodePath, { name, accesses }: Group) {
  const first = ctx.sites.length;
  accesses.forEach((access, i) => {
    for (const kind of newsOf(access, accesses.slice(0, i))) {
      ctx.siteOf(access.member, path, { key: access.key, access: kind });
    }
    ctx.grouped.set(access.node, '');
  });
  const { node, kinds } = accesses[0]!;
  const points = `${siteMark(first)},${ctx.sites.length - first},`;
  ctx.grouped.set(node, kinds[0] === 'write' ? `__cov.gw(${points}${name},` : `__cov.g(${points}`);
}
