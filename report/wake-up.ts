/** What naturally wakes up who waits in vain, in words. */
import type { ReportWakeUp } from '../data/report.ts';
import type { Trace } from '../data/trace.ts';
import { REACTIONS, taskName } from '../predictor/task-name.ts';
import { wakeUpOf } from '../predictor/wake-up.ts';
import { code } from './entity.ts';
import { place, stepPhrase } from './phrase.ts';
import { callWithTask } from './rows.ts';

export function reportedWakeUp(failing: Trace, natural: Trace): ReportWakeUp | null {
  const found = wakeUpOf(failing, natural);
  if (!found) return null;
  const { step, waiter, waker, wakerSite, when } = found;
  const near = natural.sites[wakerSite];
  const issued = step && (natural.sites[step.site] ?? null);
  return {
    waiter: callWithTask(failing, waiter),
    by: callOf(natural, waker, near?.fn),
    near: near ? { file: near.file, line: near.line, column: near.column, text: near.text } : null,
    after: step && stepPhrase({ kind: 'deliver', what: `${step.api} ${step.what}`.trim(), site: issued }),
    when,
  };
}

/** A reaction has no name of its own: it is called by the function that it is in, `fn`, where that has one. */
function callOf(trace: Trace, activation: number, fn = ''): string {
  const name = trace.activations[activation]?.name ?? '';
  if (name !== '' && !REACTIONS.has(name)) return name;
  return /^[\w$.#]+$/.test(fn) ? fn : taskName(trace, activation);
}

const WHEN: Readonly<Record<ReportWakeUp['when'], string>> = {
  early: 'comes before anybody waits for it',
  unheard: 'comes and wakes up nobody',
  never: 'never comes',
};

/** `startApp` waits in vain: what wakes it up comes before it waits. */
export function wakeUpSentence({ by, waiter, when }: ReportWakeUp): string {
  if (when === 'early') return `${code(by)} wakes up ${code(waiter)} before it waits, and nobody does later`;
  const what = `${code(waiter)} waits for what ${code(by)} does`;
  return when === 'never' ? `${what}, which never comes` : `${what}, which wakes up nobody in this order`;
}

/** Where that is, and what became of it. */
export function wakeUpLine({ after, by, near, when }: ReportWakeUp): string {
  const where = near ? ` (behind ${place(near)}: ${near.text})` : '';
  const since = after === null ? '' : `, once ${code(after)}`;
  return `naturally woken up by ${code(by)}${where}${since}: in this order that ${WHEN[when]}`;
}
