/** Runs harnesses inside a worker process: modules, setup, tasks under the gate, check. */
import { pathToFileURL } from 'node:url';
import type { ScenarioRun } from '../../data/scenario.ts';
import type { Trace } from '../../data/trace.ts';
import {
  HARNESSES,
  type Harness,
  SCENARIOS,
  type Scenario,
  THREAD_HARNESSES,
  THREAD_SCENARIOS,
  type ThreadHarness,
  type ThreadScenario,
  threadRegistrations,
  threadScenarioRegistrations,
} from '../../harnesses/api.ts';
import { type Linker, NotLinkable } from '../../monitor/modules/linker.ts';
import { type Frame, runtime } from '../../monitor/runtime/index.ts';
import { failureOf, withFailure } from '../failure.ts';
import { drawn } from '../scenarios/draw.ts';
import { type PlannedScenario, planned, plannedThreads, scenarioNamed, toldOf } from '../scenarios/plan.ts';
import { runScenario, type ScenarioMeans } from '../scenarios/run.ts';
import { Endless, within } from '../within.ts';
import { executeGated } from './execution.ts';
import { oneLine } from './one-line.ts';
import { SubjectError } from './protocol.ts';
import { RunFolder } from './run-folder.ts';
import type { ListReply, RunReply, RunRequest } from './worker-protocol.ts';

const API = /[\\/]harnesses[\\/](?:api|scenario|thread-scenario)\.[cm]?[jt]s$/;

/** What a file has registered. */
interface Registered {
  readonly harnesses: readonly Harness[];
  readonly scenarios: readonly Scenario[];
}

export class HarnessRunner {
  private readonly linker: Linker;
  /** A file that the linker cannot take is imported by Node itself, once in a process. */
  private native = false;
  private readonly folder = new RunFolder();

  constructor(linker: Linker) {
    this.linker = linker;
  }

  async list(file: string): Promise<ListReply> {
    try {
      if (!(await this.linker.reaches(file, API)))
        return { harnesses: null, threads: [], scenarios: [], threadScenarios: [] };
    } catch (error) {
      if (!(error instanceof NotLinkable)) throw new SubjectError(oneLine(file, error));
    }
    const { harnesses, scenarios } = await this.register(file);
    return {
      harnesses: harnesses.map(({ name, tasks }) => ({ name, tasks: Object.keys(tasks) })),
      threads: threadRegistrations().map(({ name }) => name),
      scenarios: scenarios.flatMap((spec) => planned(spec, drawn(spec, file)).map(toldOf)),
      threadScenarios: threadScenarioRegistrations().flatMap((spec) =>
        plannedThreads(spec, drawn(spec, file)),
      ),
    };
  }

  async run(request: RunRequest): Promise<RunReply> {
    const { file, name, scenario } = request;
    const { harnesses, scenarios } = await this.register(file);
    try {
      if (scenario) return await this.runScenario(scenarioNamed(scenarios, file, name), scenario, request);
      const harness = harnesses.find((h) => h.name === name);
      if (!harness) throw new SubjectError(`${file}: no harness named '${name}'`);
      return await this.runOne(harness, request);
    } finally {
      this.folder.clean();
    }
  }

  private async runOne(harness: Harness, request: RunRequest): Promise<RunReply> {
    let state: unknown;
    try {
      const { folder } = this;
      const made = harness.setup({
        get dir() {
          return folder.get();
        },
      });
      state = await within(request.limits.watchdogMs, 'it', made);
    } catch (error) {
      throw new SubjectError(oneLine(request.file, error, `setup of harness '${request.name}' failed`));
    }
    const executed = await executeGated((root) => startTasks(harness, state, root), request);
    let { result } = executed;
    if (result.outcome === 'pass' && result.afterwards) result = withFailure(result, result.afterwards);
    if (result.outcome === 'pass') {
      try {
        await within(request.limits.watchdogMs, 'check', harness.check(state));
      } catch (error) {
        result = withFailure(result, failureOf(error));
        if (error instanceof Endless) result = { ...result, outcome: 'unknown' };
      }
    }
    return {
      result,
      trace: executed.trace && refine(executed.trace, harness),
      reusable: !this.native && result.outcome !== 'unknown',
    };
  }

  private async runScenario(
    scenario: PlannedScenario,
    asked: ScenarioRun,
    request: RunRequest,
  ): Promise<RunReply> {
    const { folder } = this;
    const means: ScenarioMeans = {
      folder,
      within: (what, work) => within(request.limits.watchdogMs, what, work),
    };
    try {
      const reply = await runScenario(scenario, asked, request, means);
      return { ...reply, reusable: reply.reusable && !this.native };
    } catch (error) {
      if (error instanceof SubjectError) throw error;
      throw new SubjectError(oneLine(request.file, error, `scenario '${scenario.name}'`));
    }
  }

  /** Evaluates a harness file afresh and returns what it registered. */
  private async register(file: string): Promise<Registered> {
    const holder = globalThis as {
      [HARNESSES]?: Harness[];
      [THREAD_HARNESSES]?: ThreadHarness[];
      [SCENARIOS]?: Scenario[];
      [THREAD_SCENARIOS]?: ThreadScenario[];
    };
    const harnesses: Harness[] = (holder[HARNESSES] = []);
    const scenarios: Scenario[] = (holder[SCENARIOS] = []);
    holder[THREAD_HARNESSES] = [];
    holder[THREAD_SCENARIOS] = [];
    try {
      await this.import(file);
    } catch (error) {
      throw new SubjectError(oneLine(file, error));
    }
    return { harnesses, scenarios };
  }

  private async import(file: string): Promise<void> {
    if (!this.native) {
      try {
        await this.linker.load(file);
        await this.linker.instance().import(file);
        return;
      } catch (error) {
        if (!(error instanceof NotLinkable)) throw error;
        this.native = true;
      }
    }
    // A query makes a second import of the process evaluate the file itself anew; its imports are shared,
    // which is why such a process is not used twice for runs.
    await import(`${pathToFileURL(file).href}?${++imports}`);
  }
}

let imports = 0;

async function startTasks(harness: Harness, state: unknown, root: Frame): Promise<void> {
  const running: Promise<unknown>[] = [];
  for (const [name, task] of Object.entries(harness.tasks)) {
    const frame = runtime.taskFrame(name, root);
    running.push(runtime.runAsBody(frame, () => task(state)));
  }
  await Promise.all(running);
}

/** Applies the names that a harness gives as transactions, where the code itself does not say. */
function refine(trace: Trace, harness: Harness): Trace {
  const { atomic = [], notAtomic = [] } = harness.transactions ?? {};
  if (atomic.length + notAtomic.length === 0) return trace;
  const word = (name: string): boolean | null =>
    atomic.includes(name) ? true : notAtomic.includes(name) ? false : null;
  return {
    ...trace,
    activations: trace.activations.map((a) => (a.atomic === null ? { ...a, atomic: word(a.name) } : a)),
  };
}
