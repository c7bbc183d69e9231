/** What a `catch` gets has the words that it has in a program that nobody watches. */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { Rule } from './rule.ts';

export const words: Rule = {
  name: 'words',
  visitor: (ctx) => ({
    CatchClause(path: NodePath<t.CatchClause>) {
      const { param, body } = path.node;
      if (param?.type === 'Identifier') ctx.edits.open(body.start! + 1, `__cov.ce(${param.name});`);
    },
  }),
};
