/** Makes a thread of the user's own program take part with its event loop under the gate. */

import workerThreads from 'node:worker_threads';
import { DEFAULT_LIMITS } from '../../../data/run.ts';
import type { Dispatch } from '../../../monitor/symbols.ts';
import { CallPoints } from '../../../monitor/threads/call-points.ts';
import { Registry } from '../../../monitor/threads/registry.ts';
import {
  type GateOptions,
  type GateResult,
  installGate,
  nameNow,
  placeNow,
  runGated,
} from '../../gate/session.ts';
import { loopRules } from '../../tokens/control.ts';
import { Files } from '../../tokens/file-cells.ts';
import { FRAMES, strategyFor } from '../../tokens/loop-body.ts';
import { installRuntime } from '../../tokens/thread-runtime.ts';
import { AsyncWaits } from '../../tokens/wait-async.ts';
import type { Broadcasts } from '../broadcasts.ts';
import { toWorker } from '../lines.ts';
import { Notes } from '../notes.ts';
import type { ThreadContext } from '../part.ts';
import { type Counter, wrapPorts } from '../ports.ts';
import { partOf, tellCallers, tellViews } from '../take-part.ts';
import type { ExecutionPlan, ThreadSlot } from '../thread.ts';
import { Arrivals } from './arrivals.ts';
import { watchJoins } from './joins.ts';
import { type Line, type Port, PortBox } from './port-box.ts';
import { ProgramCompanions } from './program-companions.ts';
import { ProgramHolder } from './program-holder.ts';
import { LoopTelling } from './telling.ts';

type PortMethods = Record<PropertyKey, (this: Port, ...args: unknown[]) => unknown>;

/** How a thread's program runs. */
type GatedManner = Pick<GateOptions, 'until' | 'keptAlive' | 'firstTurn'>;

export interface GatedPart extends ThreadContext {
  readonly holder: ProgramHolder;
  readonly arrivals: Arrivals;
  /** `on`: the program runs, and what it does are steps. */
  phase(): 'before' | 'on' | 'over';
  /** The public port of a worker, at its parent: nothing but Node itself listens there. */
  adopt(port: Port, line: number, name: string, what: string): PortBox;
  /** The port by which this thread hears of its parent. */
  listen(port: Port): void;
  /** Another execution begins, in which this thread has the same place. */
  renew(plan: ExecutionPlan): void;
  /** The thread has come to its end, and will take part in further executions. */
  over(): void;
  /** A failure is no proof from now on. */
  doubt(what: string): void;
  /** Runs the program of this thread, or a body of it, once. */
  run<T>(main: () => T | Promise<T>, manner: GatedManner): Promise<GateResult<T>>;
}

