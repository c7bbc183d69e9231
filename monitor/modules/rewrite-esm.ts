/**
 * An ES module as a function that can be called once per run, line for line where it was.
 *
 * The function is a generator with one `yield`: up to it the module is *instantiated* (its exports exist,
 * its functions are hoisted, its other bindings are in their dead zone), after it the body is *evaluated*.
 * That is what lets modules of a cycle call each other's functions, as natively. A module with top-level
 * await is an async function that awaits `__uw.go` at the same place, if there is such a thing.
 *
 * `__uw` is what the linker passes in: `__uw.m0`… are the namespaces of the requested modules, `__uw.ns`
 * receives the own one, `__uw.meta` is `import.meta`, `__uw.load` is `import()`.
 */
import { parse } from '@babel/parser';
import MagicString from 'magic-string';
import { NotLinkable } from './errors.ts';
import { blank, breaks, type Node, type Path, traverse } from './syntax.ts';

/** A name that one module takes from another. `*` is the namespace itself. */
export interface Imported {
  readonly request: number;
  readonly name: string;
}

export interface ModulePlan {
  /** Source of a function expression. */
  readonly text: string;
  /** How many characters were put before the module's own first character. */
  readonly shift: number;
  /** It has top-level await. */
  readonly async: boolean;
  /** It reads `import.meta`. */
  readonly meta: boolean;
  /** Specifiers in order of first appearance. */
  readonly requests: readonly string[];
  readonly imports: readonly Imported[];
  /** Exported name → null when bound here, else where it comes from. */
  readonly exports: ReadonlyMap<string, Imported | null>;
  /** Requests of `export *`. */
  readonly stars: readonly number[];
  /** Specifiers of `import('…')` with a literal. */
  readonly dynamic: readonly string[];
}

/** Rewrites the text of a module; the text is plain JavaScript. */
export function rewriteModule(text: string, file: string): ModulePlan {
  const ast = parse(text, { sourceType: 'module' });
  return new Rewriter(text, file).run(ast as unknown as Node);
}

const literalName = (n: Node): string => (n.type === 'StringLiteral' ? n.value : n.name);

class Rewriter {
  private readonly out: MagicString;
  private readonly text: string;
  private readonly file: string;
  private readonly requests: string[] = [];
  private readonly imports: Imported[] = [];
  private readonly exports = new Map<string, Imported | null>();
  /** Exported name → the expression that reads it. */
  private readonly getters = new Map<string, string>();
  private readonly stars: number[] = [];
  private readonly dynamic: string[] = [];
  /** Local name of an import → where it comes from. */
  private readonly bound = new Map<string, Imported>();
  private setup = '';
  private async = false;
  private meta = false;

  constructor(text: string, file: string) {
    this.text = text;
    this.file = file;
    this.out = new MagicString(text);
  }

  run(ast: Node): ModulePlan {
    // Modules are evaluated in the order in which they are named, whatever names them.
    for (const { source } of ast.program.body) if (source) this.request(source);
    for (const statement of ast.program.body) {
      if (statement.type === 'ImportDeclaration') this.importDeclaration(statement);
    }
    for (const statement of ast.program.body) this.exportDeclaration(statement);
    traverse(ast, {
      Program: (path: Path) => this.references(path),
      AwaitExpression: (path: Path) => this.topLevel(path),
      ForOfStatement: (path: Path) => path.node.await && this.topLevel(path),
      VariableDeclaration: (path: Path) => path.node.kind === 'await using' && this.topLevel(path),
      MetaProperty: (path: Path) => {
        if (path.node.meta.name !== 'import') return;
        this.meta = true;
        this.replace(path.node, '__uw.meta');
      },
      ImportExpression: (path: Path) => this.importExpression(path.node),
    });
    const names = [...this.getters.keys()].sort();
    const own = names.map((n) => `get ${JSON.stringify(n)}(){return ${this.getters.get(n)}}`);
    const head =
      `(${this.async ? 'async function' : 'function*'}(__uw){'use strict';` +
      `__uw.ns={__proto__:null,${own.join(',')}};${this.setup}${this.async ? 'if(__uw.go)await __uw.go' : 'yield'};`;
    this.out.prepend(head).append('\n})');
    return {
      text: this.out.toString(),
      shift: head.length,
      async: this.async,
      meta: this.meta,
      requests: this.requests,
      imports: this.imports,
      exports: this.exports,
      stars: this.stars,
      dynamic: this.dynamic,
    };
  }

  private replace(node: Node, by: string): void {
    this.out.update(node.start, node.end, by);
  }

  /** Takes a declaration away, keeps its lines, and ends the statement before it as the keyword did. */
  private drop(node: Node): void {
    this.replace(node, `;${blank(this.text.slice(node.start, node.end)).slice(1)}`);
  }

  private request(source: Node): number {
    const at = this.requests.indexOf(source.value);
    return at >= 0 ? at : this.requests.push(source.value) - 1;
  }

  private importDeclaration(node: Node): void {
    if (node.phase) throw new NotLinkable(this.file, `import ${node.phase} is not supported`);
    const request = this.request(node.source);
    for (const s of node.specifiers) {
      const name =
        s.type === 'ImportNamespaceSpecifier'
          ? '*'
          : s.type === 'ImportDefaultSpecifier'
            ? 'default'
            : literalName(s.imported);
      const imported = { request, name };
      this.bound.set(s.local.name, imported);
      this.imports.push(imported);
    }
    this.drop(node);
  }

