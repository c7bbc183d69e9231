/** What a rule has in hand while the tree is walked. */
import type { NodePath } from '@babel/traverse';
import type { SiteInfo } from '../runtime/types.ts';
import type * as t from './ast.ts';
import { FunctionBody, owner } from './bodies.ts';
import { isCoroutine } from './coroutines.ts';
import { Edits, siteMark } from './edits.ts';
import { functionName } from './names.ts';
import type { InstrumentOptions, Skipped } from './types.ts';
import { coreOf } from './unwrap.ts';

/** Source text of a point, at most. */
const LONGEST_TEXT = 60;

export interface Point {
  readonly key?: string | null;
  readonly access?: SiteInfo['access'];
  readonly atomic?: boolean | null;
  readonly fn?: string;
  readonly text?: string;
}

export class RuleContext {
  readonly code: string;
  readonly options: InstrumentOptions;
  readonly edits = new Edits();
  readonly sites: SiteInfo[] = [];
  readonly skipped: Skipped[] = [];
  readonly #bodies = new Map<t.Node, FunctionBody>();
  readonly #release = new Map<t.Node, FunctionBody[]>();
  /** Accesses that a group takes: the text of the group's hook at its first one, '' at the others. */
  readonly grouped = new Map<t.Node, string>();
  #names = 0;

  constructor(code: string, options: InstrumentOptions) {
    this.code = code;
    this.options = options;
  }

  /** A name that no program uses (files that contain `__cov` are left alone). */
  name(prefix: string): string {
    return `__cov${prefix}${this.#names++}`;
  }

  /** Makes a point for `path` and returns its number as it goes into inserted text. */
  site(path: NodePath, point: Point = {}): string {
    return this.siteOf(path.node, path, point);
  }

  /** The same for a node inside of `path`, in the same function. */
  siteOf(node: t.Node, path: NodePath, point: Point): string {
    const at = placeOf(node);
    this.sites.push({
      file: this.options.file,
      line: at.line,
      column: at.column + 1,
      text: point.text ?? this.textOf(node),
      fn: point.fn ?? enclosingName(path),
      key: point.key ?? null,
      access: point.access ?? null,
      atomic: point.atomic ?? null,
    });
    return siteMark(this.sites.length - 1);
  }

  /** The source text of a node, shortened for people. */
  textOf(node: t.Node): string {
    const { start, end } = coreOf(node);
    return shortened(this.code.slice(start, end));
  }

  /** The body that `path` runs in; null where nothing can be declared for it. */
  body(path: NodePath): FunctionBody | null {
    const node = owner(path);
    return node === null ? null : this.bodyOf(node, path);
  }

  /** The body of a function or program node; `inside` is any path in it. */
  bodyOf(node: t.Node, inside: NodePath): FunctionBody {
    const known = this.#bodies.get(node);
    if (known !== undefined) return known;
    const path = inside.node === node ? inside : inside.findParent((p) => p.node === node)!;
    const outer = path.isProgram() ? null : this.enclosing(path);
    const body = new FunctionBody(node, outer, path.isFunction() && isCoroutine(path));
    this.#bodies.set(node, body);
    return body;
  }

  /** The nearest body whose variables a function at `path` can see. */
  enclosing(path: NodePath): FunctionBody | null {
    for (let at: NodePath = path; at.parentPath !== null; at = at.parentPath) {
      const parent = at.parentPath;
      if (parent.isProgram() || (parent.isFunction() && at.key === 'body'))
        return this.bodyOf(parent.node, parent);
    }
    return null;
  }

  /** A temporary that is free until the walk leaves `path`; null where none can be declared. */
  temporary(path: NodePath): string | null {
    const body = this.body(path);
    if (body === null) return null;
    const name = `__covt${body.live++}`;
    body.temporaries = Math.max(body.temporaries, body.live);
    const held = this.#release.get(path.node);
    if (held === undefined) this.#release.set(path.node, [body]);
    else held.push(body);
    return name;
  }

  /** The walk leaves `node`: its temporaries are free again. */
  leave(node: t.Node): void {
    const held = this.#release.get(node);
    if (held === undefined) return;
    for (const body of held) body.live--;
    this.#release.delete(node);
  }

  /** Surrounds an expression. `before` may begin with a parenthesis. */
  wrap(path: NodePath, before: string, after: string): void {
    this.open(path, before);
    this.edits.close(path.node.end!, after);
  }

  /** Opens before an expression; keeps a leading parenthesis from becoming a call of the line before. */
  open(path: NodePath, before: string): void {
    const at = path.node.start!;
    const guard = before.startsWith('(') && !this.edits.opensAt(at) && startsListedStatement(path, at);
    this.edits.open(at, guard ? `;${before}` : before);
  }

  /** Notes something that is left alone. */
  skip(path: NodePath, reason: string): void {
    const at = path.node.loc!.start;
    this.skipped.push({ line: at.line, column: at.column + 1, reason });
  }
}

function startsListedStatement(path: NodePath, at: number): boolean {
  const statement = path.getStatementParent();
  return statement?.isExpressionStatement() === true && statement.node.start === at && statement.inList;
}

/** Members that are spread over lines are known by the line of their name. */
function placeOf(node: t.Node): { line: number; column: number } {
  const { start } = node.loc!;
  if (node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression') {
    const name = node.property.loc!.start;
    if (name.line !== start.line) return name;
  }
  return start;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= LONGEST_TEXT ? line : `${line.slice(0, LONGEST_TEXT - 1)}…`;
}

function enclosingName(path: NodePath): string {
  const fn = path.findParent((p) => p.isFunction());
  return fn === null ? '(module)' : functionName(fn as NodePath<t.Function>);
}
