/** `--html`: one file for people. */
import { toldFindings } from '../finding.ts';
import { writeText } from '../json.ts';
import { plainValue } from '../plain.ts';
import type { Reporter } from '../reporter-api.ts';
import { writesTo } from '../wanted.ts';
import { htmlPage } from './page.ts';

export const html: Reporter = {
  name: 'html',
  isWanted: (output) => writesTo(output, 'html') !== null,
  done: ({ report, views, hidden }, output) => {
    const { cwd, context, counting, version } = output;
    const plain = { report: plainValue(report), views: plainValue(views), hidden };
    const findings = toldFindings(plain, counting, context.read);
    return writeText(
      htmlPage(plain, findings, { read: context.read, cwd, version, counting }),
      writesTo(output, 'html')!,
      output,
    );
  },
};
