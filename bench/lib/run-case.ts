/** Entry of the process of one case: prints its rows as JSON. */
import type { Case, Effort } from './rows.ts';

const [name, effort] = process.argv.slice(2) as [string, string];
const { default: run } = (await import(`../cases/${name}.ts`)) as { default: Case };
const rows = await run(JSON.parse(effort) as Effort);
process.stdout.write(JSON.stringify(rows), () => process.exit(0));
