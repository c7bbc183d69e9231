/**
 * Parentheses and types around an expression change nothing of what it does: `(o.k)`, `o.k!` and `o.k as T` may stand
 * wherever `o.k` may, as callee, as target, inside of a chain. No rule should have to know that: they are taken out of
 * the tree, and the expression gets the range of all of it, so that what is put around it stands around them too.
 */
import type * as t from './ast.ts';

const WRAPPERS: ReadonlySet<string> = new Set([
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSInstantiationExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
]);

/** No nodes below these. */
const APART: ReadonlySet<string> = new Set(
  'type start end loc extra leadingComments innerComments trailingComments'.split(' '),
);

interface SourceRange {
  readonly start: number;
  readonly end: number;
}

const cores = new WeakMap<t.Node, SourceRange>();

/** The range of the expression itself, without parentheses and types. */
export function coreOf(node: t.Node): SourceRange {
  return cores.get(node) ?? { start: node.start!, end: node.end! };
}

/** Takes wrappers out of everything below `node`, in place. */
export function unwrapBelow(node: t.Node): void {
  const fields = node as unknown as Record<string, unknown>;
  for (const key of Object.keys(fields)) {
    if (APART.has(key)) continue;
    const child = fields[key];
    if (isNode(child)) fields[key] = unwrapped(child);
    else if (Array.isArray(child)) {
      for (const [i, element] of child.entries()) if (isNode(element)) child[i] = unwrapped(element);
    }
  }
}

function isNode(value: unknown): value is t.Node {
  return typeof value === 'object' && value !== null && typeof (value as t.Node).type === 'string';
}

function unwrapped(node: t.Node): t.Node {
  const comments = [];
  let inner = node;
  while (WRAPPERS.has(inner.type)) {
    comments.push(...(inner.leadingComments ?? []));
    inner = (inner as t.Wrapper).expression;
  }
  unwrapBelow(inner);
  if (inner !== node) {
    cores.set(inner, { start: inner.start!, end: inner.end! });
    inner.start = node.start!;
    inner.end = node.end!;
    if (comments.length > 0) inner.leadingComments = [...comments, ...(inner.leadingComments ?? [])];
  }
  return inner;
}
