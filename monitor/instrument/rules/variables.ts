/** Variables that closures share: captured, and assigned after their declaration. */
import { posix } from 'node:path';
import type { Binding, NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { RuleContext } from '../context.ts';
import { isAnonymousFunction } from '../names.ts';
import { isShared, ScopeVariables } from '../variables.ts';
import type { Rule } from './rule.ts';

export const variables: Rule = {
  name: 'variables',
  visitor: (ctx) => {
    const scopes = new ScopeVariables(ctx);
    const shared = new Map<Binding, string>();
    const scopeOf = (path: NodePath, name: string): string | null => {
      const binding = path.scope.getBinding(name);
      const scope = binding === undefined ? undefined : shared.get(binding);
      return scope !== undefined && scopes.sees(path, binding!) ? scope : null;
    };
    return {
      Scopable(path: NodePath) {
        if (path.scope.path !== path) return;
        for (const binding of Object.values(path.scope.bindings)) {
          if (!isShared(binding)) continue;
          const scope = scopes.at(binding);
          if (scope !== null) shared.set(binding, scope);
        }
      },
      AssignmentExpression: (path: NodePath<t.AssignmentExpression>) => assigned(ctx, path, scopeOf),
      UpdateExpression(path: NodePath<t.UpdateExpression>) {
        const { argument } = path.node;
        if (argument.type !== 'Identifier') return;
        const scope = scopeOf(path, argument.name);
        if (scope === null) return;
        const site = ctx.site(path, { key: argument.name, access: 'both' });
        ctx.wrap(path, `__cov.wv(${site},${scope},(__cov.rv(${site},${scope}),`, '))');
      },
      ForXStatement: (path: NodePath<t.ForXStatement>) => loopHead(ctx, path, scopeOf),
      Identifier(path: NodePath<t.Identifier>) {
        if (!path.isReferencedIdentifier() || isElsewhere(path)) return;
        const { name } = path.node;
        const scope = scopeOf(path, name);
        if (scope !== null) read(ctx, path, name, 'rv', scope);
        else imported(ctx, path);
      },
    };
  },
};

type ScopeOf = (path: NodePath, name: string) => string | null;

/** Places where the name itself is meant, or that the other visitors take. */
function isElsewhere(path: NodePath): boolean {
  const { parentPath } = path;
  if (parentPath === null || parentPath.isExportSpecifier() || parentPath.isUpdateExpression()) return true;
  if (parentPath.isAssignmentExpression() || parentPath.isForXStatement()) return path.key === 'left';
  return parentPath.isUnaryExpression({ operator: 'delete' });
}

/** A variable of another module of the user's: what a name stands for there may change. */
function imported(ctx: RuleContext, path: NodePath<t.Identifier>) {
  const from = path.scope.getBinding(path.node.name)?.path;
  if (!from?.isImportSpecifier() || path.key === 'callee' || path.key === 'tag') return;
  const { source } = from.parent as t.ImportDeclaration;
  const { imported: remote } = from.node;
  if (remote.type !== 'Identifier' || !/^\.\.?\//.test(source.value) || /['\\§\n]/.test(source.value)) return;
  const file = posix.join(posix.dirname(ctx.options.file), source.value);
  if (!/['\\§\n]/.test(file)) read(ctx, path, remote.name, 'ri', `'${file}'`);
}

function read(ctx: RuleContext, path: NodePath, name: string, of: 'rv' | 'ri', scope: string) {
  const { parentPath } = path;
  const site = ctx.site(path, { key: name, access: 'read' });
  const label = parentPath!.isObjectProperty({ shorthand: true })
    ? `${(path.node as t.Identifier).name}:`
    : '';
  const isConstructed = parentPath!.isNewExpression() && path.key === 'callee';
  const hook = `__cov.${of}(${site},${scope},`;
  if (isConstructed) ctx.wrap(path, `(${hook}`, '))');
  else ctx.wrap(path, label + hook, ')');
}

/** The write is logged behind the whole assignment: names of functions are inferred as before. */
function assigned(ctx: RuleContext, path: NodePath<t.AssignmentExpression>, scopeOf: ScopeOf) {
  const { left, operator, right } = path.node;
  if (left.type !== 'Identifier') {
    if (left.type !== 'ObjectPattern' && left.type !== 'ArrayPattern') return;
    for (const name of Object.keys(path.getBindingIdentifiers())) {
      const scope = scopeOf(path, name);
      if (scope !== null)
        ctx.wrap(path, `__cov.wv(${ctx.site(path, { key: name, access: 'write' })},${scope},`, ')');
    }
    return;
  }
  const scope = scopeOf(path, left.name);
  if (scope === null) return;
  const compound = operator !== '=';
  const site = ctx.site(path, { key: left.name, access: compound ? 'both' : 'write' });
  if (!compound) return ctx.wrap(path, `__cov.wv(${site},${scope},`, ')');
  if (!isLogical(operator) || isAnonymousFunction(right)) {
    return ctx.wrap(path, `__cov.wv(${site},${scope},(__cov.rv(${site},${scope}),`, '))');
  }
  ctx.wrap(path, `(__cov.rv(${site},${scope}),`, ')');
  ctx.wrap(path.get('right') as NodePath, `__cov.wv(${site},${scope},`, ')');
}

function isLogical(operator: string): boolean {
  return operator === '??=' || operator === '||=' || operator === '&&=';
}

function loopHead(ctx: RuleContext, path: NodePath<t.ForXStatement>, scopeOf: ScopeOf) {
  const { left, body } = path.node;
  if (left.type !== 'Identifier' || body.type !== 'BlockStatement') return;
  const scope = scopeOf(path, left.name);
  if (scope === null) return;
  const site = ctx.site(path.get('left') as NodePath, { key: left.name, access: 'write' });
  ctx.edits.open(body.start! + 1, `__cov.wv(${site},${scope});`);
}
