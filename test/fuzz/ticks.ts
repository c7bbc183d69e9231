/**
 * Runs random async programs as they are and instrumented, and compares the order of everything they log:
 * `node test/fuzz/ticks.ts [programs] [--sabotage] [--first N] [--show]`. Prints one line of JSON.
 */
import { runInThisContext } from 'node:vm';
import { instrument } from '../../monitor/instrument/index.ts';
import { RULES } from '../../monitor/instrument/rules/index.ts';
import type { Rule } from '../../monitor/instrument/rules/rule.ts';
import { runtime } from '../../monitor/runtime/index.ts';
import { program } from './ticks-program.ts';

/** Of a program that logs more only the beginning is compared: recursion through random calls can be long. */
const LONGEST_LOG = 3000;
const PARAMETERS = ['L', 'chk'];
const wrapped = (source: string) => `return (async () => {${source}\n})()`;
/** A function body is instrumented as a whole function, so that its `return` parses. */
const asFunction = (source: string) => `(function (${PARAMETERS}) {${wrapped(source)}})`;

/** Hands the frame variable that is in sight to every `chk()`: the runtime must agree with it. */
const checks: Rule = {
  name: 'checks',
  visitor: (ctx) => ({
    CallExpression(path) {
      const { callee, arguments: args } = path.node;
      if (callee.type !== 'Identifier' || callee.name !== 'chk' || args.length > 0) return;
      ctx.edits.close(path.node.end! - 1, ctx.body(path)?.frameName() ?? 'null');
    },
  }),
};

/** What the fuzz must notice: one more tick behind every fifth `await`. */
const sabotage: Rule = {
  name: 'sabotage',
  visitor: (ctx) => {
    let n = 0;
    return {
      AwaitExpression(path) {
        if (n++ % 5 !== 0) return;
        ctx.edits.open(path.node.argument.start!, '(async (v) => v)(');
        ctx.edits.close(path.node.argument.end!, ')');
      },
    };
  },
};

interface Run {
  readonly log: string[];
  readonly checks: number;
  readonly wrong: string[];
}

let report: ((line: string) => void) | null = null;
process.on('unhandledRejection', (reason) =>
  report?.(`unhandled ${String((reason as Error)?.message ?? reason)}`),
);

async function run(code: string): Promise<Run> {
  const log: string[] = [];
  const wrong: string[] = [];
  let checked = 0;
  let calls = 0;
  let over = false;
  const L = (text: string, value?: unknown) => {
    if (++calls > LONGEST_LOG || over) return;
    log.push(value === undefined ? text : `${text}:${typeof value === 'object' ? 'object' : String(value)}`);
  };
  const chk = (frame?: unknown) => {
    if (frame === undefined || over) return;
    checked++;
    if (runtime.cur !== frame) wrong.push(`${(frame as any)?.path} but ${runtime.cur?.path}`);
  };
  report = (line) => {
    if (++calls <= LONGEST_LOG) log.push(line);
  };
  runtime.beginRun();
  const outcome = Promise.resolve(runInThisContext(code)(L, chk));
  outcome.catch((error) => L('outcome', String(error?.message ?? error)));
  // Programs log at every step; one that logs nothing over several turns of the loop has ended.
  for (let quiet = 0, before = -1; quiet < 4; ) {
    await new Promise((done) => setImmediate(done));
    quiet = before === calls ? quiet + 1 : 0;
    before = calls;
  }
  if (runtime.cur !== null) wrong.push(`left behind: ${runtime.cur.path}`);
  over = true;
  report = null;
  return { log, checks: checked, wrong };
}

/** What came of a number of programs. */
interface Summary {
  programs: number;
  same: number;
  different: number;
  /** Entries logged by the programs as they are. */
  events: number;
  checks: number;
  wrong: number;
  examples: string[];
}

async function main(count: number, first: number, rules: readonly Rule[], show: boolean): Promise<Summary> {
  const summary: Summary = {
    programs: 0,
    same: 0,
    different: 0,
    events: 0,
    checks: 0,
    wrong: 0,
    examples: [],
  };
  for (let seed = first; seed < first + count; seed++) {
    const source = asFunction(program(seed));
    const { code, sites } = instrument(
      source,
      { file: `program-${seed}.js`, kind: 'commonjs', typescript: false, firstSite: runtime.nextSite() },
      rules,
    );
    runtime.registerSites(sites);
    if (show) console.error(source, '\n', code);
    const plain = await run(source);
    runtime.sink = { access: () => {}, lock: () => {} };
    const watched = await run(code);
    runtime.sink = null;
    summary.programs++;
    summary.events += plain.log.length;
    summary.checks += watched.checks;
    summary.wrong += watched.wrong.length;
    const at = plain.log.findIndex((entry, i) => entry !== watched.log[i]);
    const equal = at < 0 && plain.log.length === watched.log.length;
    summary[equal ? 'same' : 'different']++;
    if (!equal && summary.examples.length < 5) {
      const near = (log: string[]) => log.slice(Math.max(0, at - 2), at + 3).join(' ');
      summary.examples.push(`seed ${seed} at ${at}: ${near(plain.log)} | ${near(watched.log)}`);
    }
    for (const wrong of watched.wrong.slice(0, 2)) {
      if (summary.examples.length < 5) summary.examples.push(`seed ${seed}: ${wrong}`);
    }
  }
  return summary;
}

const args = process.argv.slice(2);
const option = (name: string, fallback: number) => {
  const at = args.indexOf(name);
  return at < 0 ? fallback : Number(args[at + 1]);
};
const count = args[0] !== undefined && /^\d+$/.test(args[0]) ? Number(args[0]) : 2000;
const rules = [...RULES, checks, ...(args.includes('--sabotage') ? [sabotage] : [])];
const summary = await main(count, option('--first', 1), rules, args.includes('--show'));
console.log(JSON.stringify(summary));
process.exit(0);
