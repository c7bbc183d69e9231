/**
 * `node test/mutants/main.ts [PART]`: every mutant (whose name contains PART), and the share of those that can
 * fail which prediction confirms; exits 1 below the goals.
 */
import PQueue from 'p-queue';
import { corpus } from './corpus.ts';
import { type Fate, judge } from './judge.ts';
import { Workshop } from './workshop.ts';

const PARALLEL = 2;
const GOAL = { mutants: 60, canFail: 30, share: 0.9 };

const part = process.argv[2] ?? '';
const mutants = (await corpus()).filter(({ id }) => id.includes(part));
const counts: Record<Fate, number> = { red: 0, harmless: 0, unseen: 0, confirmed: 0, missed: 0 };
/** Can fail, as enumeration found without any prediction. */
let met = 0;
const workshop = new Workshop();
const queue = new PQueue({ concurrency: PARALLEL });
try {
  await Promise.all(
    mutants.map((mutant) =>
      queue.add(async () => {
        const subject = await workshop.subject(mutant);
        const { fate, runs, enumerated, schedules, why } = await judge(subject);
        await subject.close();
        counts[fate] += 1;
        if (enumerated) met += 1;
        const cost = [schedules > 0 ? `${schedules} schedules` : '', runs > 0 ? `${runs} orders` : ''];
        console.log([fate.padEnd(9), mutant.id.padEnd(44), ...cost.filter(Boolean), why].join('  '));
      }),
    ),
  );
} finally {
  workshop.close();
}
const canFail = counts.confirmed + counts.missed;
const share = canFail === 0 ? 0 : counts.confirmed / canFail;
console.log(counts);
console.log(
  `${mutants.length} mutants, ${canFail} can fail (${met} by enumeration alone), ${counts.confirmed} of them confirmed by prediction: ${(share * 100).toFixed(1)} %`,
);
const reached = mutants.length >= GOAL.mutants && canFail >= GOAL.canFail && share >= GOAL.share;
process.exit(part !== '' || reached ? 0 : 1);
