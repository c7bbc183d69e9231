/** What tests of configuration share with those of the batch. */
import { API } from '../batch/command.ts';

export {
  assertCalm,
  assertNoOrphans,
  assertOneLine,
  complaints,
  project,
  readReport,
  run,
} from '../batch/command.ts';

/** Text that registers a harness; `body` is what stands between the braces. */
export const harnessSource = (body: string): string =>
  `import { harness } from ${JSON.stringify(API)};\nharness({ ${body} });`;
