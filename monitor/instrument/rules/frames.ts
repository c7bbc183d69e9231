/** Functions: the frame of their activation, and the head that declares what other rules need. */
import type { NodePath } from '@babel/traverse';
import { isAssumed } from '../assumed.ts';
import type * as t from '../ast.ts';
import { atomicity } from '../atomicity.ts';
import type { FunctionBody } from '../bodies.ts';
import type { RuleContext } from '../context.ts';
import { functionName } from '../names.ts';
import { needsSyncFrame, touchesAnything } from '../sync-frames.ts';
import { UNCOUNTED } from '../uncounted.ts';
import type { Rule } from './rule.ts';

/** What opens and closes the frame of a function; empty where it needs none. */
export type FrameText = (
  ctx: RuleContext,
  path: NodePath<t.Function>,
  body: FunctionBody,
) => { open: string; close: string };

/** The rule that declares temporaries, around frames of some kind. */
export const heads = (frame: FrameText): Rule => ({
  name: 'frames',
  visitor: (ctx) => ({
    Program: { enter: (path: NodePath<t.Program>) => programHead(ctx, path) },
    Function: {
      enter: (path: NodePath<t.Function>) =>
        functionHead(ctx, path, frame(ctx, path, ctx.bodyOf(path.node, path))),
    },
  }),
});

function programHead(ctx: RuleContext, path: NodePath<t.Program>): void {
  const { node } = path;
  const body = ctx.bodyOf(node, path);
  const directive = node.directives?.at(-1);
  const at = directive?.end ?? (node.interpreter ? lineAfter(ctx.code, node.interpreter.end!) : 0);
  ctx.edits.open(at, () => {
    const text = declared('var', body);
    return text === '' ? '' : `;${text}`;
  });
}

function lineAfter(code: string, at: number): number {
  const end = code.indexOf('\n', at);
  return end < 0 ? code.length : end + 1;
}

/** `var` in a module body, where functions may be called before the first statement has run. */
function declared(keyword: 'var' | 'let', body: FunctionBody): string {
  const names = Array.from({ length: body.temporaries }, (_, i) => `__covt${i}`);
  return (names.length > 0 ? `${keyword} ${names.join()};` : '') + body.declarations.join('');
}

function functionHead(
  ctx: RuleContext,
  path: NodePath<t.Function>,
  { open, close }: { open: string; close: string },
): void {
  const { node } = path;
  const body = ctx.bodyOf(node, path);
  const block = node.body;
  if (block.type !== 'BlockStatement') {
    const head = () => declared('let', body) + open + body.prologue.join('');
    const needed = () => head() !== '';
    ctx.edits.open(block.start!, () => (needed() ? `{${head()}return ` : ''));
    ctx.edits.close(block.end!, () => (needed() ? `${close}}` : ''));
    return;
  }
  const directive = block.directives?.at(-1);
  const at = directive?.end ?? block.start! + 1;
  const head = () => {
    const text = declared('let', body) + open + body.prologue.join('');
    return text === '' ? '' : `;${text}`;
  };
  if (at === block.end! - 1) ctx.edits.open(at, () => head() + close);
  else {
    ctx.edits.open(at, head);
    ctx.edits.close(block.end! - 1, close);
  }
}

/** Assertions that look at what a function throws, and what makes it the reason of a rejection, at which anybody may look. */
const LOOKERS = /^(throws|doesNotThrow|expect|then|catch|finally)$/;

/** What the first two parameters of a handler of requests are called: whoever calls it answers with what it throws. */
const HANDLERS: readonly RegExp[] = [
  /^_?(?:req|request|ctx|context)$/,
  /^_?(?:res|response|rep|reply|next)$/,
];
/** Node's own servers do not: what is thrown there is uncaught. */
const SERVERS = /^(?:createServer|on|once|addListener)$/;

const isHandler = ({ params }: t.Function): boolean =>
  HANDLERS.every((words, n) => {
    const param = params[n];
    return param?.type === 'Identifier' && words.test(param.name);
  });

