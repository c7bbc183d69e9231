/** The asynchronous calls of the code under test that a test makes, one after the other. */
import { types } from 'node:util';
import type { OverlapLog } from '../../data/overlap.ts';
import type { TestCall, TestCallPlace } from '../../data/test-call.ts';
import { loaderConfig } from '../../monitor/loader/config.ts';
import { type MadeCall, onTestCall } from '../../monitor/runtime/test-calls.ts';
import type { OperationLog } from '../held/held-test.ts';
import { canonical, shown } from '../scenarios/canonical.ts';
import { callText } from '../scenarios/plan.ts';
import { fileName } from '../subjects/stable-name.ts';
import { copied, isPlain, kept, type Parts, parts } from './copies.ts';
import { isOfHost } from './host.ts';
import { isOfDevelopment } from './packages.ts';

/** A call that the test makes itself, not the code that it has called. */
export interface HeardCall {
  readonly place: TestCallPlace;
  readonly made: MadeCall;
  /** Another one was under way. */
  readonly overlaps: boolean;
}

/** What becomes of a call; undefined: it is made. */
type Instead = (heard: HeardCall) => { readonly gives: unknown } | undefined;

/** Told of those that gave a promise, as soon as they are made. */
type Hear = (heard: HeardCall, promise: Promise<unknown>) => void;

/** Listens to the calls that are written in one file. */
export class CallListener {
  private readonly file: string;
  private readonly counts = new Map<string, number>();
  private readonly instead: Instead;
  private readonly hear: Hear;
  /** The code under test is called, and has not returned. */
  private isWithin = false;
  private open = 0;

  constructor(file: string, hear: Hear, instead: Instead = () => undefined) {
    this.file = fileName(loaderConfig().cwd, file);
    this.hear = hear;
    this.instead = instead;
  }

  begin(): void {
    onTestCall((made) => this.called(made));
  }

  end(): void {
    onTestCall(null);
  }

  private called(made: MadeCall): unknown {
    const { site, args } = made;
    if (site.file !== this.file || this.isWithin) return made.make(args);
    const at = `${site.line}:${site.column}`;
    const nth = this.counts.get(at) ?? 0;
    this.counts.set(at, nth + 1);
    const heard = { place: { site: at, nth }, made, overlaps: this.open > 0 };
    const instead = this.instead(heard);
    if (instead) return instead.gives;
    const value = this.make(made);
    if (!types.isPromise(value)) return value;
    this.open += 1;
    const over = (): void => {
      this.open -= 1;
    };
    value.then(over, over);
    this.hear(heard, value);
    return value;
  }

  private make(made: MadeCall): unknown {
    this.isWithin = true;
    try {
      return made.make(made.args);
    } finally {
      this.isWithin = false;
    }
  }
}

interface Kept extends TestCall {
  ended: TestCall['ended'];
  gave: string | null;
  readonly args: Parts;
  result: Parts | null;
}

export class CallLog implements OperationLog {
  private readonly listener: CallListener;
  private readonly kept: Kept[] = [];
  private readonly objects = new Map<unknown, string>();

  constructor(file: string) {
    this.listener = new CallListener(file, (heard, promise) => this.hear(heard, promise));
  }

  begin(): void {
    this.listener.begin();
  }

  end(): void {
    this.listener.end();
  }

  get log(): OverlapLog {
    return { kind: 'calls', calls: this.kept.map(({ args: _args, result: _result, ...call }) => call) };
  }

  private hear({ place, made, overlaps }: HeardCall, promise: Promise<unknown>): void {
    const { receiver, method, callee, source, args } = made;
    if (isOfHost(receiver, method, callee) || isOfDevelopment(source)) return;
    const own = parts(args);
    const copies = copied(args);
    const operation = operationOf(made);
    const call: Kept = {
      ...{ place, operation, overlaps, ended: null, gave: null },
      object: this.objectOf(made),
      text: textOf(made),
      key: args.length === 0 ? null : shown(canonical(args[0])),
      needs: this.placesOf(({ result }) => result !== null && this.isIn(result, own)),
      shares: copies ? [] : this.placesOf((other) => !own.objects.isDisjointFrom(other.args.objects)),
      isCopied: copies !== null,
      args: own,
      result: null,
    };
    this.kept.push(call);
    promise.then(
      (value) => {
        call.ended = 'value';
        call.gave = kept(value);
        call.result = parts([value]);
      },
      () => {
        call.ended = 'error';
      },
    );
  }

  private placesOf(isMeant: (other: Kept) => boolean): number[] {
    return this.kept.flatMap((other, at) => (isMeant(other) ? [at] : []));
  }

  /** Something of a result is handed on: a thing itself, or a name that the test did not know before. */
  private isIn(result: Parts, own: Parts): boolean {
    if (!result.objects.isDisjointFrom(own.objects)) return true;
    const known = this.kept.map(({ args }) => args.names);
    return [...result.names].some((name) => own.names.has(name) && !known.some((names) => names.has(name)));
  }

  /** Functions that factories have returned belong together: nobody knows which of them share what. */
  private objectOf({ receiver, method, source }: MadeCall): string {
    if (method === null) return source === null ? 'functions' : `module ${source}`;
    const known = this.objects.get(receiver) ?? `object ${this.objects.size}`;
    this.objects.set(receiver, known);
    return known;
  }
}

/** `store.set`, as it is written. */
export const operationOf = ({ site, method }: MadeCall): string => {
  const written = site.text.replace(/\s+/g, '');
  return written.endsWith('…') || /[([]/.test(written) ? (method ?? 'call') : written;
};

/** Folders of temporary files, ids and times are other ones in each run: of a path the last part is told, of such a word nothing. */
export function textOf(made: MadeCall): string {
  const args = made.args.map(toldArgument);
  return callText({ operation: operationOf(made), args });
}

const PATH = /^(?:file:\/\/)?\/(?:[^/]+\/)+([^/]*)\/?$/;
const OTHER_EACH_TIME = /\b(?=[\w-]*\d)[\da-f-]{16,}\b|\b\d{12,}\b/gi;
const OF_DIRECTORY = /-\w{6}$/;

function toldArgument(value: unknown): unknown {
  if (typeof value === 'string')
    return value
      .replace(PATH, (_, last: string) => (OF_DIRECTORY.test(last) ? '…' : `…/${last}`))
      .replace(OTHER_EACH_TIME, '…');
  if (typeof value === 'number' && value > 1e11) return '…';
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(toldArgument);
  return isPlain(value)
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toldArgument(each)]))
    : value;
}
