/** Entry of a process that runs test cases of `node:test` again and again. */
// First, and apart from the others.
import './early.ts';

import { CaseFile } from '../runners/node-test/case-file.ts';
import { CaseRerunner } from './case-rerun.ts';
import { serve } from './worker-serve.ts';

const runner = new CaseRerunner((linkerOf) => new CaseFile(linkerOf));

serve(async (request) => {
  if (request.kind !== 'case') throw new Error(`no such request here: ${request.kind}`);
  return runner.run(request);
});