/**
 * Code of others may look at what it throws: what leaves it has the words of the engine. Of others it is left alone: where
 * an error was thrown last is what Node shows of an uncaught one.
 */
function isLookedAt(path: NodePath<t.Function>, { async, generator }: FunctionBody): boolean {
  const { parent, listKey } = path;
  if (async || generator) return async;
  const isCall = parent.type === 'CallExpression' || parent.type === 'OptionalCallExpression';
  const callee = listKey === 'arguments' && isCall ? calleeName(parent) : '';
  if (isHandler(path.node)) return !SERVERS.test(callee);
  if (listKey === 'arguments' && parent.type === 'NewExpression') return isPromise(parent.callee);
  return LOOKERS.test(callee);
}

function calleeName({ callee }: t.CallExpression | t.OptionalCallExpression): string {
  const isMember = callee.type === 'MemberExpression' || callee.type === 'OptionalMemberExpression';
  const name = isMember ? callee.property : callee;
  return name.type === 'Identifier' ? name.name : '';
}

const isPromise = (callee: t.Node): boolean => callee.type === 'Identifier' && callee.name === 'Promise';

/** What leaves the function gets the words of the engine. */
function wording(ctx: RuleContext): string {
  const error = ctx.name('e');
  return `catch(${error}){${UNCOUNTED}throw __cov.ce(${error})}`;
}

function frameText(
  ctx: RuleContext,
  path: NodePath<t.Function>,
  body: FunctionBody,
): { open: string; close: string } {
  const { async } = body;
  if (!async && !needsSyncFrame(path)) {
    const isQuiet = !isLookedAt(path, body) || !touchesAnything(path) || hoistingClash(path);
    return isQuiet ? { open: '', close: '' } : { open: 'try{', close: `}${wording(ctx)}` };
  }
  const clash = hoistingClash(path);
  if (clash && !async) return { open: '', close: '' };
  const lex = body.outer?.frameName() ?? 'null';
  const name = functionName(path);
  const site = ctx.site(path, { fn: name, text: name, atomic: atomicity(path) });
  body.frame = ctx.name('f');
  const enter = async ? 'enter' : 'senter';
  const frame = `const ${body.frame}=__cov.${enter}(${site},${lex});`;
  // A block would change what its functions and variables of one name mean; a resource needs none.
  if (clash) {
    return { open: `${frame}using ${ctx.name('u')}=__cov.closing(${site},${body.frame});`, close: '' };
  }
  const exit = `__cov.${async ? 'exit' : 'sexit'}(${body.frame})`;
  const end = async && isAssumed(ctx, path) ? `try{${answer(ctx, body.frame, site)}}finally{${exit}}` : exit;
  const words = isLookedAt(path, body) ? wording(ctx) : '';
  return { open: `${frame}try{`, close: `}${words}finally{${end}}` };
}

/** An async function whose calls are to complete like a host request waits for that request, however it ends. */
function answer(ctx: RuleContext, frame: string, site: string): string {
  const promise = ctx.name('a');
  return `__cov.re(${frame});const ${promise}=__cov.assumed(${site});if(${promise})__cov.resume(${site},${frame},await __cov.suspend(${site},${frame},${promise}))`;
}

export const frames: Rule = heads(frameText);

/**
 * Whether the body declares a function twice, or a function and a variable of one name: allowed directly in
 * a function, an error in a block.
 */
export function hoistingClash(path: NodePath<t.Function>): boolean {
  const { body } = path.node;
  if (body.type !== 'BlockStatement') return false;
  const functions = new Set<string>();
  for (const statement of body.body) {
    if (statement.type !== 'FunctionDeclaration' || !statement.id) continue;
    if (functions.has(statement.id.name)) return true;
    functions.add(statement.id.name);
  }
  if (functions.size === 0) return false;
  let clash = false;
  path.traverse({
    Function: (inner: NodePath<t.Function>) => inner.skip(),
    VariableDeclaration(inner: NodePath<t.VariableDeclaration>) {
      if (inner.node.kind !== 'var') return;
      for (const name of Object.keys(inner.getBindingIdentifiers())) if (functions.has(name)) clash = true;
    },
  });
  return clash;
}