/** `deadlock`: nobody will ever go on. */
export function takeGatedPart(place: ThreadSlot, deadlock: () => void): GatedPart {
  const { execution, parent, self } = place;
  const { asyncWaiters, control, config, notes: file } = execution;
  installGate();
  const notes = new Notes(file);
  let phase: 'before' | 'on' | 'over' = 'before';
  const isOn = (): boolean => phase === 'on';
  const leaving = (): void => {
    tellViews(notes, runtime.views);
    tellCallers(notes, holder);
    telling.tell();
  };
  // At once: a thread that never leaves its turn tells nothing more. A process that lasts is known to have none.
  const touched = (): void => {
    if (!execution.isWarm) notes.tell({ touched: true });
  };
  const holder = new ProgramHolder(control, asyncWaiters, self, parent, { leaving, deadlock });
  const runtime = installRuntime(control, self, config, holder, 'gated');
  holder.activations = runtime.activations;
  runtime.reset();
  const files = new Files(execution.fileTable, new Registry(control.registry), touched);
  runtime.views.met = touched;
  const arrivals = new Arrivals(holder);
  const waits = new AsyncWaits(control.words, self, holder, runtime.views, runtime.pointHere);
  const callPoints = new CallPoints(runtime.loader, config);
  const newCompanions = () =>
    new ProgramCompanions(control.words, holder, waits, files, arrivals, () => callPoints.here());
  let companions = newCompanions();
  let telling = new LoopTelling(notes, self, holder, companions, files);
  const part = partOf(place, holder, runtime, notes);
  const boxes = new WeakMap<object, PortBox>();
  let dispatch!: Dispatch;

  function box(port: Port, line: Line, name: string, what: string): PortBox {
    const made = new PortBox(port, line, dispatch, {
      ...{ name, what, context: arrivals.capture(isOn()), made: isOn() ? placeNow() : -1 },
      closes: (ending) => arrivals.add(ending),
      words: control.words,
    });
    boxes.set(port, made);
    arrivals.add(made);
    return made;
  }

  function start(box: PortBox): void {
    box.isStarted = true;
    arrivals.listen(box);
  }

  const lineOf = (line: number): Line => ({
    waiting: () => part.lines.waiting(line),
    isClosed: () => part.lines.isClosed(line),
    close: () => part.lines.close(line),
    receive: (value, ports) => part.lines.receive(line, value, ports),
    closed: () => part.lines.closed(line),
  });

  const counter: Counter = {
    isOff: () => !isOn(),
    came(port, value, type, event, dispatch) {
      const held = isOn() ? boxes.get(port) : undefined;
      if (!held) return dispatch.call(port, value, type, event);
      if (!held.hold(value, type, event)) companions.doubted('a message older than the run');
      return undefined;
    },
    asked(port, ask) {
      const held = isOn() ? boxes.get(port) : undefined;
      return held ? held.take() : ask();
    },
    opened(port, broadcasts) {
      if (!isOn() || !broadcasts.has(port)) return;
      start(box(port as Port, broadcastLine(port, broadcasts), nameNow('BroadcastChannel'), ''));
    },
  };
  part.lines.known = (port, line) => box(port as Port, lineOf(line), nameNow('MessagePort'), '');
  part.lines.left = (port) => boxes.get(port)?.go('sent');
  wrapPorts(part, (native) => {
    dispatch = native;
    return counter;
  });
  watchListening(boxes, start, (port) => {
    if (isOn() && part.lines.of(port) >= 0) boxes.get(port)?.go('shut');
  });
  const { locks } = workerThreads as { locks?: object };
  if (locks) {
    const manager = Object.getPrototypeOf(locks) as { request: (...args: never[]) => unknown };
    manager.request = doubted('locks of worker_threads', manager.request);
  }
  workerThreads.postMessageToThread = doubted('postMessageToThread', workerThreads.postMessageToThread);

  function doubted<F extends (...args: never[]) => unknown>(what: string, fn: F): F {
    return function (this: unknown, ...args: never[]) {
      if (isOn()) companions.doubted(what);
      return Reflect.apply(fn, this, args);
    } as F;
  }

  return {
    ...part,
    holder,
    arrivals,
    phase: () => phase,
    doubt: (what) => companions.doubted(what),
    listen: (port) => void box(port, lineOf(toWorker(self)), 'root|parentPort', 'from its parent'),
    renew(plan) {
      execution.plan = plan;
      phase = 'before';
      notes.forget();
      part.lines.forget();
      runtime.reset();
      runtime.views.forget();
      files.reset();
      waits.reset();
      companions = newCompanions();
      telling = new LoopTelling(notes, self, holder, companions, files);
    },
    over() {
      phase = 'over';
      // With a thread its ports end.
      arrivals.forget((source) => {
        if (source instanceof PortBox) source.end();
      });
    },
    adopt(port, line, name, what) {
      const made = box(port, lineOf(line), name, what);
      start(made);
      return made;
    },
    async run(main, manner) {
      const { deliveries } = execution.plan.gated!;
      const strategy = strategyFor(control.words, self, deliveries && (deliveries[self] ?? []));
      holder.begin();
      const unwatch = holder.causalLog !== null ? watchJoins(holder) : () => {};
      const result = await runGated(
        () => {
          arrivals.begin();
          phase = 'on';
          return main();
        },
        {
          // The watchdog of the process is the one that counts.
          ...{ strategy, limits: { ...DEFAULT_LIMITS, watchdogMs: 0x7fffffff }, frames: FRAMES },
          // Messages are arrivals of ours; what a thread leaves behind goes with it.
          ...{ companions, without: ['MessagePort'] },
          rules: { ...loopRules(control.words), tidies: false },
          ...manner,
        },
      ).finally(unwatch);
      // What a thread does as it exits are steps, too; what a file does behind its test is not.
      if (manner.until === 'settled') phase = 'over';
      return result;
    },
  };
}

const broadcastLine = (port: object, broadcasts: Broadcasts): Line => ({
  waiting: () => broadcasts.waiting(port),
  isClosed: () => !broadcasts.has(port),
  receive: (value) => broadcasts.receive(port, value),
  // Its own thread closes it, and nobody hears of it.
  close: () => {},
  closed: () => {},
});

/** Node hands out what comes to a port from its first `start` or, where somebody listens, `ref` on. */
function watchListening(
  boxes: WeakMap<object, PortBox>,
  started: (box: PortBox) => void,
  closed: (port: Port) => void,
): void {
  const prototype = globalThis.MessagePort.prototype as unknown as PortMethods;
  const watch = (name: string, told: (port: Port) => void): void => {
    const native = prototype[name]!;
    prototype[name] = function (...args) {
      told(this);
      return native.apply(this, args);
    };
  };
  const start = (port: Port): void => {
    const box = boxes.get(port);
    if (box) started(box);
  };
  watch('ref', start);
  watch('start', start);
  watch('close', closed);
}
