/**
 * Which synchronous functions open a frame. Only those that can be the start of asynchronous work, or that a
 * library may call later: a pure computation stays as it is.
 */
import type { NodePath } from '@babel/traverse';
import { COLLECTION_METHODS, SYNCHRONOUS_CALLBACKS } from '../runtime/methods.ts';
import type * as t from './ast.ts';
import { isTrampoline } from './coroutines.ts';
import { keyName } from './names.ts';
import { isPureCall } from './objects.ts';

/** Whether a function that is not async gets a frame. */
export function needsSyncFrame(path: NodePath<t.Function>): boolean {
  const { node } = path;
  if (node.generator || isTrampoline(path)) return false;
  if ('kind' in node && (node.kind === 'constructor' || node.kind === 'get' || node.kind === 'set'))
    return false;
  if (isCalledInPlace(path)) return false;
  if (path.listKey === 'arguments') return touchesAnything(path);
  return startsWork(path);
}

/** An immediately called function, a promise executor, or a callback of a synchronous method. */
function isCalledInPlace(path: NodePath): boolean {
  const { parent } = path;
  if (path.key === 'callee') return true;
  if (path.listKey !== 'arguments') return false;
  if (parent.type === 'NewExpression')
    return parent.callee.type === 'Identifier' && parent.callee.name === 'Promise';
  const name = calledMethod(parent);
  return name !== null && SYNCHRONOUS_CALLBACKS.has(name);
}

function calledMethod(call: t.Node): string | null {
  if (call.type !== 'CallExpression' && call.type !== 'OptionalCallExpression') return null;
  const { callee } = call;
  if (callee.type !== 'MemberExpression' && callee.type !== 'OptionalMemberExpression') return null;
  return callee.computed ? null : keyName(callee.property);
}

/** Whether its body does anything that could be looked at. */
export function touchesAnything(path: NodePath<t.Function>): boolean {
  let found = false;
  const yes = (inner: NodePath) => {
    found = true;
    inner.stop();
  };
  path.get('body').traverse({
    MemberExpression: yes,
    OptionalMemberExpression: yes,
    CallExpression: yes,
    OptionalCallExpression: yes,
    NewExpression: yes,
    AssignmentExpression: yes,
    UpdateExpression: yes,
    TaggedTemplateExpression: yes,
  });
  const { type } = path.node.body;
  return found || /^(Optional)?(Call|Member)Expression$|^(New|Assignment|Update)Expression$/.test(type);
}

const known = new WeakMap<t.Node, boolean>();

/** Whether a call of the function may start something that outlives it. */
function startsWork(path: NodePath<t.Function>): boolean {
  const { node } = path;
  const before = known.get(node);
  if (before !== undefined) return before;
  // Recursion alone starts nothing.
  known.set(node, false);
  let found = false;
  const check = (inner: NodePath<t.CallExpression> | NodePath<t.OptionalCallExpression>) => {
    if (callStartsWork(inner)) found = true;
  };
  const visitor = {
    CallExpression: check,
    OptionalCallExpression: check,
    TaggedTemplateExpression: () => {
      found = true;
    },
    NewExpression: (inner: NodePath<t.NewExpression>) => {
      if (newStartsWork(inner)) found = true;
    },
    Function: (inner: NodePath<t.Function>) => {
      if (!isCalledInPlace(inner)) inner.skip();
    },
  };
  path.get('body').traverse(visitor);
  const body = path.get('body') as NodePath;
  if (body.isCallExpression() || body.isOptionalCallExpression()) check(body);
  if (body.isNewExpression() && newStartsWork(body)) found = true;
  known.set(node, found);
  return found;
}

function callStartsWork(call: NodePath<t.CallExpression> | NodePath<t.OptionalCallExpression>): boolean {
  const callee = call.get('callee') as NodePath;
  const method = calledMethod(call.node);
  if (method !== null) {
    const own = callee.isMemberExpression() ? ownMethod(callee, method) : null;
    if (own !== null) return own.node.async || startsWork(own);
    return (
      !COLLECTION_METHODS.has(method) && !SYNCHRONOUS_CALLBACKS.has(method) && !isPureCall(call, call.node)
    );
  }
  if (!callee.isIdentifier()) return true;
  const binding = callee.scope.getBinding(callee.node.name);
  if (binding === undefined) return !isPureCall(call, call.node);
  const target = binding.path.isVariableDeclarator() ? (binding.path.get('init') as NodePath) : binding.path;
  if (!binding.constant || !target.isFunction()) return true;
  return target.node.async || startsWork(target as NodePath<t.Function>);
}

/** The method that `this.name()` calls, as far as the class around it says. */
function ownMethod(callee: NodePath<t.MemberExpression>, name: string): NodePath<t.Function> | null {
  if (callee.node.object.type !== 'ThisExpression') return null;
  const body = callee.findParent((p) => p.isClassBody());
  if (body === null) return null;
  const members = body.get('body') as NodePath[];
  const found = members.find((m) => m.isClassMethod() && !m.node.computed && keyName(m.node.key) === name);
  return (found as NodePath<t.Function> | undefined) ?? null;
}

function newStartsWork(path: NodePath<t.NewExpression>): boolean {
  const { callee } = path.node;
  if (callee.type !== 'Identifier') return true;
  const binding = path.scope.getBinding(callee.name);
  if (binding === undefined) return callee.name === 'Promise' || !(callee.name in globalThis);
  return !binding.path.isClassDeclaration();
}
