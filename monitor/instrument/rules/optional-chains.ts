/**
 * Members behind a `?.`. Their objects cannot be wrapped: a wrapper would end the chain, and a nullish head would
 * throw. So the hook gets the object that the `?.` was asked of and goes down its data properties by itself.
 */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { Context } from '../context.ts';
import { keyName } from '../names.ts';
import { isQuiet, literalText, repeatable } from '../objects.ts';
import type { Rule } from './rule.ts';

const SKIPPED = 'member behind an optional chain';

type Link = NodePath<t.OptionalMemberExpression> | NodePath<t.OptionalCallExpression>;

export const optionalChains: Rule = {
  name: 'optional-chains',
  visitor: (ctx) => {
    const visit = (path: Link) => {
      if (isInner(path)) return;
      const links = linksOf(path);
      const first = links.findIndex((link) => link.node.optional);
      for (let at = first; at >= 0 && at < links.length; at = nextOptional(links, at)) {
        segment(ctx, path, links.slice(at, nextOptional(links, at)));
      }
    };
    return { OptionalMemberExpression: visit, OptionalCallExpression: visit };
  },
};

/** A part of a longer chain. */
function isInner({ parentPath, key }: Link): boolean {
  const isLink = parentPath?.isOptionalMemberExpression() || parentPath?.isOptionalCallExpression();
  return isLink === true && (key === 'object' || key === 'callee');
}

/** The links of a chain in order of evaluation. */
function linksOf(root: Link): Link[] {
  const links: Link[] = [];
  for (
    let at: NodePath = root;
    ;
    at = at.get(at.isOptionalCallExpression() ? 'callee' : 'object') as NodePath
  ) {
    if (!at.isOptionalMemberExpression() && !at.isOptionalCallExpression()) return links.reverse();
    links.push(at);
  }
}

function nextOptional(links: readonly Link[], at: number): number {
  const next = links.findIndex((link, i) => i > at && link.node.optional);
  return next < 0 ? links.length : next;
}

/** The links from one `?.` up to the next. */
function segment(ctx: Context, root: Link, links: readonly Link[]): void {
  const named = links.findIndex((link) => nameOf(link) === null);
  const members = named < 0 ? links : links.slice(0, named);
  if (members.length < 2) return;
  const head = members[0]!.get('object') as NodePath;
  if (isQuiet(head)) return;
  if (isCallee(root) || root.parentPath?.isUnaryExpression({ operator: 'delete' })) {
    ctx.skip(root, SKIPPED);
    return;
  }
  let name = repeatable(head, []);
  if (name === null) {
    name = ctx.temporary(root);
    if (name === null) {
      ctx.skip(root, SKIPPED);
      return;
    }
    ctx.wrap(head, `(${name}=`, ')');
  }
  const points = members.map((link) => ctx.site(link, { key: nameOf(link), access: 'read' }));
  const key = keyOfCall(links[members.length]);
  ctx.wrap(root, '__cov.oc(', `,${points[0]},${points.length},${name}${key === null ? '' : `,${key}`})`);
}

/** Text for the first argument of a call, where naming it again is safe. */
function keyOfCall(link: Link | undefined): string | null {
  if (!link?.isOptionalCallExpression()) return null;
  const [first] = link.get('arguments') as NodePath[];
  return first === undefined ? null : (repeatable(first, link.node.arguments) ?? literalText(first.node));
}

/** The static name of a member; null for calls, computed and private names. */
function nameOf({ node }: Link): string | null {
  if (node.type !== 'OptionalMemberExpression' || node.property.type === 'PrivateName') return null;
  return node.computed && node.property.type === 'Identifier' ? null : keyName(node.property);
}

/** `(a?.b.c)()` calls with `a.b` as its `this`. */
function isCallee(root: NodePath): boolean {
  let at = root;
  while (at.parentPath?.isParenthesizedExpression()) at = at.parentPath;
  return at.key === 'callee' || at.key === 'tag';
}
