/** Entry of a process that runs test cases of `node:test`, or of uvu, again and again. */
// First, and apart from the others.
import './early.ts';

import { CaseFile } from '../runners/node-test/case-file.ts';
import { UvuFile } from '../runners/uvu/uvu-file.ts';
import { CaseRerunner } from './case-rerun.ts';
import { serve } from './worker-serve.ts';

let rerunner: CaseRerunner | null = null;

serve(async (request) => {
  if (request.kind !== 'case') throw new Error(`no such request here: ${request.kind}`);
  const { runner } = request;
  rerunner ??= new CaseRerunner((linkerOf) =>
    runner === 'uvu' ? new UvuFile(linkerOf) : new CaseFile(linkerOf),
  );
  return rerunner.run(request);
});
