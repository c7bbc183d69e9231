/** Which variables are shared state, and which number tells one instance of their scope from another. */
import type { Binding, NodePath, Scope } from '@babel/traverse';
import type * as t from './ast.ts';
import type { RuleContext } from './context.ts';
import { isDriverCall } from './coroutines.ts';

const VARIABLE_KINDS: ReadonlySet<string> = new Set(['let', 'var', 'param', 'hoisted']);

/** Another function sees it, and somebody assigns it after its declaration. */
export function isShared(binding: Binding | undefined): binding is Binding {
  // Babel leaves the name of what is only a type.
  if (binding === undefined || !VARIABLE_KINDS.has(binding.kind)) return false;
  const writes = binding.constantViolations.filter(isAssignment);
  if (writes.length === 0) return false;
  if (isExported(binding)) return true;
  const home = binding.scope.getFunctionParent();
  return [...writes, ...binding.referencePaths].some((path) => functionOf(path) !== home);
}

/** Other modules see every value that it is given. */
function isExported(binding: Binding): boolean {
  return binding.referencePaths.some(
    (path) => path.isExportNamedDeclaration() || path.parentPath?.isExportSpecifier(),
  );
}

/** Shared variables of a module that are exported under their own name. */
function exportedNames(module: NodePath): string[] {
  return Object.values(module.scope.bindings)
    .filter(
      (binding) => isShared(binding) && binding.referencePaths.some((path) => isOwnExport(path, binding)),
    )
    .map(({ identifier }) => identifier.name);
}

function isOwnExport(path: NodePath, { identifier }: Binding): boolean {
  if (path.isExportNamedDeclaration()) return true;
  const { parent } = path;
  if (parent.type !== 'ExportSpecifier') return false;
  const { exported } = parent;
  return exported.type === 'Identifier' && exported.name === identifier.name;
}

function functionOf(path: NodePath): Scope | null {
  return path.scope.getFunctionParent();
}

/** A second declaration of a `var` is no assignment that anybody could see between, nor is what a compiler makes of a declaration. */
function isAssignment(path: NodePath): boolean {
  if (path.isAssignmentExpression() && isDriverCall(path.node.right)) return false;
  return path.isAssignmentExpression() || path.isUpdateExpression() || path.isForXStatement();
}

/** The variables that hold scope numbers, one per function, block or module that needs one. */
export class ScopeVariables {
  readonly #context: RuleContext;
  readonly #names = new Map<t.Node, string>();

  constructor(context: RuleContext) {
    this.#context = context;
  }

  /** The name of the variable for the scope of `binding`; declared on first use. */
  at(binding: Binding): string | null {
    const home = homeOf(binding.scope.path);
    if (home === null) return null;
    let name = this.#names.get(home.node);
    if (name === undefined) {
      name = this.#context.name('s');
      this.#names.set(home.node, name);
      this.#declare(home, name);
    }
    return name;
  }

  #declare(home: NodePath, name: string): void {
    const site = this.#context.site(home, { text: '' });
    const exported = home.isProgram() ? exportedNames(home) : [];
    const hook = exported.length > 0 ? `exporting(${site},'${exported.join()}')` : `scope(${site})`;
    const init = `${name}=__cov.${hook};`;
    if (home.isBlockStatement()) this.#context.edits.open(home.node.start! + 1, `const ${init}`);
    else
      this.#context
        .bodyOf(home.node, home)
        .declarations.push(`${home.isProgram() ? 'var' : 'const'} ${init}`);
  }

  /** Parameters are evaluated before the body that declares the number. */
  sees(path: NodePath, binding: Binding): boolean {
    const home = homeOf(binding.scope.path);
    if (home === null || !home.isFunction()) return true;
    return path.node.start! >= home.node.body.start!;
  }
}

/** Where the number of a scope is declared: the function, module, or block around it. */
function homeOf(path: NodePath | null): NodePath | null {
  for (let at = path; at !== null; at = at.parentPath) {
    if (at.isFunction() || at.isProgram()) return at;
    if (at.isForXStatement()) {
      const body = at.get('body') as NodePath;
      if (body.isBlockStatement()) return body;
    }
    if (at.isBlockStatement() && !at.parentPath.isFunction()) return at;
    if (at.isStaticBlock() || at.isTSModuleBlock()) return null;
  }
  return null;
}
