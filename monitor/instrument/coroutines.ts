/**
 * Async functions that a compiler has made generators, for an older target: `__awaiter(this, void 0, void 0, function* () { yield f(); })`
 * (TypeScript, tslib), `__async` (esbuild), `_asyncToGenerator` (Babel), `_async_to_generator` (SWC). They are read as what they were, with
 * `yield` for `await`; what drives them is left alone. Where there are no generators either (ES5), they are seen as callbacks.
 */
import type { NodePath } from '@babel/traverse';
import type * as t from './ast.ts';

const DRIVER = /^(?:__awaiter|__async|_?asyncToGenerator\d*|_?async_to_generator\d*)$/;
/** What a driver calls. */
const STEP = /^(?:asyncGeneratorStep|async_generator_step)$/;

/** Whether a function is the generator that stands for an async function. */
export function isCoroutine({ listKey, node, parent }: NodePath<t.Function>): boolean {
  const isGenerator = 'generator' in node && node.generator === true && !node.async;
  return isGenerator && listKey === 'arguments' && isDriverCall(parent);
}

/** Whether a function drives such generators: its text comes from the compiler. */
export function isDriver({ node, parent, parentPath }: NodePath<t.Function>): boolean {
  if ('id' in node && node.id) return DRIVER.test(node.id.name) || STEP.test(node.id.name);
  // `var __awaiter = (this && this.__awaiter) || function …`
  const variable = parent.type === 'LogicalExpression' ? parentPath?.parent : parent;
  if (variable?.type !== 'VariableDeclarator' || variable.id.type !== 'Identifier') return false;
  return DRIVER.test(variable.id.name);
}

/** Whether a function only hands its call on to a generator that stands for it. */
export function isTrampoline({ node: { body } }: NodePath<t.Function>): boolean {
  if (body.type !== 'BlockStatement') return isDriverCall(body);
  const last = body.body.at(-1);
  if (last?.type !== 'ReturnStatement' || !last.argument) return false;
  if (!body.body.slice(0, -1).every(isKept)) return false;
  const { argument } = last;
  // Of a method: `_asyncToGenerator(function* () { … })()`.
  const isCalled = argument.type === 'CallExpression' && isDriverCall(argument.callee);
  return isCalled || isDriverCall(argument) || isHandedOn(argument);
}

/** `var _this = this, _arguments = arguments`. */
const isKept = (node: t.Node): boolean =>
  node.type === 'VariableDeclaration' &&
  node.declarations.every(
    ({ init }) =>
      init?.type === 'ThisExpression' || (init?.type === 'Identifier' && init.name === 'arguments'),
  );

/** `_ref.apply(this, arguments)`, by a name that a compiler has made. */
function isHandedOn(node: t.Node): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { object, property, computed } = node.callee;
  const [self, all, ...more] = node.arguments;
  const isApply = !computed && property.type === 'Identifier' && property.name === 'apply';
  const isMade = object.type === 'Identifier' && object.name.startsWith('_');
  const isAll = all?.type === 'Identifier' && all.name === 'arguments' && more.length === 0;
  return isApply && isMade && isAll && self?.type === 'ThisExpression';
}

/** Whether it makes an async function of a generator. */
export function isDriverCall(node: t.Node): boolean {
  return node.type === 'CallExpression' && isDriverName(node.callee);
}

/** `__awaiter`, `tslib_1.__awaiter`, `(0, tslib_1.__awaiter)`, `(0, _asyncToGenerator2.default)`, `_async_to_generator._`. */
function isDriverName(callee: t.Node): boolean {
  if (callee.type === 'SequenceExpression') return isDriverName(callee.expressions.at(-1)!);
  if (callee.type === 'Identifier') return DRIVER.test(callee.name);
  if (callee.type !== 'MemberExpression' || callee.computed) return false;
  return [callee.object, callee.property].some(
    (part) => part.type === 'Identifier' && DRIVER.test(part.name),
  );
}
