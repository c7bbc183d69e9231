/**
 * Where accesses were called from. The stack tells it up to the activation that was resumed last; from there on it
 * is what the stack told when that activation began, and so on: also where nobody awaits it.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CallPlace } from '../../data/trace.ts';
import { loaderConfig } from '../loader/config.ts';
import { type CallSites, type InstrumentedTexts, type Running, writtenAt } from './call-site.ts';

/** Places of one access that are kept, innermost first. */
const MOST_PLACES = 10;
/** Accesses of one point for which the stack is looked at; of later ones only who called their activation is known. */
const MOST_ACCESSES = 64;
/** Times that the stack of a run is looked at, which takes some 50 us: a run that does a lot must come to its end. */
const MOST_LOOKS = 5000;

const NOBODY: readonly Running[] = [];

/** A call that may be suspended, and which one goes on when it gives way. */
interface Suspendable {
  readonly saved: Suspendable | null;
}

export class Callers<Call extends Suspendable> {
  private readonly texts: InstrumentedTexts;
  private readonly callSites: CallSites;
  private readonly mostAccesses: number;
  /** Who called an activation. */
  private readonly began = new WeakMap<Suspendable, readonly Running[]>();
  private readonly resumed = new WeakSet<Suspendable>();
  private readonly events = new Map<number, readonly Running[]>();
  private readonly accesses = new Map<number, number>();
  private looks = 0;
  private calls: CallTexts | null = null;

  constructor(texts: InstrumentedTexts, callSites: CallSites, mostAccesses = MOST_ACCESSES) {
    this.texts = texts;
    this.callSites = callSites;
    this.mostAccesses = mostAccesses;
  }

  /** An activation begins; it is on top of the stack. */
  begin(frame: Call): void {
    this.began.set(frame, this.now(frame));
  }

  resume(frame: Call): void {
    this.resumed.add(frame);
  }

  /** The event with this number will be an access of the code on top of the stack, at a site of the trace. */
  access(event: number, frame: Call | null, site: number): void {
    const before = this.accesses.get(site) ?? 0;
    this.accesses.set(site, before + 1);
    const calls = before < this.mostAccesses ? this.now(frame) : NOBODY;
    this.tell(event, calls.length > 0 ? calls : this.callersOf(frame));
  }

  protected tell(event: number, calls: readonly Running[]): void {
    this.events.set(event, calls);
  }

  /** By event, what was seen since this was asked before. Accesses that nothing of the program called are left out. */
  finish(): Map<number, readonly CallPlace[]> {
    const texts = (this.calls ??= new CallTexts(this.texts));
    const known = new Map<readonly Running[], readonly CallPlace[]>();
    const placed = (calls: readonly Running[]): readonly CallPlace[] => {
      let places = known.get(calls);
      if (!places) known.set(calls, (places = calls.map((call) => texts.place(call))));
      return places;
    };
    const told = [...this.events].filter(([, calls]) => calls.length > 0);
    this.events.clear();
    return new Map(told.map(([event, calls]) => [event, placed(calls)]));
  }

  /** Who called the code on top of the stack, which is part of `frame`. */
  protected now(frame: Call | null): readonly Running[] {
    if (++this.looks > MOST_LOOKS) return NOBODY;
    const [, ...calls] = this.callSites.all();
    let lowest: Suspendable | null = frame;
    while (lowest?.saved) lowest = lowest.saved;
    // An activation that was not suspended yet still has its callers on the stack.
    const beyond = lowest && this.resumed.has(lowest) ? this.callersOf(lowest) : NOBODY;
    return [...calls, ...beyond].slice(0, MOST_PLACES);
  }

  protected callersOf(frame: Suspendable | null): readonly Running[] {
    return (frame && this.began.get(frame)) ?? NOBODY;
  }
}

/** Knows the text of calls. Reads files: only when the run is over. */
class CallTexts {
  private readonly texts: InstrumentedTexts;
  private readonly places = new Map<string, CallPlace>();
  private readonly lines = new Map<string, readonly string[]>();
  /** By file and line: names of the functions with code there. */
  private readonly functions = new Map<string, Map<number, Set<string>>>();

  constructor(texts: InstrumentedTexts) {
    this.texts = texts;
  }

  place(call: Running): CallPlace {
    const { file, line, column, fn } = call;
    const key = `${file}:${line}:${column}:${fn}`;
    let place = this.places.get(key);
    if (!place) this.places.set(key, (place = this.made(call)));
    return place;
  }

  private made({ fn, ...running }: Running): CallPlace {
    const written = writtenAt(running, this.texts.originalColumn);
    const { file, line } = written ?? running;
    const text = this.linesOf(file)[line - 1] ?? '';
    const original = written?.column ?? this.texts.originalColumn(file, line, running.column);
    const first = Math.max(0, text.search(/\S/)) + 1;
    return {
      file,
      line,
      column: original !== null && isCall(text, original) ? original : first,
      fn: this.nameOf(file, line, fn ?? ''),
    };
  }

  /** The name that reports use for a function with code in a line; programs rename functions. */
  private nameOf(file: string, line: number, fn: string): string {
    const names = [...(this.functionsOf(file).get(line) ?? [])];
    const same = names.find((name) => lastPart(name) === lastPart(fn));
    return same ?? (names.length === 1 ? names[0]! : fn);
  }

  private functionsOf(file: string): Map<number, Set<string>> {
    let lines = this.functions.get(file);
    if (!lines) {
      this.functions.set(file, (lines = new Map()));
      for (const site of this.texts.allSites())
        if (site.file === file) lines.set(site.line, (lines.get(site.line) ?? new Set()).add(site.fn));
    }
    return lines;
  }

  private linesOf(file: string): readonly string[] {
    let lines = this.lines.get(file);
    if (!lines) {
      try {
        lines = readFileSync(resolve(loaderConfig().cwd, file), 'utf8').split('\n');
      } catch {
        // Gone or unreadable: the line alone must do.
        lines = [];
      }
      this.lines.set(file, lines);
    }
    return lines;
  }
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** Whether something is called at a column, from 1: in a module that was rewritten it may stand elsewhere. */
const isCall = (text: string, column: number): boolean =>
  /^(?:new\b|#?[\w$]+\s*(?:\?\.\s*)?[(`])/.test(text.slice(column - 1)) &&
  !/[\w$#]/.test(text[column - 2] ?? '');
