/** Source text in, mutants out. */
import { parse } from '@babel/parser';
import traverse, { visitors } from '@babel/traverse';
import type { Mutant } from './mutant.ts';
import { move } from './operators/move.ts';
import type { Edit, Operator } from './operators/operator.ts';
import { unchain } from './operators/unchain.ts';
import { unlock } from './operators/unlock.ts';

const OPERATORS: readonly Operator[] = [unlock, unchain, move];

/** Every mutant of a TypeScript module, in the order of its text; each text once. */
export function mutate(text: string, ran: (offset: number) => boolean): Mutant[] {
  const mutants = new Map<string, Mutant>();
  const source = {
    text,
    ran,
    mutant(operator: Mutant['operator'], line: number, edits: readonly Edit[]) {
      const mutant = { operator, line, text: edited(text, edits) };
      mutants.set(mutant.text, mutant);
    },
  };
  const ast = parse(text, { sourceType: 'module', plugins: ['typescript'] });
  traverse(ast, visitors.merge(OPERATORS.map((operator) => operator(source))));
  return [...mutants.values()].sort((a, b) => a.line - b.line);
}

/** The ranges do not overlap. */
function edited(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const { start, end, by } of edits.toSorted((a, b) => b.start - a.start))
    result = result.slice(0, start) + by + result.slice(end);
  return result;
}
