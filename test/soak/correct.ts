/** The bundled programs that cannot fail: every `ok` twin, every safe program, every repaired package. */
import { fileURLToPath } from 'node:url';
import { discoverHarnesses } from '../../rescheduler/subjects/harness.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import { loadAll } from '../harnesses/all.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Those whose name contains `part`; the packages among them are instrumented, too. */
export async function correctPrograms(part = ''): Promise<Subject[]> {
  const wanted = new Set<string>();
  for (const { file, harnesses } of await loadAll())
    for (const { name, expect } of harnesses)
      if (expect?.bug === false && name.includes(part)) wanted.add(`harnesses/${file}:${name}`);
  const subjects = await discoverHarnesses(
    [...new Set([...wanted].map((id) => id.slice(0, id.indexOf('.ts:') + 3)))],
    { cwd: ROOT, instrument: ['ftp-srv', 'node-json-db-fixed', 'rotating-file-stream-fixed'] },
  );
  return subjects.filter(({ id }) => wanted.has(id));
}
