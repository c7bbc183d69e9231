/** The user's word on transactions: `unweave: atomic` and `unweave: not-atomic` at or in a function's head. */
import type { NodePath } from '@babel/traverse';
import type * as t from './ast.ts';
import { isCoroutine, isTrampoline } from './coroutines.ts';

const WORD = /\bunweave:\s*(not-)?atomic\b/;

/** What the comments at a function say; null where they say nothing. */
export function atomicity(path: NodePath<t.Function>): boolean | null {
  const word = wordIn(commentsOf(path));
  const around = word === null && isCoroutine(path) ? path.parentPath?.getFunctionParent() : null;
  return around && isTrampoline(around) ? atomicity(around) : word;
}

/** The same for a statement that is a transaction of its own: a loop. */
export const wordAt = ({ node }: NodePath): boolean | null => wordIn(node.leadingComments ?? []);

function wordIn(comments: Iterable<t.Comment>): boolean | null {
  for (const comment of comments) {
    const word = WORD.exec(comment.value);
    if (word !== null) return word[1] === undefined;
  }
  return null;
}

function* commentsOf(path: NodePath<t.Function>): Iterable<t.Comment> {
  const { body } = path.node;
  if (body.type === 'BlockStatement') {
    yield* body.innerComments ?? [];
    yield* body.directives?.[0]?.leadingComments ?? [];
    yield* body.body[0]?.leadingComments ?? [];
  }
  yield* body.leadingComments ?? [];
  // Comments before `export const f = async () => …` belong to the statement.
  for (let at: NodePath | null = path; at !== null; at = at.parentPath) {
    yield* at.node.leadingComments ?? [];
    if (at.isStatement() || at.isClassMethod() || at.isObjectMember() || at.isClassProperty()) {
      if (at.parentPath?.isExportDeclaration()) continue;
      return;
    }
    if (at.listKey === 'arguments') return;
  }
}
