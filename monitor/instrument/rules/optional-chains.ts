/**
 * Members behind a `?.`. Their objects cannot be wrapped: a wrapper would end the chain, and a nullish head would
 * throw. So the hook gets the object that the `?.` was asked of and goes down its data properties by itself.
 */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { RuleContext } from '../context.ts';
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
      const segments: Segment[] = [];
      for (let at = first; at >= 0 && at < links.length; at = nextOptional(links, at)) {
        const segment = segmentOf(ctx, path, links.slice(at, nextOptional(links, at)));
        if (segment !== null) segments.unshift(segment);
      }
      // What is further out comes first: the whole chain, and a head that has the one before in it.
      for (const { hook, after } of segments) ctx.wrap(path, hook, after);
      for (const { head, name, isNamed } of segments) if (!isNamed) ctx.wrap(head, `(${name}=`, ')');
      for (const { keys } of segments) for (const [key, name] of keys) ctx.wrap(key, `${name}=(`, ')');
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
interface Segment {
  /** What the `?.` is asked of. */
  readonly head: NodePath;
  /** What it is called in the hook. */
  readonly name: string;
  /** It has that name already. */
  readonly isNamed: boolean;
  /** Keys that are computed, and what they are called in the hook. */
  readonly keys: readonly (readonly [NodePath, string])[];
  /** What opens the hook, and what it gets behind the value of the chain. */
  readonly hook: string;
  readonly after: string;
}

function segmentOf(ctx: RuleContext, root: Link, links: readonly Link[]): Segment | null {
  const end = links.findIndex((link) => nameOf(link) === null && keyOf(link) === null);
  const members = end < 0 ? links : links.slice(0, end);
  const skipped = links.slice(Math.max(members.length, 1)).find((link) => keyOf(link) !== null);
  if (skipped) ctx.skip(skipped, SKIPPED);
  if (members.length < 2) return null;
  const head = members[0]!.get('object') as NodePath;
  if (isQuiet(head)) return null;
  const again = repeatable(head, []);
  const name = isCallee(root) || isDeleted(root) ? null : (again ?? ctx.temporary(root));
  const keys = members.flatMap((link) => keyOf(link) ?? []).map((key) => [key, ctx.temporary(root)] as const);
  if (name === null || !keys.every(isHeld)) {
    ctx.skip(root, SKIPPED);
    return null;
  }
  const points = members.map((link) => ctx.site(link, { key: nameOf(link), access: 'read' }));
  const argument = keyOfCall(links[members.length]) ?? (keys.length > 0 ? 'void 0' : null);
  const given = [argument, ...keys.map(([, name]) => name)].map((text) => (text === null ? '' : `,${text}`));
  return {
    ...{ head, name, isNamed: again !== null, keys, hook: keys.length > 0 ? '__cov.ock(' : '__cov.oc(' },
    after: `,${points[0]},${points.length},${name}${given.join('')})`,
  };
}

const isHeld = (key: readonly [NodePath, string | null]): key is readonly [NodePath, string] =>
  key[1] !== null;

function isDeleted({ parentPath }: NodePath): boolean {
  return parentPath?.isUnaryExpression({ operator: 'delete' }) === true;
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

/** The key of a member that is computed where the chain runs. */
function keyOf(link: Link): NodePath | null {
  const isMember = link.isOptionalMemberExpression() && link.node.property.type !== 'PrivateName';
  return isMember && nameOf(link) === null ? (link.get('property') as NodePath) : null;
}

/** `(a?.b.c)()` calls with `a.b` as its `this`. */
function isCallee({ key }: NodePath): boolean {
  return key === 'callee' || key === 'tag';
}
