/**
 * The function body (or module body) that a node runs in: where its temporaries and its frame live.
 *
 * Parameters, computed keys and decorators of a function do not run in its body; initialisers of class fields
 * run in none that we could declare something in.
 */
import type { NodePath } from '@babel/traverse';
import type * as t from './ast.ts';

export class FunctionBody {
  readonly node: t.Node;
  /** The body of the enclosing function. */
  readonly outer: FunctionBody | null;
  /** Name of the variable that holds the frame; null where this function has none of its own. */
  frame: string | null = null;
  /** It is an async function, or was one before a compiler made it a generator. */
  readonly async: boolean;
  readonly generator: boolean;
  /** How many temporaries the body declares. */
  temporaries = 0;
  /** How many of them hold a value at this point of the walk. */
  live = 0;
  /** Declarations for the head of the body, beyond temporaries and frame. */
  readonly declarations: string[] = [];
  /** Statements that the body begins with, in its own activation. */
  readonly prologue: string[] = [];

  /** `isCoroutine`: a generator that stands for an async function. */
  constructor(node: t.Node, outer: FunctionBody | null, isCoroutine: boolean) {
    this.node = node;
    this.outer = outer;
    this.async = isCoroutine || ('async' in node ? Boolean(node.async) : node.type === 'Program');
    this.generator = !isCoroutine && 'generator' in node && Boolean(node.generator);
  }

  /** The frame variable of this function or of the nearest enclosing one that has one; `null` for a module. */
  frameName(): string {
    for (let body: FunctionBody | null = this; body !== null; body = body.outer) {
      if (body.frame !== null) return body.frame;
    }
    return 'null';
  }
}

/** Where a node runs: the function or program around it, or null in parameters and field initialisers. */
export function owner(path: NodePath): t.Node | null {
  for (let at: NodePath = path; at.parentPath !== null; at = at.parentPath) {
    const parent = at.parentPath;
    if (parent.isFunction()) {
      if (at.key === 'body') return parent.node;
      if (at.listKey === 'params' || at.key === 'returnType') return null;
    } else if (
      parent.isClassProperty() ||
      parent.isClassPrivateProperty() ||
      parent.isClassAccessorProperty()
    ) {
      if (at.key === 'value') return null;
    } else if (parent.isStaticBlock()) return null;
    else if (parent.isProgram()) return parent.node;
  }
  return path.node;
}
