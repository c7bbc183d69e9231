/** What the rewriters need of Babel. The two packages type their nodes differently; the rewriters look at few fields. */
import babelTraverse from '@babel/traverse';

/** A syntax node, read by field name after its type was checked. */
export type Node = any;
/** A traversal path. */
export type Path = any;

export const traverse = babelTraverse as unknown as (
  ast: Node,
  visitors: Record<string, (path: Path) => void>,
) => void;

/** The same text as white space: every line break stays. */
export const blank = (text: string): string => text.replace(/[^\n\r\u2028\u2029]/g, ' ');

/** Only the line breaks of a text. */
export const breaks = (text: string): string => text.replace(/[^\n\r\u2028\u2029]/g, '');
