/** `node test/needle/main.ts [runs]`: prediction against seeded random orders on the needle; exits 1 beyond the goals. */
import { chance, GOAL, hunt, needle } from './hunt.ts';

const runs = Number(process.argv[2] ?? 100);
const subject = await needle();
try {
  const found = await hunt(subject);
  console.log(found);
  const failed = await chance(subject, runs);
  console.log(`${failed} of ${runs} seeded random orders fail`);
  const reached =
    found.tasks >= GOAL.tasks &&
    found.events >= GOAL.events &&
    found.cutPoints >= GOAL.cutPoints &&
    found.schedules <= GOAL.schedules &&
    failed * 100 < GOAL.random * runs;
  process.exitCode = reached ? 0 : 1;
} finally {
  await subject.close();
}
