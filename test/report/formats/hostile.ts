/** A finding whose names and messages try to be more than text, in every place that a program under test writes. */
import type { Report } from '../../../data/report.ts';
import type { BugView, ReportViews } from '../../../report/view.ts';
import { access, bankCut, bugOf, testOf } from '../samples.ts';

export const HOSTILE = [
  '</style></script><script>globalThis.ran = 1</script>',
  '<img src=x onerror="globalThis.ran = 2">',
  `" onmouseover="globalThis.ran = 3" x='`,
  ']]>&amp;<!--',
  '%0A::error::injected, 100%',
  '\n::error::injected',
  '``` \n# heading\n| a | b |\n[link](javascript:globalThis.ran=4) **bold** @user',
  '\u202eright to left\u2066\u0000\u0007\u001b[31m\uffff\ud800',
].join(' ');

const cut = { ...bankCut('RWW'), entity: HOSTILE };
const evil = (kind: 'read' | 'write', task: string) => ({
  ...access(kind, task),
  text: HOSTILE,
  fn: HOSTILE,
  calledFrom: [{ file: 'src/bank.ts', line: 1, column: 1, function: HOSTILE }],
});
const hostileCut = {
  ...cut,
  first: evil('read', HOSTILE),
  remote: evil('write', 'b'),
  second: evil('write', HOSTILE),
};

const row = { task: HOSTILE, what: HOSTILE, site: null, kind: 'deliver' as const };
export const hostileView: BugView = {
  bug: bugOf(hostileCut, { error: HOSTILE, waits: [HOSTILE], entity: HOSTILE }),
  testTitle: HOSTILE,
  cutPoint: hostileCut,
  natural: [row, { ...row, what: 'b' }],
  failing: [{ ...row, what: 'b' }, row],
  late: [{ api: HOSTILE, what: HOSTILE, ms: 3 }],
  error: { name: HOSTILE, message: HOSTILE, stack: HOSTILE },
};

export const hostileReport: Report = {
  version: 1,
  tests: [
    testOf('t1', {
      name: HOSTILE,
      file: `test/${HOSTILE}.ts`,
      verdicts: { ...testOf('t1').verdicts, confirmed: 1 },
    }),
    testOf('red', { name: HOSTILE, baseline: 'red' }),
  ],
  bugs: [hostileView.bug],
  timing: { monitorMs: 1, predictMs: 1, rescheduleMs: 1 },
};

export const hostileViews: ReportViews = {
  bugs: [hostileView],
  tests: { red: { reason: HOSTILE, ungated: { [HOSTILE]: 1 }, unseen: [HOSTILE], peers: [HOSTILE] } },
  notices: [HOSTILE],
  remark: HOSTILE,
};
