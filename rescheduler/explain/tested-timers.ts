/**
 * Timers of the code under test, and which of them have a time that the test gives: `{ flushInterval: 1000 }`, and a timer of 1000 ms.
 * That such a one is over too soon says no more than that a sleep of the test's own is.
 */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type ParserPlugin, parse } from '@babel/parser';
import { deliveryOf } from '../../data/schedule-step.ts';
import { isBesideTest } from '../../data/test-files.ts';
import { type Activation, EventKind, type Trace } from '../../data/trace.ts';
import { placeOfStep } from '../../report/rows.ts';

/** `'2s'`, `'100 ms'`. */
const DURATION = /^(\d+(?:\.\d+)?) ?(ms|s)$/;

/**
 * Names of the timers that the code under test sets; of those whose time is written in the test's file. `file`: of the test,
 * relative to the working directory, as places are told.
 */
export function testedTimers(
  file: string,
  traces: readonly Trace[],
): { readonly all: ReadonlySet<string>; readonly given: ReadonlySet<string> } {
  const times = timesIn(file);
  const all = new Set<string>();
  const given = new Set<string>();
  for (const { requests } of traces)
    for (const { delay, kind, name } of requests) {
      const setIn = kind === 'timer' ? placeOfStep(traces, deliveryOf(name))?.file : undefined;
      // A sleep of a helper stands for the latency of an operation.
      if (setIn === undefined || isBesideTest(setIn, file)) continue;
      all.add(name);
      if (times.has(delay)) given.add(name);
    }
  return { all, given };
}

/**
 * Names of the timers by which the tests pace what they do with the code under test: set in files of the tests, by functions of them that
 * none of the code under test has called, and behind which these go on. Where that calls a function of the tests, a timer in it stands
 * for the latency of an operation, and what goes on behind it is the operation.
 */
export function pacingTimers(file: string, traces: readonly Trace[]): ReadonlySet<string> {
  const isTest = (of: string | undefined): boolean => of !== undefined && isBesideTest(of, file);
  const names = new Set<string>();
  const latencies = new Set<string>();
  for (const trace of traces) {
    const { activations, requests, sites } = trace;
    const isOfTest = ({ kind, site }: Activation): boolean => kind === 'root' || isTest(sites[site]?.file);
    for (const { activation, kind, name } of requests) {
      if (kind !== 'timer' || !isTest(placeOfStep(traces, deliveryOf(name))?.file)) continue;
      let at = activations[activation];
      while (at && at.kind !== 'root' && at.kind !== 'task' && isOfTest(at)) at = activations[at.parent];
      if (at?.kind === 'root') names.add(name);
    }
    for (const [timer, activation] of goneOn(trace, isTest)) if (!isOfTest(activation)) latencies.add(timer);
  }
  return names.difference(latencies);
}

/**
 * Timers with the activation that first does something in the code under test behind each: what that wakes follows. A function that has no
 * activation of its own, such as a constructor, is not seen among those that set a timer.
 */
function* goneOn(
  { activations, events, requests, sites }: Trace,
  isTest: (file: string | undefined) => boolean,
): Generator<[timer: string, Activation]> {
  const begun = new Set<Activation>();
  let timer: string | null = null;
  for (let i = 0; i < events.length; i++) {
    const kind = events.kind[i];
    const activation = activations[events.activation[i] as number];
    const site = sites[events.site[i] as number];
    if (kind === EventKind.Turn) {
      const request = requests[events.object[i] as number];
      timer = request?.kind === 'timer' ? request.name : null;
    } else if (timer !== null && kind !== EventKind.Effect && site && !isTest(site.file)) {
      // What begins only now was called by the one before it.
      const goesOn = activation && (begun.has(activation) || activation.kind === 'callback');
      if (goesOn) yield [timer, activation];
      timer = null;
    }
    if (activation) begun.add(activation);
  }
}

/**
 * In ms, with the sums of two that stand in one object: an answer that is waited for between two of what is sent. Of a file that does
 * not parse: none.
 */
function timesIn(file: string): ReadonlySet<number> {
  const times = new Set<number>();
  /** Of the braces that are open. */
  const open: number[][] = [];
  let before: string | undefined;
  for (const { type, value } of tokensOf(file)) {
    const time = timeOf(type.label, value);
    if (time !== null) times.add(time);
    if (type.label === '{') open.push([]);
    else if (type.label === '}') open.pop();
    else if (time !== null && before === ':' && open.length > 0) {
      const beside = open.at(-1)!;
      for (const other of beside) times.add(other + time);
      beside.push(time);
    }
    before = type.label;
  }
  return times;
}

function timeOf(label: string | undefined, value: any): number | null {
  if (label === 'num') return value;
  const [, count, unit] = (label === 'string' && DURATION.exec(value)) || [];
  return count ? Number(count) * (unit === 's' ? 1000 : 1) : null;
}

interface TextToken {
  readonly type: { readonly label?: string };
  readonly value: any;
}

function tokensOf(file: string): readonly TextToken[] {
  // `<T>x` is a cast in a file of TypeScript, and an element elsewhere.
  const plugins: ParserPlugin[] = ['decorators'];
  if (/tsx?$/.test(extname(file))) plugins.push('typescript');
  if (!/ts$/.test(extname(file))) plugins.push('jsx');
  const options = { sourceType: 'unambiguous', tokens: true, errorRecovery: true, plugins } as const;
  try {
    return (parse(readFileSync(file, 'utf8'), options).tokens ?? []) as TextToken[];
  } catch {
    return [];
  }
}
