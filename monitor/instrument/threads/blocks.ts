/**
 * Transactions of programs of threads: calls of functions and methods, passes of loop bodies. Those that cannot hold
 * two accesses of one entity are left alone, and so are those that may be suspended in the middle: a thread does other
 * things meanwhile.
 */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import { atomicity, wordAt } from '../atomicity.ts';
import type { FunctionBody } from '../bodies.ts';
import type { RuleContext } from '../context.ts';
import { functionName } from '../names.ts';
import { isPureCall } from '../objects.ts';
import { heads, hoistingClash } from '../rules/frames.ts';
import type { Rule } from '../rules/rule.ts';
import { isAnnotation, isAtomics } from './operations.ts';
import { viewName } from './view-name.ts';

const CLOSE = '}finally{__cov.leave()}';
const open = (site: string): string => `__cov.enter(${site});try{`;

/** Around the bodies of functions. */
export const calls: Rule = heads((ctx, path, body) => {
  const { node } = path;
  const isNone = node.generator || isAnnotated(path) || hoistingClash(path);
  if (node.async && !isNone) return activation(ctx, path, body);
  if (isNone || !mayHoldTwo(path)) return { open: '', close: '' };
  const name = functionName(path);
  const site = ctx.site(path, { fn: name, text: name, atomic: atomicity(path) });
  return { open: open(site), close: CLOSE };
});

/** The call of an async function: it may be suspended, and the rules for `await` say when. */
function activation(
  ctx: RuleContext,
  path: NodePath<t.Function>,
  body: FunctionBody,
): { open: string; close: string } {
  const name = functionName(path);
  const site = ctx.site(path, { fn: name, text: name, atomic: atomicity(path) });
  body.frame = ctx.name('f');
  const frame = `const ${body.frame}=__cov.open(${site});try{`;
  return { open: frame, close: `}finally{__cov.close(${body.frame})}` };
}

/** The body of an annotated operation, or of a transaction that is told as such. */
const isAnnotated = ({ listKey, parentPath }: NodePath): boolean =>
  listKey === 'arguments' && parentPath?.isCallExpression() === true && isAnnotation(parentPath);

/** Around the bodies of loops. */
export const passes: Rule = {
  name: 'passes',
  visitor: (ctx) => ({ Loop: { enter: (path: NodePath<t.Loop>) => pass(ctx, path) } }),
};

function pass(ctx: RuleContext, path: NodePath<t.Loop>): void {
  const body = path.get('body') as NodePath;
  if (isSuspended(path) || !mayHoldTwo(body)) return;
  const { line, column } = path.node.loc!.start;
  const site = ctx.site(path, {
    text: `${KEYWORD[path.node.type]}@${line}:${column + 1}`,
    atomic: wordAt(path) ?? inherited(path),
  });
  if (body.isBlockStatement()) {
    const { start, end } = body.node;
    ctx.edits.open(start! + 1, open(site));
    ctx.edits.close(end! - 1, CLOSE);
  } else {
    ctx.edits.open(body.node.start!, `{${open(site)}`);
    ctx.edits.close(body.node.end!, `${CLOSE}}`);
  }
}

const KEYWORD: Readonly<Record<t.Loop['type'], string>> = {
  ForStatement: 'for',
  ForInStatement: 'for',
  ForOfStatement: 'for',
  WhileStatement: 'while',
  DoWhileStatement: 'do',
};

/** What is said of a function that is no transaction is said of its loops. */
function inherited(path: NodePath): false | null {
  const fn = path.getFunctionParent();
  return fn && atomicity(fn as NodePath<t.Function>) === false ? false : null;
}

/** Whether other turns may fall into a pass. */
function isSuspended(path: NodePath<t.Loop>): boolean {
  if (path.isForOfStatement() && path.node.await) return true;
  let found = false;
  const yes = (inner: NodePath): void => {
    found = true;
    inner.stop();
  };
  path.traverse({
    Function: (inner: NodePath) => inner.skip(),
    AwaitExpression: yes,
    YieldExpression: yes,
    ForOfStatement: (inner: NodePath<t.ForOfStatement>) => {
      if (inner.node.await) yes(inner);
    },
  });
  return found;
}

/** Whether two accesses of one entity may happen below: in what is called, in turns of a loop, or one after the other. */
function mayHoldTwo(path: NodePath): boolean {
  const outer = path.isFunction() ? path : path.parentPath!;
  const names = new Set<string>();
  let found = false;
  const yes = (inner: NodePath): void => {
    found = true;
    inner.stop();
  };
  /** An array without a name may be any other one. */
  const access = (inner: NodePath, name: string | null, times: number): void => {
    const known = name ?? '';
    if (times > 1 || names.has(known) || names.has('') || (name === null && names.size > 0)) yes(inner);
    else if (isRepeated(inner, outer)) yes(inner);
    names.add(known);
  };
  const called = (inner: NodePath<t.CallExpression> | NodePath<t.OptionalCallExpression>): void => {
    const [first] = inner.node.arguments;
    if (inner.isCallExpression() && isAtomics(inner)) access(inner, first ? viewName(first) : null, 1);
    else if (!isPureCall(inner, inner.node)) yes(inner);
  };
  const element = (inner: NodePath<t.MemberExpression> | NodePath<t.OptionalMemberExpression>): void => {
    const { computed, object, property } = inner.node;
    if (computed && property.type !== 'StringLiteral') access(inner, viewName(object), timesOf(inner));
  };
  const visitor = {
    Function: (inner: NodePath) => inner.skip(),
    CallExpression: called,
    OptionalCallExpression: called,
    NewExpression: yes,
    TaggedTemplateExpression: yes,
    SpreadElement: yes,
    ForOfStatement: yes,
    MemberExpression: element,
    OptionalMemberExpression: element,
  };
  const own = path.isFunction() ? (path.get('body') as NodePath) : path;
  if (own.isCallExpression()) called(own);
  if (own.isNewExpression()) return true;
  own.traverse(visitor);
  return found;
}

/** An update is two accesses. */
function timesOf({ parentPath, key }: NodePath): number {
  if (parentPath?.isUpdateExpression()) return 2;
  return parentPath?.isAssignmentExpression() && key === 'left' && parentPath.node.operator !== '=' ? 2 : 1;
}

/** Whether there is a loop around it, within `outer`. */
function isRepeated(path: NodePath, outer: NodePath): boolean {
  for (let at = path.parentPath; at !== null && at.node !== outer.node; at = at.parentPath)
    if (at.isLoop()) return true;
  return false;
}
