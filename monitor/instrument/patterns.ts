/**
 * Patterns in the heads of functions and loops take apart a value that has no name there. So the head gets a name, the
 * text of the pattern becomes a comment, and a copy of it is the first statement of the body. Only where nobody can tell:
 * nothing else in the head may look at what the pattern declares.
 */
import type { Binding, NodePath } from '@babel/traverse';
import type * as t from './ast.ts';
import type { RuleContext } from './context.ts';

/** What opens the hooks around the value that a pattern takes apart. */
type PatternHooks = (pattern: NodePath) => readonly string[];

/** Patterns that are parameters. A generator takes its parameters apart before its body begins. */
export function moveParameters(ctx: RuleContext, path: NodePath<t.Function>, hooks: PatternHooks): void {
  if (path.node.generator) return;
  const params = path.get('params') as NodePath[];
  if (!params.every((param) => isPlain(param.node))) return;
  for (const param of params) {
    const pattern = patternOf(param);
    if (!isTakenApart(ctx, pattern)) continue;
    // A function of the body that has the name of a parameter takes its place.
    const names = Object.keys(pattern.getBindingIdentifiers());
    if (names.some((name) => isReplaced(path.scope.getOwnBinding(name)))) continue;
    ctx.bodyOf(path.node, path).prologue.push(moved(ctx, pattern, 'var', hooks));
  }
}

/** Without its default, or the dots before it. */
function patternOf(param: NodePath): NodePath {
  if (param.isAssignmentPattern()) return param.get('left') as NodePath;
  return param.isRestElement() ? (param.get('argument') as NodePath) : param;
}

function isReplaced(binding: Binding | undefined): boolean {
  return binding === undefined || binding.constantViolations.some((by) => by.isFunctionDeclaration());
}

/** The pattern that a loop declares. */
export function movePattern(
  ctx: RuleContext,
  loop: NodePath<t.ForOfStatement>,
  declaration: NodePath<t.VariableDeclaration>,
  hooks: PatternHooks,
): void {
  const pattern = declaration.get('declarations')[0]!.get('id') as NodePath;
  const body = loop.get('body') as NodePath;
  const { kind } = declaration.node;
  if (!isPlain(pattern.node) || !isTakenApart(ctx, pattern)) return;
  const names = Object.keys(pattern.getBindingIdentifiers());
  if (names.some((name) => body.scope.path === body && body.scope.hasOwnBinding(name))) return;
  const statement = moved(ctx, pattern, kind, hooks);
  if (body.isBlockStatement()) ctx.edits.open(body.node.start! + 1, statement);
  else {
    ctx.edits.open(body.node.start!, `{${statement}`);
    ctx.edits.close(body.node.end!, '}');
  }
}

/** Puts a name in the place of the pattern and returns the statement that takes its value apart. */
function moved(ctx: RuleContext, pattern: NodePath, kind: string, hooks: PatternHooks): string {
  const name = ctx.name('p');
  const opened = hooks(pattern);
  ctx.open(pattern, `${name}/*`);
  ctx.edits.close(endOf(pattern), '*/');
  const text = textOf(ctx, pattern).replace(/\s+/g, ' ');
  return `${kind} ${text}=${opened.join('')}${name}${')'.repeat(opened.length)};`;
}

/** Without the type behind it. */
function textOf(ctx: RuleContext, pattern: NodePath): string {
  return ctx.code.slice(pattern.node.start!, endOf(pattern));
}

function endOf({ node }: NodePath): number {
  return ('typeAnnotation' in node && node.typeAnnotation?.start) || node.end!;
}

/** It names members of an object, and its text can stand in a comment and in one line. */
function isTakenApart(ctx: RuleContext, pattern: NodePath): boolean {
  return /\{/.test(textOf(ctx, pattern)) && !/\/[*/]|\*\/|[§'"`]/.test(textOf(ctx, pattern));
}

/** Nothing in it runs code or looks at a variable: names, patterns of names, literals as defaults. */
function isPlain(node: t.Node): boolean {
  switch (node.type) {
    case 'Identifier':
      return true;
    case 'RestElement':
      return isPlain(node.argument);
    case 'AssignmentPattern':
      return isPlain(node.left) && isConstant(node.right);
    case 'ArrayPattern':
      return node.elements.every((element) => element === null || isPlain(element));
    case 'ObjectPattern':
      return node.properties.every(
        (property) => property.type === 'RestElement' || (!property.computed && isPlain(property.value)),
      );
    default:
      return false;
  }
}

function isConstant(node: t.Node): boolean {
  if (node.type === 'ObjectExpression') return node.properties.length === 0;
  if (node.type === 'ArrayExpression') return node.elements.length === 0;
  return node.type === 'NumericLiteral' || node.type === 'BooleanLiteral' || node.type === 'NullLiteral';
}
