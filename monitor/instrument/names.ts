/** Names of functions, for people and for stable paths. */
import type { NodePath } from '@babel/traverse';
import type * as t from './ast.ts';
import { isCoroutine, isTrampoline } from './coroutines.ts';

/** `deposit`, `Account.deposit`, or by place and use: `setTimeout@12:5`. */
export function functionName(path: NodePath<t.Function>): string {
  const { node } = path;
  if ('id' in node && node.id) return node.id.name;
  if ('key' in node) {
    const owner = path.isClassMethod() || path.isClassPrivateMethod() ? className(path) : null;
    const own = keyName(node.key as t.Node) ?? placed(node, 'method');
    return owner === null ? own : `${owner}.${own}`;
  }
  if (isCoroutine(path)) return coroutineName(path.parentPath as NodePath, node);
  return assignedName(path) ?? usedAs(node, path);
}

/** The name of the async function that was written. `call`: of what drives the generator. */
function coroutineName(call: NodePath, node: t.Node): string {
  const around = call.getFunctionParent();
  if (around && isTrampoline(around)) return functionName(around);
  const assigned = assignedName(call);
  // `(function () { var _ref = _asyncToGenerator(function* () {}); return function () { return _ref.apply(this, arguments); }; })()`
  if (around && assigned !== null && REF.test(assigned)) {
    const last = around.node.body.type === 'BlockStatement' ? around.node.body.body.at(-1) : null;
    const made = last?.type === 'ReturnStatement' ? last.argument : null;
    if (made?.type === 'FunctionExpression' && made.id) return made.id.name;
    const whole = around.parentPath;
    return assignedName(whole) ?? usedAs(node, whole);
  }
  return assigned?.replace(/^_/, '') ?? usedAs(node, call);
}

/** What Babel calls the generator of a function expression. */
const REF = /^_ref\d*$/;

function className(path: NodePath): string | null {
  const cls = path.findParent((p) => p.isClass())!.node as t.Class;
  return cls.id?.name ?? null;
}

/** The static name of a property key. */
export function keyName(key: t.Node): string | null {
  if (key.type === 'Identifier') return key.name;
  if (key.type === 'StringLiteral') return key.value;
  if (key.type === 'NumericLiteral') return String(key.value);
  if (key.type === 'PrivateName') return `#${key.id.name}`;
  return null;
}

function assignedName(path: NodePath): string | null {
  const { parent } = path;
  switch (parent.type) {
    case 'VariableDeclarator':
      return parent.id.type === 'Identifier' ? parent.id.name : null;
    case 'AssignmentExpression':
      if (parent.left.type === 'Identifier') return parent.left.name;
      return parent.left.type === 'MemberExpression' && !parent.left.computed
        ? keyName(parent.left.property)
        : null;
    case 'ObjectProperty':
    case 'ClassProperty':
      return parent.computed ? null : keyName(parent.key);
    case 'ClassPrivateProperty':
      return keyName(parent.key);
    case 'ExportDefaultDeclaration':
      return 'default';
    default:
      return null;
  }
}

function calleeName(path: NodePath): string | null {
  const { parent } = path;
  if (
    parent.type !== 'CallExpression' &&
    parent.type !== 'NewExpression' &&
    parent.type !== 'OptionalCallExpression'
  ) {
    return null;
  }
  const { callee } = parent;
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type !== 'MemberExpression' && callee.type !== 'OptionalMemberExpression') return null;
  return callee.computed ? null : keyName(callee.property);
}

/** By what it is handed to at `use`. */
const usedAs = (node: t.Node, use: NodePath): string => placed(node, calleeName(use) ?? 'anonymous');

/** Paths are joined with dots and number signs; a place is not. */
function placed(node: t.Node, name: string): string {
  const { line, column } = node.loc!.start;
  return `${name.replace('#', '')}@${line}:${column + 1}`;
}

/** A function or class that gets its name from where it stands. */
export function isAnonymousFunction(node: t.Node): boolean {
  return node.type === 'ArrowFunctionExpression' || ('id' in node && node.id === null);
}
