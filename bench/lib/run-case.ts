/** Entry of the process of one case: prints its rows as JSON. */
import type { Case } from './rows.ts';

const [name, quick] = process.argv.slice(2);
const { default: run } = (await import(`../cases/${name}.ts`)) as { default: Case };
const rows = await run(quick === 'true');
process.stdout.write(JSON.stringify(rows), () => process.exit(0));