  /** The expression that reads an imported name. */
  private read(i: Imported): string {
    if (i.name === '*') return `__uw.m${i.request}`;
    return /^[A-Za-z_$][\w$]*$/.test(i.name)
      ? `__uw.m${i.request}.${i.name}`
      : `__uw.m${i.request}[${JSON.stringify(i.name)}]`;
  }

  private export(name: string, from: Imported | null, expression: string): void {
    this.exports.set(name, from);
    this.getters.set(name, expression);
  }

  private exportLocal(name: string, local: string): void {
    const from = this.bound.get(local);
    if (from) this.export(name, from, this.read(from));
    else this.export(name, null, local);
  }

  private exportDeclaration(node: Node): void {
    if (node.type === 'ExportAllDeclaration') {
      this.stars.push(this.request(node.source));
      this.drop(node);
    } else if (node.type === 'ExportDefaultDeclaration') {
      this.exportDefault(node);
    } else if (node.type === 'ExportNamedDeclaration') {
      if (node.declaration) {
        this.out.update(
          node.start,
          node.declaration.start,
          blank(this.text.slice(node.start, node.declaration.start)),
        );
        for (const name of declaredNames(node.declaration)) this.export(name, null, name);
        return;
      }
      for (const s of node.specifiers) {
        if (!node.source) {
          this.exportLocal(literalName(s.exported), s.local.name);
          continue;
        }
        const name = s.type === 'ExportNamespaceSpecifier' ? '*' : literalName(s.local);
        const from = { request: this.request(node.source), name };
        this.imports.push(from);
        this.export(literalName(s.exported), from, this.read(from));
      }
      if (node.source) this.request(node.source);
      this.drop(node);
    }
  }

  private exportDefault(node: Node): void {
    const d = node.declaration;
    const isFunction = d.type === 'FunctionDeclaration';
    if ((isFunction || d.type === 'ClassDeclaration') && d.id) {
      this.out.update(node.start, d.start, blank(this.text.slice(node.start, d.start)));
      this.export('default', null, d.id.name);
      return;
    }
    this.export('default', null, '__uw_default');
    if (isFunction) {
      // Hoisted like any function declaration, and named `default` as natively.
      this.out.update(node.start, d.start, blank(this.text.slice(node.start, d.start)));
      const paren = this.text.indexOf('(', d.start);
      this.out.appendLeft(paren, ' __uw_default');
      this.setup += `Object.defineProperty(__uw_default,'name',{value:'default',configurable:true});`;
      return;
    }
    // As a property named `default`, so that an anonymous function or class gets its native name.
    const keywords = /^export(?:\s|\/\*[\s\S]*?\*\/|\/\/.*)*default/.exec(this.text.slice(node.start))![0];
    const end = this.text[node.end - 1] === ';' ? node.end - 1 : node.end;
    this.out.update(
      node.start,
      node.start + keywords.length,
      `;const __uw_default={default:(${breaks(keywords)}`,
    );
    this.out.appendLeft(end, ')}.default;');
  }

  private topLevel(path: Path): void {
    if (!path.getFunctionParent()) this.async = true;
  }

  private importExpression(node: Node): void {
    if (node.phase) throw new NotLinkable(this.file, `import.${node.phase}() is not supported`);
    if (node.source.type === 'StringLiteral') this.dynamic.push(node.source.value);
    this.out.update(node.start, node.start + 'import'.length, '__uw.load');
  }

  private references(program: Path): void {
    if (program.scope.hasGlobal('eval') && this.bound.size > 0) {
      throw new NotLinkable(this.file, 'eval in a module that imports');
    }
    for (const [local, imported] of this.bound) {
      const binding = program.scope.getBinding(local);
      if (!binding) continue;
      if (binding.constantViolations.length > 0) {
        throw new NotLinkable(this.file, `assignment to the import ${local}`);
      }
      for (const path of binding.referencePaths) this.reference(path, local, this.read(imported));
    }
  }

  private reference(path: Path, local: string, read: string): void {
    const { node, parent } = path;
    if (node.type !== 'Identifier' || node.name !== local || parent.type === 'ExportSpecifier') return;
    if (parent.type === 'ObjectProperty' && parent.shorthand) {
      this.replace(node, `${local}:${read}`);
    } else if (isCallee(node, parent)) {
      // `(0, m.f)()` keeps `this` undefined; at the start of a statement nothing may be called by accident.
      this.replace(node, `${startsStatement(path) ? ';' : ''}(0,${read})`);
    } else {
      this.replace(node, read);
    }
  }
}

function isCallee(node: Node, parent: Node): boolean {
  return (
    ((parent.type === 'CallExpression' || parent.type === 'OptionalCallExpression') &&
      parent.callee === node) ||
    (parent.type === 'TaggedTemplateExpression' && parent.tag === node)
  );
}

const LISTS = new Set(['Program', 'BlockStatement', 'StaticBlock', 'SwitchCase']);

/** The node is the first thing of a statement in a list of statements, where the line before may lack its `;`. */
function startsStatement(path: Path): boolean {
  const statement = path.getStatementParent();
  return (
    statement?.node.type === 'ExpressionStatement' &&
    statement.node.start === path.node.start &&
    LISTS.has(statement.parent.type)
  );
}

function declaredNames(declaration: Node): string[] {
  if (declaration.type !== 'VariableDeclaration') return [declaration.id.name];
  return declaration.declarations.flatMap((d: Node) => patternNames(d.id));
}

function patternNames(pattern: Node | null): string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((p: Node) =>
        patternNames(p.type === 'RestElement' ? p.argument : p.value),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap(patternNames);
    case 'AssignmentPattern':
      return patternNames(pattern.left);
    case 'RestElement':
      return patternNames(pattern.argument);
    default:
      return [];
  }
}
