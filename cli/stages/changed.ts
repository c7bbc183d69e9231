/**
 * `--changed`: what an earlier run has found out about a test holds as long as nothing has changed that it could depend on. The
 * command is run and recorded all the same: tests have to pass, and new ones to be found; what is spared is the forcing.
 */
import { relative, resolve } from 'node:path';
import { z } from 'zod';
import type { ReportBug } from '../../data/report.ts';
import type { TestRecord } from '../../data/store/index.ts';
import type { Recording, Subject } from '../../rescheduler/subjects/protocol.ts';
import type { RunOptions } from '../options.ts';
import { changedSince, repositoryFiles } from '../project/files.ts';
import { packageManagerOf } from '../project/package-manager.ts';
import { version } from '../version.ts';
import { Concern, differing, type Texts } from './changes.ts';
import type { StageContext } from './context.ts';
import { PREDICTION_ENDED } from './predict.ts';
import { hashOf, isStale, wholeSources } from './sources.ts';

/** Keys of the store. */
const FILES = 'files';
const ENVIRONMENT = 'environment';
const texts = z.record(z.string(), z.string());

const NAMES: Readonly<Record<string, string>> = {
  node: 'Node',
  unweave: 'unweave',
  lock: 'the lock file',
  platform: 'the platform',
};

/** What everything depends on. */
function environmentOf(cwd: string): Texts {
  const { lockFile } = packageManagerOf(cwd);
  const lock = lockFile === null ? '' : hashOf(lockFile, cwd);
  return { node: process.version, unweave: version(), lock, platform: `${process.platform} ${process.arch}` };
}

/** The project before the command is run. */
export interface Snapshot {
  readonly files: Texts;
  readonly environment: Texts;
  /** What differs from the commit that was named; null: none was. */
  readonly since: readonly string[] | null;
}

/** Taken first: what is edited while the command runs has changed for the next one. Null where it is not asked for. */
export function snapshot(options: RunOptions): Snapshot | null {
  const { baseline, changed, cwd, json, writeBaseline } = options;
  if (changed === null) return null;
  // What we write ourselves is another each time, and no test depends on it.
  const ours = new Set(
    [json, baseline, writeBaseline].map((name) => name && relative(cwd, resolve(cwd, name))),
  );
  const isTheirs = (name: string): boolean => !ours.has(name);
  const files = repositoryFiles(cwd).filter(isTheirs);
  return {
    files: Object.fromEntries(files.map((name) => [name, hashOf(name, cwd)])),
    environment: environmentOf(cwd),
    since: changed === '' ? null : changedSince(changed, cwd).filter(isTheirs),
  };
}

/** Forgets the tests whose analysis may hold no longer; call it when the command was recorded, and nothing stored of that. */
export async function forgetChanged(
  context: StageContext,
  { files: now, environment, since }: Snapshot,
  recordings: Map<string, Recording>,
): Promise<void> {
  const { store, options, subjects } = context;
  const known = texts.safeParse(store.noted(ENVIRONMENT));
  const files = texts.safeParse(store.noted(FILES));
  const changed = differing(files.success ? files.data : null, now);
  const claimed = new Set([
    ...[...subjects.values()].flatMap(({ loaded }) => loaded ?? []),
    ...store.tests().flatMap((test) => [...(wholeSources(test) ?? [])]),
  ]);
  const other = known.success ? differing(known.data, environment) : null;
  const concern = new Concern(changed ?? [], claimed);
  const bugs: ReportBug[] = [];
  let kept = 0;
  for (const test of store.tests()) {
    const subject = subjects.get(test.id);
    const isOther = changed === null || other === null || other.length > 0;
    const holds =
      !isOther &&
      !isGuest(test) &&
      !isStale(test, options) &&
      !concern.touches(loadsOf(test, subject)) &&
      (await stillPasses(context, test, subject, recordings));
    if (holds) {
      // A budget cut it short: it goes on from there.
      if (isCut(test)) store.updateTest(test.id, { finished: false, note: predictionNoteOf(test) });
      else if (test.finished) kept += 1;
      if (subject?.unseen?.length) context.note(test.id, { unseen: subject.unseen });
    } else {
      bugs.push(...store.bugs(test.id).map(({ report }) => report));
      store.removeTest(test.id);
    }
  }
  const scope = since && new Concern(since, claimed);
  const outside = [...subjects.values()].filter(
    (subject) => scope !== null && !scope.touches(subject.loaded ? new Set(subject.loaded) : null),
  );
  store.note(FILES, now);
  store.note(ENVIRONMENT, environment);
  const why = other?.[0] === undefined ? null : `${NAMES[other[0]] ?? other[0]} has changed`;
  context.changes = { kept, bugs, outside: new Set(outside.map(({ id }) => id)), why };
}

/** Nothing is predicted anew. */
const predictionNoteOf = ({ note }: TestRecord): string | null => (note === PREDICTION_ENDED ? note : null);

const isCut = ({ note }: TestRecord): boolean => note?.startsWith('budget ended') === true;
/** It was recorded, and not forced for what it talks to: what is said of that is said by its recording. */
const isGuest = (test: TestRecord): boolean =>
  test.coverage === 'analysed' && test.note !== null && !isCut(test);

/** What it loaded before, or loads now. */
function loadsOf(test: TestRecord, subject: Subject | undefined): ReadonlySet<string> | null {
  const before = wholeSources(test);
  if (before === null || !subject?.loaded) return null;
  return new Set([...before, ...subject.loaded]);
}

/** A test that did not pass before, does not now, or is not there any more is looked at anew. */
async function stillPasses(
  context: StageContext,
  test: TestRecord,
  subject: Subject | undefined,
  recordings: Map<string, Recording>,
): Promise<boolean> {
  if (test.baseline !== 'passed') return false;
  // Of threads, and of harnesses, no command has run anything yet.
  if (!subject?.recordedAs) return subject !== undefined || context.store.getThreadTrace(test.id) !== null;
  const recording = await context.record(subject);
  recordings.set(test.id, recording);
  return recording.result.outcome === 'pass';
}
