/** `node test/ground-truth/main.ts [programs] [from] [max orders]`: the full study; exits 1 beyond the goals. */
import { installLockHooks } from '../../monitor/locks/hooks.ts';

installLockHooks();
const { study } = await import('./study.ts');
const [programs = 2000, from = 1, maxOrders = 1500] = process.argv.slice(2).map(Number);
const { odd, ...found } = await study(from, programs, maxOrders);
for (const { seed, missed, unreachable } of odd) console.log({ seed, missed, unreachable });
console.log(found);
const bad = found.missed > found.reachable * 0.01 || found.unreachable > found.predicted * 0.05;
process.exit(bad ? 1 : 0);
