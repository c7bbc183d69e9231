/**
 * Each rule of feasibility is needed: without it a program that can never fail in real Node fails under the gate. One
 * table for the tests and for the laboratory; a rule without a program does not get past the type checker.
 */
import dgram from 'node:dgram';
import net from 'node:net';
import type { Loopback } from '../../../data/feasibility/rules.ts';
import type { GateRules } from '../../../rescheduler/gate/result.ts';
import { programs } from './programs/index.ts';
import type { Case } from './programs/program.ts';
import { type Directories, random } from './support.ts';

/** The numbers of the rules in docs/feasibility.md, by the switch that turns each off. */
export const RULES: Readonly<Record<keyof GateRules, string>> = {
  instant: 'C1',
  timers: 'C3',
  fifo: 'C4',
  drains: 'C6',
  doubts: 'C7',
  outsiders: 'C7',
  rounds: 'C7',
  effects: 'C8',
  phases: 'C9',
  closing: 'C9',
  pool: 'C10',
  copies: 'C11',
  leaps: 'C12',
  clocks: 'C13',
  bounded: 'C14',
  traceless: 'C15',
  unref: 'C16',
  tidies: 'C17',
  forgets: 'C18',
};

/** Orders within which a program must fail once the rule that it needs is off. */
const ORDERS_WITHOUT = 400;

/** A program that can never fail, and the rule without which it does. */
export interface Necessity {
  readonly rule: string;
  readonly off: keyof GateRules;
  readonly program: string;
}

/** All programs that need a rule, in the order of the rules. */
export const necessities: readonly Necessity[] = Object.entries(RULES).flatMap(([off, rule]) =>
  Object.entries(programs)
    .filter(([, { needs }]) => needs === off)
    .map(([program]) => ({ rule, off: off as keyof GateRules, program })),
);

/**
 * How one random order of a program ends: `right`, `unknown` (it used what is neither held nor foreseen), or what went
 * wrong. With all rules in force anything else is a false failure.
 */
export async function ends(
  program: Case,
  directories: Directories,
  seed: number,
  rules: Partial<GateRules> = {},
  loopback: Loopback = program.strict ? 'strict' : 'network',
): Promise<string> {
  const directory = directories.fresh();
  const { status, error, waits, steps, doubts } = await random(
    () => program.run(directory),
    seed,
    rules,
    loopback,
  );
  if (status === (program.endless ? 'deadlock' : 'ok')) return 'right';
  return doubts.length > 0 ? 'unknown' : [status, error, ...waits, ...steps].join('\n');
}

/** The first seed whose order fails without the rule; null where none does. */
export async function failsWithout(
  { off, program }: Necessity,
  directories: Directories,
): Promise<number | null> {
  for (let seed = 1; seed <= ORDERS_WITHOUT; seed++)
    if ((await ends(programs[program]!, directories, seed, { [off]: false })) !== 'right') return seed;
  return null;
}

/** The first seed whose order of a program that relies on the kernel fails over a network; null where none does. */
export async function failsOverNetwork(program: Case, directories: Directories): Promise<number | null> {
  for (let seed = 1; seed <= ORDERS_WITHOUT; seed++)
    if ((await ends(program, directories, seed, {}, 'network')) !== 'right') return seed;
  return null;
}

/** Runs that were made to fail leave servers and sockets open, which would keep the process alive. */
export function closeSockets(): void {
  const handles = (process as unknown as { _getActiveHandles(): object[] })._getActiveHandles();
  for (const handle of handles)
    if (handle instanceof net.Server) handle.close();
    else if (handle instanceof dgram.Socket) close(handle);
    else if (handle instanceof net.Socket && handle.remoteAddress) handle.destroy();
}

function close(socket: dgram.Socket): void {
  try {
    socket.close();
  } catch {
    // It is closing, and listed until that is over.
  }
}
