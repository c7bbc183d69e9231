/** One kind of thing that the instrumenter sees. */
import type { Visitor } from '@babel/traverse';
import type { RuleContext } from '../context.ts';

export interface Rule {
  readonly name: string;
  /** Edits are made on entering a node, so that outer ones come first. */
  visitor(context: RuleContext): Visitor;
}
