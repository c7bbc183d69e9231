/** What went wrong in a run, in a form by which two failures can be recognised as one defect. */
import { stripVTControlCharacters } from 'node:util';
import type { Failure, FailureKind, RunResult } from '../data/run.ts';
import { withoutOwnFrames } from '../monitor/record/own-frames.ts';
import { toldStack } from '../monitor/record/told-stack.ts';
import { ce, plainMessage } from '../monitor/runtime/wording.ts';
import { isMixedUp } from './mixed-up.ts';

interface ErrorLike {
  name?: unknown;
  code?: unknown;
  message?: unknown;
  stack?: unknown;
  cause?: unknown;
}

const isObject = (value: unknown): value is ErrorLike => typeof value === 'object' && value !== null;

/** The runner wraps what a test threw. */
function unwrap(error: unknown): unknown {
  if (read(error, 'code') !== 'ERR_TEST_FAILURE') return error;
  const { cause } = error as ErrorLike;
  return cause === undefined ? error : unwrap(cause);
}

/** Reads a property of something thrown by the program: getters may throw, proxies may lie. */
function read(error: unknown, key: keyof ErrorLike): string {
  try {
    const value = isObject(error) ? error[key] : undefined;
    return typeof value === 'string' ? value : '';
  } catch {
    return '';
  }
}

function text(value: unknown): string {
  try {
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

/** Six letters and digits between a prefix and the end of a name: with a digit, or small and capital letters mixed. */
const MKDTEMP =
  /(?<=[\w.@+-][-_])(?=[a-zA-Z]{0,5}\d|[A-Za-z]{0,4}[a-z][A-Z]|[A-Z]{2,5}[a-z])[A-Za-z0-9]{6}(?=[/'"])/g;

/**
 * Takes out what differs between two failures of one defect: numbers, addresses, temporary paths. Our own
 * temporary folders may stand anywhere, and those of a warm run elsewhere than those of a fresh one. A folder of the
 * program's own may be anywhere as well: what `mkdtemp` puts behind a prefix is told by its form, which a word in
 * small or capital letters does not have.
 */
export function normalise(message: string): string {
  return stripVTControlCharacters(message)
    .replace(/(?:\/[\w.@+-]+)*\/(?:tmp\/|T\/|shm\/|unweave-)[\w./@+-]*/g, '<tmp>')
    .replace(MKDTEMP, '<tmp>')
    .replace(/\b0x[0-9a-f]+\b/gi, '<n>')
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b/gi, '<n>')
    .replace(/\d+/g, '<n>')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 400);
}

/** Describes what a run threw or rejected with; `kind` where the way it came matters more than what it is. */
export function failureOf(thrown: unknown, kind?: FailureKind): Failure {
  const error = ce(unwrap(thrown));
  const code = read(error, 'code');
  const name = read(error, 'name') || (isObject(error) ? 'Error' : typeof error);
  const said = read(error, 'message') || (isObject(error) ? '' : text(error));
  const message = withoutOwnFrames(plainMessage(stripVTControlCharacters(said)));
  const assertion = code === 'ERR_ASSERTION' || name === 'AssertionError';
  return {
    kind: kind ?? (assertion ? 'assertion' : 'exception'),
    name,
    message: message.slice(0, 4000),
    stack: toldStack(withoutOwnFrames(read(error, 'stack').slice(0, 8000))),
    // The first line only: what follows is the difference of two values, which one defect shows in many ways.
    fingerprint: [name, code, normalise(message.split('\n', 1)[0] ?? '')]
      .filter((part) => part !== '')
      .join(' | '),
    ...(isMixedUp(error) && { mixedUp: true }),
  };
}

/** A failure for which the program threw nothing. */
export function plainFailure(kind: FailureKind, name: string, message: string): Failure {
  return { kind, name, message, stack: '', fingerprint: `${name} | ${normalise(message)}` };
}

/** The result of a run whose tasks were content but whose check, made afterwards, was not. */
export function withFailure(result: RunResult, failure: Failure): RunResult {
  return { ...result, outcome: result.doubts ? 'unknown' : 'fail', failure };
}

/** A test case failed though its body was content. */
export const AROUND_BODY: Failure = plainFailure(
  'exception',
  'HookFailed',
  'a hook of the test failed, or its plan was not kept',
);

/** What is said of every deadlock; who waits for what stands beside it. */
export const DEADLOCK: Failure = plainFailure(
  'deadlock',
  'Deadlock',
  'unsettled, and nothing is left that could settle it',
);

/** A turn that goes on and on: the process does not answer any more. What it would have come to nobody knows. */
export const ENDLESS_TURN: Failure = plainFailure(
  'timeout',
  'EndlessTurn',
  'one turn of the program does not end',
);

export const isEndlessTurn = ({ name }: Failure): boolean => name === ENDLESS_TURN.name;

/** What is said of every run that would never end. */
export const DOES_NOT_END: Failure = plainFailure(
  'timeout',
  'DoesNotEnd',
  'the test does not end: one of its turns goes on for ever, and nothing can come any more',
);
