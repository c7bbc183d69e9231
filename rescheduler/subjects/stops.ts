/**
 * Stops this process in the debugger where a program point is reached for a certain time by a certain activation. A session of
 * our own sets breakpoints in the instrumented text, before the hook of the point; who waits there is whoever has attached.
 */
import type { Debugger, Session } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loaderConfig } from '../../monitor/loader/config.ts';
import type { Runtime } from '../../monitor/runtime/runtime.ts';
import type { SiteInfo } from '../../monitor/runtime/types.ts';

/** Where to stop: at the `nth` time, from 0, that an activation passes a place. */
export interface StopPoint {
  /** `file:line:column`, as it is told. */
  readonly at: string;
  /** Null: a request is made there. */
  readonly access: 'read' | 'write' | null;
  readonly path: string;
  readonly nth: number;
}

const HOOK = /__cov\.(\w+)\((\d+)\b(?:,(\d+))?/g;
/** What a variable is given is an argument of its hook, which is called when that has happened. */
const AFTERWARDS = 'wv';

interface Hook {
  readonly index: number;
  readonly name: string;
  readonly first: number;
  readonly count: number;
}

export class Stops {
  private readonly runtime: Runtime;
  private readonly points: readonly StopPoint[];
  private readonly session: Session;
  /** How often an activation has passed a point. */
  private readonly passes = new Map<string, number>();

  constructor(runtime: Runtime, points: readonly StopPoint[]) {
    this.runtime = runtime;
    this.points = points;
    this.session = new (process.getBuiltinModule('node:inspector').Session)();
  }

  set(): void {
    const { runtime, session } = this;
    // Each of them counts how often it is passed.
    runtime.stopsAt = (...points) => points.filter((at) => this.isDue(at)).length > 0;
    session.connect();
    session.on('Debugger.scriptParsed', ({ params }) => this.parsed(params));
    // Told of all scripts that are there, and of each that comes.
    session.post('Debugger.enable');
  }

  unset(): void {
    this.session.disconnect();
    this.runtime.stopsAt = () => false;
  }

  private isDue(at: number): boolean {
    const { nth, path } = this.points[at]!;
    const own = this.runtime.cur?.path ?? 'root';
    if (own !== path) return false;
    const key = `${at} ${own}`;
    const passed = this.passes.get(key) ?? 0;
    this.passes.set(key, passed + 1);
    return passed === nth;
  }

  private parsed({ scriptId, url, startLine, startColumn }: Debugger.ScriptParsedEventDataType): void {
    const file = fileOf(url);
    if (file === null) return;
    const wanted = [...this.points.keys()].map((at) => this.sitesOf(this.points[at]!, file));
    if (wanted.every((sites) => sites.length === 0)) return;
    this.session.post('Debugger.getScriptSource', { scriptId }, (_error, answer) => {
      const text = answer?.scriptSource ?? '';
      const hooks = [...text.matchAll(HOOK)].map(
        ({ 1: name = '', 2: first, 3: count, index }): Hook => ({
          ...{ index, name, first: Number(first) },
          count: name === 'g' || name === 'ds' ? Number(count) : 1,
        }),
      );
      const starts = lineStarts(text);
      const breakable = new Map<string, number[]>();
      for (const [at, sites] of wanted.entries()) {
        const hook = hooks.find(({ count, first }) =>
          sites.some((site) => site >= first && site < first + count),
        );
        if (!hook) continue;
        const row = starts.findLastIndex((start) => start <= hook.index);
        const column = hook.index - starts[row]! + (row === 0 ? startColumn : 0);
        const place = this.breakable(scriptId, row + startLine, column, hook.name);
        if (place !== null) breakable.set(place, [...(breakable.get(place) ?? []), at]);
      }
      // There is one breakpoint at a place.
      for (const [place, points] of breakable) {
        const [lineNumber, columnNumber] = place.split(':').map(Number) as [number, number];
        const location = { scriptId, lineNumber, columnNumber };
        this.session.post('Debugger.setBreakpoint', { location, condition: `__cov.stopsAt(${points})` });
      }
    });
  }

  /** The points of a file that are at a place; where that is known by its line alone, those of the line. */
  private sitesOf({ access, at }: StopPoint, file: string): number[] {
    const all = this.runtime.allSites();
    const within = (is: (info: SiteInfo) => boolean): number[] =>
      [...all.keys()].filter((site) => (all[site]!.made ?? all[site]!).file === file && is(all[site]!));
    const isOf = (info: SiteInfo): boolean =>
      access === null || info.access === null || info.access === 'both' || info.access === access;
    const exact = within((info) => `${info.file}:${info.line}:${info.column}` === at && isOf(info));
    if (exact.length > 0 || access !== null) return exact;
    return within(({ file, line }) => at.startsWith(`${file}:${line}:`));
  }

  /** Where a breakpoint for a hook can be, as `line:column`. */
  private breakable(scriptId: string, lineNumber: number, column: number, hook: string): string | null {
    let found: string | null = null;
    const start = { scriptId, lineNumber, columnNumber: 0 };
    const end = { scriptId, lineNumber: lineNumber + 1, columnNumber: 0 };
    // Answers come at once: the session is of this thread.
    this.session.post('Debugger.getPossibleBreakpoints', { start, end }, (_error, answer) => {
      const columns = (answer?.locations ?? []).map(({ columnNumber = 0 }) => columnNumber);
      const call = column + '__cov.'.length;
      const wished = hook === AFTERWARDS ? [column, call] : [call, column];
      const columnNumber =
        wished.find((each) => columns.includes(each)) ??
        columns.find((each) => each >= column) ??
        columns.at(-1);
      if (columnNumber !== undefined) found = `${lineNumber}:${columnNumber}`;
    });
    return found;
  }
}

function fileOf(url: string): string | null {
  try {
    if (url.startsWith('node:') || url === '') return null;
    const path = url.startsWith('file:') ? fileURLToPath(url.replace(/[?#].*$/, '')) : url;
    return relative(loaderConfig().cwd, path);
  } catch {
    return null;
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
