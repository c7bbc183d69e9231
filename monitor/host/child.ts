/** Child processes: their end and what they write are events of another process, held when they come. */

import type { ChildProcesses } from '../children/child-processes.ts';
import { LastingChildren } from '../children/lasting.ts';
import { ownSourceOf } from '../children/own-source.ts';
import { replaceMethod, wrapMethod } from '../replace.ts';
import { bindingOf } from './bindings.ts';
import type { Context } from './context.ts';
import type { HostController } from './controller.ts';
import { Elapsed } from './elapsed.ts';
import { HeldSource } from './held.ts';
import { LoneChildren } from './lone-children.ts';
import { originOf } from './naming.ts';
import type { Call } from './net/binding.ts';
import type { NetHost } from './net/net-host.ts';
import { type Outside, READING_TURNS } from './net/outside.ts';
import type { HostRequest } from './request.ts';
import { afterRounds } from './rounds.ts';
import { programOf, readOptions } from './started.ts';
import { CHILD_CLOCK, hasTime } from './told-time.ts';

interface ChildHandle {
  onexit: Call;
  hasRef(): boolean;
}

/** The real clock. */
const realDate = Date.now;

/** Children of the run. */
export interface Children {
  /** Handles of children whose end has come, by the name that Node gives to them: they bring no more news. */
  ended(): ReadonlyMap<string, number>;
  /** A run begins. */
  surround(): void;
  /** The user's sources that run in processes which were there before the run. */
  around(): readonly string[];
  /** The run is over. */
  drop(): void;
}

/** `processes`: who follows them; null: nobody does. */
export function wrapChildren(
  controller: HostController,
  capture: () => Context,
  net: NetHost,
  processes: ChildProcesses | null = null,
): Children {
  const ended = new Set<ChildHandle>();
  const binding = bindingOf('process_wrap');
  const prototype = binding.Process.prototype as Record<string, Call>;
  const native = prototype['spawn']!;
  const kill = prototype['kill']!;
  const running = new WeakMap<ChildHandle, Elapsed>();
  const alone = new LoneChildren();
  const lasting = new LastingChildren();
  replaceMethod(prototype, 'spawn', function (this: ChildHandle, ...args: unknown[]) {
    // It is at work before the call returns.
    const elapsed = new Elapsed(controller);
    const options = readOptions(args);
    if (!controller.active('child_process')) {
      const error = native.apply(this, args) as number;
      if (error === 0 && processes) lasting.begins(this, ownSourceOf(options));
      return error;
    }
    const { file, stdio, given } = options;
    const exit = originOf(controller, 'child_process.exit');
    const what = programOf(file, given);
    const context = capture();
    const child = processes?.begin({ what, origin: exit, context, elapsed }, options);
    const error = native.apply(this, args) as number;
    if (error !== 0) {
      if (child) processes?.hasEnded(child);
      return error;
    }
    if (hasTime(given, realDate())) controller.otherClock(CHILD_CLOCK);
    const source = new HeldSource(controller, 'child_process.exit', what, exit, context);
    lasting.begins(this, child?.program ?? null);
    const { onexit } = this;
    running.set(this, elapsed);
    alone.begins(this);
    const pipes = stdio.flatMap(({ type, handle }) =>
      handle && (type === 'pipe' || type === 'overlapped')
        ? [net.outside(handle, what, originOf(controller, 'child_process.read'), elapsed)]
        : [],
    );
    let came = controller.expect();
    if (child) child.heard = () => came();
    if (child) for (const pipe of pipes) pipe.step = () => child.taking;
    // It may be waiting for more input, or for the end of that.
    for (const pipe of pipes)
      pipe.ending = {
        asked: () => came(),
        done: () => {
          elapsed.anew();
          if (!ended.has(this)) came = controller.expect();
        },
      };
    this.onexit = (...values) => {
      const { after, since } = elapsed;
      const isAlone = alone.ends(this) && controller.rules.fifo;
      // What it wrote, and that it closed what it wrote to, was there before.
      const tell = () =>
        source.come(() => onexit.apply(this, values), {
          ...{ how: { by: 'handle', after }, since, trails: true },
          behind: child?.last ?? latestOf(pipes),
        });
      if (source.isOfRun) {
        ended.add(this);
        if (child) processes?.hasEnded(child);
        for (const pipe of pipes) pipe.hasEnded();
      }
      if (isAlone && source.isOfRun)
        behind(() => source.isOfRun && pipes.some(({ owes }) => owes), pipes, net, controller, tell);
      else tell();
      came();
    };
    return 0;
  });
  const sync = bindingOf('spawn_sync');
  wrapMethod(
    sync,
    'spawn',
    (nativeSync) =>
      function (this: unknown, ...args: unknown[]) {
        alone.others();
        if (processes && controller.active('child_process')) {
          const options = readOptions(args);
          processes.waitsFor(programOf(options.file, options.given), options);
        }
        return nativeSync.apply(this, args);
      },
  );
  replaceMethod(prototype, 'kill', function (this: ChildHandle, ...args: unknown[]) {
    running.get(this)?.anew();
    return kill.apply(this, args);
  });
  return {
    ended() {
      const left = [...ended].filter((child) => child.hasRef()).length;
      return new Map(left > 0 ? [['ProcessWrap', left]] : []);
    },
    surround: () => lasting.surround(),
    around: () => lasting.programs(),
    drop() {
      ended.clear();
      alone.drop();
    },
  };
}

/** Calls `tell` when nothing is owed any more, which may change where one of these pipes was eased. */
function behind(
  owed: () => boolean,
  pipes: readonly Outside[],
  net: NetHost,
  controller: HostController,
  tell: () => void,
): void {
  let isTold = false;
  /** So many rounds later, which nothing else overtakes. */
  const look = (rounds: number): void => {
    const looked = controller.expect();
    afterRounds(rounds, net.later, () => {
      if (!isTold && !owed()) {
        isTold = true;
        for (const pipe of pipes) pipe.eased = () => {};
        tell();
      }
      looked();
    });
  };
  for (const pipe of pipes) pipe.eased = () => look(1);
  look(READING_TURNS);
}

/** What came last from there. */
const latestOf = (pipes: readonly Outside[]): HostRequest | null =>
  pipes.reduce<HostRequest | null>(
    (latest, { previous }) => (previous && previous.id > (latest?.id ?? -1) ? previous : latest),
    null,
  );
