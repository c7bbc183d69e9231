/**
 * Private fields that a compiler took away: `#x` is an entry of a WeakMap then, and a helper reads and writes it.
 * Calls of the helpers of TypeScript, Babel and esbuild are accesses to the field, at the call.
 */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { RuleContext } from '../context.ts';
import { repeatable } from '../objects.ts';
import type { Rule } from './rule.ts';

/** `__classPrivateFieldGet`, `_classPrivateFieldSet2`, `__privateGet` */
const HELPER = /^_{1,2}(?:classPrivateField|private)(Get|Set)\d?$/;

export const privateFields: Rule = {
  name: 'private-fields',
  visitor: (ctx) => ({
    // What a helper does to its WeakMap says the same once more, at a place that tells nothing.
    Function(path: NodePath<t.Function>) {
      if (HELPER.test(declaredName(path))) path.skip();
    },
    CallExpression(path: NodePath<t.CallExpression>) {
      const kind = HELPER.exec(helperName(path.node.callee))?.[1];
      const args = path.get('arguments') as NodePath[];
      const field = fieldOf(path, args);
      if (kind === undefined || field === null) return;
      if (kind === 'Get') {
        const site = ctx.site(path, { key: field.key, access: 'read' });
        ctx.wrap(field.object, `__cov.r(${site},`, ')');
      } else if (args[2] !== undefined) written(ctx, path, field, args[2]);
    },
  }),
};

interface PrivateField {
  readonly object: NodePath;
  /** As it was written: `#x`. */
  readonly key: string;
}

function written(ctx: RuleContext, path: NodePath, { object, key }: PrivateField, value: NodePath) {
  let receiver = repeatable(object, [value.node]);
  if (receiver === null) {
    receiver = ctx.temporary(path);
    if (receiver === null) return ctx.skip(path, 'private field where no variable can be declared');
    ctx.wrap(object, `(${receiver}=`, ')');
  }
  ctx.wrap(value, `__cov.w(${ctx.site(path, { key, access: 'write' })},${receiver},`, ')');
}

/** `get(object, map)`, or the other way round; with "m" or "a" behind it is no field. */
function fieldOf(path: NodePath, args: readonly NodePath[]): PrivateField | null {
  const [first, second] = args;
  const last = args.at(-1)?.node;
  if (first === undefined || second === undefined) return null;
  if (last?.type === 'StringLiteral' && args.length > 2 && (last.value === 'm' || last.value === 'a'))
    return null;
  const [object, map] = second.isThisExpression() ? [second, first] : [first, second];
  return map.isIdentifier() ? { object, key: `#${fieldName(path, map.node.name)}` } : null;
}

/** TypeScript calls the map `_Class_field`, others `_field`. */
function fieldName(path: NodePath, map: string): string {
  const owner = path.findParent((p) => p.isClass())?.node as t.Class | undefined;
  const prefix = `_${owner?.id?.name}_`;
  return map.startsWith(prefix) ? map.slice(prefix.length) : map.replace(/^_/, '');
}

/** `f`, `tslib.f` and `(0, tslib.f)` */
function helperName(callee: t.Node): string {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'SequenceExpression') return helperName(callee.expressions.at(-1)!);
  return callee.type === 'MemberExpression' ? helperName(callee.property) : '';
}

/** The name of a function or of the variable that it is the value of, `this.f ||` before it or not. */
function declaredName(path: NodePath<t.Function>): string {
  const { node } = path;
  if (node.type === 'FunctionDeclaration') return node.id?.name ?? '';
  let at: NodePath | null = path.parentPath;
  while (at?.isLogicalExpression()) at = at.parentPath;
  const id = at?.isVariableDeclarator() ? at.node.id : null;
  return id?.type === 'Identifier' ? id.name : '';
}
