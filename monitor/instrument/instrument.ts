/** Source in, instrumented source and its points out. */
import traverse, { type Visitor, visitors } from '@babel/traverse';
import { RuleContext } from './context.ts';
import { isDriver } from './coroutines.ts';
import { applyInsertions } from './edits.ts';
import { exportNames } from './export-names.ts';
import { parse } from './parse.ts';
import { QUIET_SYNTAX } from './quiet-syntax.ts';
import { RULES } from './rules/index.ts';
import type { Rule } from './rules/rule.ts';
import { testCalls } from './rules/test-calls.ts';
import type { Instrumented, InstrumentOptions, Plan } from './types.ts';

/**
 * What to put in where; point numbers are relative. Null where the file is better left alone. Throws where the
 * source does not parse.
 */
export function plan(
  code: string,
  options: InstrumentOptions,
  rules: readonly Rule[] = options.testCalls === 'alone' ? [testCalls] : RULES,
): Plan | null {
  if (code.includes('__cov')) return null;
  const ast = parse(code, options);
  const context = new RuleContext(code, options);
  let refused = false;
  const watch: Visitor = {
    WithStatement: (path) => {
      // Every free name in it may be a property of the object, hooks included.
      refused = true;
      path.stop();
    },
    Function: (path) => {
      if (isDriver(path)) path.skip();
    },
    Class: (path) => {
      // `util.inspect` takes what has a call in its head for a function.
      const { superClass } = path.node;
      if (superClass && !code.slice(superClass.start!, superClass.end!).includes('('))
        path.skipKey('superClass');
    },
  };
  const release: Visitor = { exit: (path) => context.leave(path.node) };
  const all = visitors.merge([watch, QUIET_SYNTAX, ...rules.map((rule) => rule.visitor(context)), release]);
  try {
    traverse(ast, all);
  } catch (error) {
    // Babel looks for such things where the names are used; a few programs that engines take are among them.
    if (error instanceof TypeError && error.message.startsWith('Duplicate declaration'))
      throw new SyntaxError(error.message, { cause: error });
    throw error;
  }
  if (refused) return null;
  if (options.kind === 'commonjs' && options.testCalls !== 'alone')
    context.edits.open(code.length, exportNames(code));
  return { insertions: context.edits.insertions(), sites: context.sites, skipped: context.skipped };
}

/** Instruments one text, numbering its points from `firstSite`. */
export function instrument(
  code: string,
  options: InstrumentOptions & { firstSite: number },
  rules?: readonly Rule[],
): Instrumented {
  const planned = plan(code, options, rules);
  if (planned === null) return { code, sites: [], skipped: [], inserted: new Int32Array() };
  return { ...planned, ...applyInsertions(code, planned.insertions, options.firstSite) };
}
