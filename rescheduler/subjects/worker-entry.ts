/** Entry of a process that runs harnesses. */
// First, and apart from the others.
import './early.ts';

import { HarnessRunner } from './harness-run.ts';
import { createUserLinker } from './linker.ts';
import { serve } from './worker-serve.ts';

const runner = new HarnessRunner(createUserLinker());

serve(async (request) => {
  switch (request.kind) {
    case 'list':
      return runner.list(request.file);
    case 'run':
      return runner.run(request);
    default:
      throw new Error(`no such request here: ${request.kind}`);
  }
});
