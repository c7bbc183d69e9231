/** `node test/ground-truth/main.ts [programs] [from] [max orders]`: the full study; exits 1 beyond the goals. */
import { installLockHooks } from '../../monitor/locks/hooks.ts';

installLockHooks();
const { study } = await import('./study.ts');
const [programs = 2000, from = 1, maxOrders = 1500] = process.argv.slice(2).map(Number);
const { odd, ...found } = await study(from, programs, maxOrders);
for (const { seed, missed, unreachable } of odd) {
  for (const { pattern, why } of missed) console.log(`${seed} missed (${why}): ${pattern}`);
  for (const { pattern, why } of unreachable) console.log(`${seed} unreachable (${why}): ${pattern}`);
}
console.log(found);
const bad =
  found.missed > found.reachable * 0.01 || found.unreachable > found.predicted * 0.05 || found.impossible > 0;
process.exit(bad ? 1 : 0);
