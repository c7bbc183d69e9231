/**
 * Which calls of a test overlap: each with itself, and with those that come soon behind it on the same object. What is not promised by
 * anybody stays as it is: what opens an object, what closes it, and what needs the result of another one.
 */
import type { PlannedOverlap } from '../../data/overlap.ts';
import type { CallPlan, TestCall } from '../../data/test-call.ts';
import { closes, isReading, opens } from './words.ts';

/** So many calls that change something may lie between two that overlap. */
const APART = 3;

/** Nearest first. */
export function plannedCalls(calls: readonly TestCall[]): PlannedOverlap[] {
  const pairs = calls.flatMap((_, at) => [
    ...(isTwice(calls[at]!) ? [[at, at] as const] : []),
    ...followers(calls, at).map((other) => [at, other] as const),
  ]);
  return pairs.sort(([a, b], [c, d]) => b - a - (d - c)).flatMap(([at, other]) => startsOf(calls, at, other));
}

const isWriting = ({ operation }: TestCall): boolean => !isReading(operation);

/** It came to its end, by itself, in the middle of the life of its object. */
function mayOverlap({ operation, key, ended, overlaps }: TestCall): boolean {
  return (
    ended !== null && !overlaps && !opens(operation) && !closes(operation, key === null ? null : keyOf(key))
  );
}

const keyOf = (key: string): unknown =>
  key.startsWith('"') ? key : Number.isNaN(Number(key)) ? null : Number(key);

const isTwice = (call: TestCall): boolean => mayOverlap(call) && call.isCopied && isWriting(call);

/** The test is told what those before the last one gave in the recorded run, so that it comes there. */
function followers(calls: readonly TestCall[], at: number): number[] {
  const first = calls[at]!;
  if (!mayOverlap(first)) return [];
  const found: number[] = [];
  let writes = 0;
  for (let other = at + 1; other < calls.length && writes < APART; other++) {
    const each = calls[other]!;
    if (calls[other - 1]!.gave === null || each.overlaps) break;
    // What is left out between the two, and is of another object, may be what the second one is about.
    if (each.object !== first.object) break;
    if (isWriting(each)) writes += 1;
    const isFree = ![...each.needs, ...each.shares].some((before) => before >= at);
    if (isFree && mayOverlap(each) && (isWriting(each) || isWriting(first))) found.push(other);
  }
  return found;
}

function startsOf(calls: readonly TestCall[], at: number, other: number): PlannedOverlap[] {
  const pair = [calls[at]!, calls[other]!] as const;
  const stops = calls
    .slice(at, other + 1)
    .map(({ place, gave }, stop) => ({ ...place, gave: at + stop < other ? gave : null }));
  const keys = pair[0].key === pair[1].key ? 'same' : 'other';
  const setup = calls.slice(0, at).map(shapeOf);
  const made = (stop: number, call: TestCall): CallPlan['calls'][number] => ({
    ...{ operation: call.operation, text: call.text, reads: !isWriting(call) },
    stop,
  });
  const [first, second] = [made(0, pair[0]), made(other - at, pair[1])];
  const planned = (two: readonly [typeof first, typeof first], start: CallPlan['start']): PlannedOverlap => {
    const group = JSON.stringify([two[0].stop, two[1].stop, pair.map(({ place }) => place)]);
    return {
      plan: { kind: 'calls', stops, calls: [...two], start },
      name: two.map(({ text }) => text).join(start === 'together' ? ' ∥ ' : ', 1 ms later '),
      keys,
      shape: JSON.stringify([setup, two.map(({ text }) => text), pair.map(({ object }) => object), start]),
      group,
    };
  };
  const all = [planned([first, second], 'together'), planned([first, second], 'apart')];
  return at === other ? all : [...all, planned([second, first], 'apart')];
}

const shapeOf = ({ object, text }: TestCall): string => `${object} ${text}`;
