/**
 * The one rule for packages that nobody looks into: what they do with `Atomics` stands nowhere, and not where the program
 * last did something of the kind.
 */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import type { Rule } from '../rules/rule.ts';
import { isAtomics } from './operations.ts';

const foreign: Rule = {
  name: 'foreign',
  visitor: (ctx) => ({
    CallExpression: (path: NodePath<t.CallExpression>) => {
      if (isAtomics(path)) ctx.wrap(path.get('callee.object') as NodePath, '(__cov.at=0,', ')');
    },
  }),
};

export const FOREIGN_RULES: readonly Rule[] = [foreign];
