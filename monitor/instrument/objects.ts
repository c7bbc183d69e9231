/** Which objects are worth a hook, and whether naming one twice is safe. */
import { isBuiltin } from 'node:module';
import type { NodePath } from '@babel/traverse';
import type * as t from './ast.ts';
import { keyName } from './names.ts';

const COMMONJS: ReadonlySet<string> = new Set(['require', 'module', 'exports']);
/** Globals whose members are shared state of the program. */
const SHARED_GLOBALS: ReadonlySet<string> = new Set([
  ...['globalThis', 'global', 'window', 'self'],
  // From Node 26 on, and of environments that are like a browser.
  ...['localStorage', 'sessionStorage'],
]);

/** Members of these are never logged: built-in globals, imports of built-in modules, `import.meta`, `super`. */
export function isQuiet(object: NodePath): boolean {
  const { node } = object;
  switch (node.type) {
    case 'Super':
    case 'Import':
    case 'MetaProperty':
      return true;
    case 'Identifier':
      return isQuietName(object, node.name);
    case 'MemberExpression':
      if (isEnvironment(object)) return false;
      // `Number.prototype.x` is no state of the program.
      return rootOf(object).isMetaProperty() || (isGlobal(rootOf(object)) && !node.computed);
    default:
      return false;
  }
}

/** `process.env` */
function isEnvironment({ node, scope }: NodePath): boolean {
  if (node.type !== 'MemberExpression') return false;
  const { object, property, computed } = node;
  if (computed || object.type !== 'Identifier' || object.name !== 'process') return false;
  return keyName(property) === 'env' && scope.getBinding('process') === undefined;
}

function rootOf(path: NodePath): NodePath {
  let at = path;
  while (at.isMemberExpression()) at = at.get('object');
  return at;
}

function isGlobal(path: NodePath): boolean {
  if (!path.isIdentifier()) return false;
  const { name } = path.node;
  return path.scope.getBinding(name) === undefined && isGlobalName(name);
}

function isGlobalName(name: string): boolean {
  return COMMONJS.has(name) || (name in globalThis && !SHARED_GLOBALS.has(name));
}

const PURE_GLOBALS: ReadonlySet<string> = new Set(
  'Math Number String Boolean BigInt Array Object JSON Symbol Reflect parseInt parseFloat isNaN isFinite'.split(
    ' ',
  ),
);

/** A call of a built-in function that computes and does nothing else: `Math.sqrt(x)`, `Number(x)`. */
export function isPureCall(path: NodePath, call: t.CallExpression | t.OptionalCallExpression): boolean {
  const { callee } = call;
  const root = callee.type === 'MemberExpression' ? callee.object : callee;
  if (root.type !== 'Identifier' || !PURE_GLOBALS.has(root.name)) return false;
  return path.scope.getBinding(root.name) === undefined;
}

/** {@link isQuiet} for a variable in sight of `path`. */
export function isQuietName(path: NodePath, name: string): boolean {
  const binding = path.scope.getBinding(name);
  if (binding === undefined) return isGlobalName(name);
  if (binding.path.isImportNamespaceSpecifier()) return true;
  const source = sourceOf(path, name);
  return source !== null && isBuiltin(source) && !(name === 'env' && /^(node:)?process$/.test(source));
}

/** The module that a variable in sight of `path` was imported or required from, or null. */
export function sourceOf(path: NodePath, name: string): string | null {
  const from = path.scope.getBinding(name)?.path;
  if (from === undefined) return null;
  if (from.isImportDefaultSpecifier() || from.isImportSpecifier() || from.isImportNamespaceSpecifier())
    return (from.parent as t.ImportDeclaration).source.value;
  return from.isVariableDeclarator() ? requiredBy(from.node.init) : null;
}

/** `require('fs')`, `require('fs').promises` */
function requiredBy(init: t.Node | null | undefined): string | null {
  if (init?.type === 'MemberExpression') return requiredBy(init.object);
  if (init?.type !== 'CallExpression') return null;
  const { callee } = init;
  const [from] = init.arguments;
  const isRequire = callee.type === 'Identifier' && callee.name === 'require';
  return isRequire && from?.type === 'StringLiteral' ? from.value : null;
}

/**
 * Text that names the object again without evaluating anything: `this`, and variables of the program.
 * A variable that the rest of the expression assigns would be logged wrongly, so only constant ones, or any
 * where the rest is simple.
 */
export function repeatable(object: NodePath, rest: readonly t.Node[]): string | null {
  const { node } = object;
  if (node.type === 'ThisExpression') return 'this';
  if (node.type !== 'Identifier') return null;
  const binding = object.scope.getBinding(node.name);
  if (binding === undefined) return null;
  return binding.constant || rest.every(isSimple) ? node.name : null;
}

/** Evaluating this runs no code that could assign a variable. */
export function isSimple(node: t.Node): boolean {
  switch (node.type) {
    case 'Identifier':
    case 'ThisExpression':
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
    case 'NullLiteral':
    case 'PrivateName':
      return true;
    case 'BinaryExpression':
    case 'LogicalExpression':
      return isSimple(node.left) && isSimple(node.right);
    case 'UnaryExpression':
      return isSimple(node.argument);
    case 'MemberExpression':
      return isSimple(node.object) && isSimple(node.property);
    default:
      return false;
  }
}

/**
 * Inside an optional chain, after its `?.`, an object cannot be wrapped: the wrapper would end the chain and
 * a nullish head would throw. Where the member has its own `?.`, it can.
 */
export function canWrap(member: NodePath): boolean {
  return !(member.isOptionalMemberExpression() && !member.node.optional);
}

/** A value made on the spot: nobody else has seen it. */
export function isLiteral(node: t.Node): boolean {
  return node.type === 'ArrayExpression' || node.type === 'ObjectExpression' || node.type === 'StringLiteral';
}

/** Text for a literal, to be put in elsewhere; null for anything else. */
export function literalText(node: t.Node): string | null {
  // The paragraph sign marks point numbers in inserted text.
  if (node.type === 'StringLiteral') return node.value.includes('§') ? null : JSON.stringify(node.value);
  return node.type === 'NumericLiteral' ? String(node.value) : null;
}
