/**
 * Calls whose callee may be the code under test: methods of objects, functions that were imported, and those that a factory has
 * returned. Not those that the file defines itself, and none of runners, assertions and the host.
 */
import { isBuiltin } from 'node:module';
import type { NodePath } from '@babel/traverse';
import { runnerPackages } from '../../../data/runners.ts';
import type * as t from '../ast.ts';
import type { RuleContext } from '../context.ts';
import { keyName } from '../names.ts';
import type { Rule } from './rule.ts';

/** What tests are written with. */
const TOOLS = new RegExp(
  `^(?:${runnerPackages()}|chai|sinon|expect|should|supertest|superagent|nock|undici|axios|got|tap|tape|ava|testdouble|@(?:sinonjs|japa)/)`,
);
/** As tests call what their runner hands to them. */
const OF_TOOLS: ReadonlySet<string> = new Set(['expect', 'assert', 'should', 'sinon', 'jest', 'vi', 'done']);
const INTEROP = /^_?_?(?:interop\w*|importStar|importDefault|vi_import\w*)$/i;

export const testCalls: Rule = {
  name: 'test-calls',
  visitor: (ctx) => {
    if (!ctx.options.testCalls) return {};
    return {
      CallExpression(path: NodePath<t.CallExpression>) {
        const callee = path.get('callee') as NodePath;
        if (callee.isMemberExpression()) method(ctx, path, callee);
        else alone(ctx, path, callee);
      },
    };
  },
};

function method(ctx: RuleContext, path: NodePath, callee: NodePath<t.MemberExpression>): void {
  const { property, computed } = callee.node;
  const name = computed ? null : keyName(property as t.Node);
  const object = callee.get('object') as NodePath;
  if (name === null || name.startsWith('#') || object.isSuper()) return;
  const origin = originOf(headOf(object));
  if (origin !== null) hook(ctx, path, object, JSON.stringify(name), origin);
}

/** `fn()`, and `(0, module.fn)()` as compilers write it. */
function alone(ctx: RuleContext, path: NodePath, callee: NodePath): void {
  const last = callee.isSequenceExpression() ? (callee.get('expressions') as NodePath[]).at(-1)! : callee;
  if (!last.isIdentifier() && !(callee !== last && last.isMemberExpression())) return;
  const head = headOf(last);
  const origin = originOf(head);
  if (origin === null || (origin.source === null && !isVariable(head))) return;
  hook(ctx, path, callee, 'null', origin);
}

function hook(
  ctx: RuleContext,
  path: NodePath,
  value: NodePath,
  method: string,
  { source }: CalleeOrigin,
): void {
  const callee = (path.node as t.CallExpression).callee;
  const site = ctx.siteOf(callee, path, { text: ctx.textOf(callee).replace(/^0, ?/, '') });
  ctx.wrap(
    value,
    `__cov.callee(${site},`,
    `,${method},${source === null ? 'null' : JSON.stringify(source)})`,
  );
}

/** Where a name comes from; `source` null: the test has made it. */
interface CalleeOrigin {
  readonly source: string | null;
}

/** What the callee begins with: `db` of `db.users.of(1).add`. */
function headOf(path: NodePath): NodePath {
  let at = path;
  for (;;) {
    if (at.isMemberExpression() || at.isOptionalMemberExpression()) at = at.get('object') as NodePath;
    else if (at.isCallExpression() || at.isOptionalCallExpression()) at = at.get('callee') as NodePath;
    else if (at.isAwaitExpression()) at = at.get('argument') as NodePath;
    else if (at.isTSNonNullExpression() || at.isTSAsExpression() || at.isParenthesizedExpression())
      at = at.get('expression') as NodePath;
    else return at;
  }
}

/** null: it is not of the code under test. */
function originOf(head: NodePath): CalleeOrigin | null {
  if (head.isThisExpression()) return { source: null };
  if (head.isNewExpression()) return isOwn(head) ? null : { source: null };
  if (!head.isIdentifier()) return null;
  const { name } = head.node;
  const binding = head.scope.getBinding(name);
  // Globals are those of the host and of the runner.
  if (!binding || OF_TOOLS.has(name)) return null;
  const { path } = binding;
  if (path.isFunctionDeclaration() || path.isClassDeclaration()) return null;
  if (path.parentPath?.isImportDeclaration()) return fromModule(path.parentPath.node.source.value);
  if (!path.isVariableDeclarator()) return { source: null };
  const init = path.node.init;
  const source = init ? requiredBy(init) : null;
  if (source !== null) return fromModule(source);
  return init && isOwn(path.get('init') as NodePath) ? null : { source: null };
}

const fromModule = (source: string): CalleeOrigin | null =>
  isBuiltin(source) || TOOLS.test(source) ? null : { source };

/** `require('lib')`, `_interopRequireDefault(require('lib'))`, `require('lib').name`, `await import('lib')`. */
function requiredBy(node: t.Node): string | null {
  if (node.type === 'AwaitExpression') return requiredBy(node.argument);
  if (node.type === 'MemberExpression') return requiredBy(node.object);
  if (node.type === 'ImportExpression') return textOf(node.source);
  if (node.type !== 'CallExpression') return null;
  const { callee, arguments: args } = node;
  const [first] = args;
  if (!first) return null;
  if (callee.type === 'Import' || (callee.type === 'Identifier' && callee.name === 'require'))
    return textOf(first);
  const name = callee.type === 'Identifier' ? callee.name : null;
  const member = callee.type === 'MemberExpression' ? keyName(callee.property as t.Node) : null;
  return INTEROP.test(name ?? member ?? '') ? requiredBy(first) : null;
}

const textOf = (node: t.Node): string | null => (node.type === 'StringLiteral' ? node.value : null);

/** Made of what the file holds itself: its functions, its literals, instances of its classes, the host's functions in other clothes. */
function isOwn(init: NodePath): boolean {
  if (init.isFunction() || init.isObjectExpression() || init.isArrayExpression() || init.isClass())
    return true;
  if (init.isAwaitExpression()) return isOwn(init.get('argument') as NodePath);
  if (!init.isCallExpression() && !init.isNewExpression()) return false;
  const head = headOf(init.get('callee') as NodePath);
  if (!head.isIdentifier()) return false;
  const binding = head.scope.getBinding(head.node.name);
  if (init.isNewExpression()) return !binding || binding.path.isClassDeclaration();
  if (!/promisify/i.test(nameOf(init.node as t.CallExpression))) return false;
  const [wrapped] = init.get('arguments') as NodePath[];
  return wrapped !== undefined && isOfHost(headOf(wrapped));
}

const nameOf = ({ callee }: t.CallExpression): string =>
  callee.type === 'MemberExpression'
    ? (keyName(callee.property as t.Node) ?? '')
    : callee.type === 'Identifier'
      ? callee.name
      : '';

function isOfHost(head: NodePath): boolean {
  if (!head.isIdentifier()) return false;
  const from = head.scope.getBinding(head.node.name)?.path;
  if (from === undefined) return true;
  const imported = from.parentPath?.isImportDeclaration() ? from.parentPath.node.source.value : null;
  const required = from.isVariableDeclarator() && from.node.init ? requiredBy(from.node.init) : null;
  return isBuiltin(imported ?? required ?? '');
}

const isVariable = (head: NodePath): boolean =>
  head.isIdentifier() && head.scope.getBinding(head.node.name)?.path.isVariableDeclarator() === true;
