/** What the package.json of a project says, as far as it is of use here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const texts = z.record(z.string(), z.string()).catch({});
const manifestSchema = z.object({
  type: z.string().catch(''),
  scripts: texts,
  dependencies: texts,
  devDependencies: texts,
  packageManager: z.string().catch(''),
});

export type Manifest = z.output<typeof manifestSchema>;

/** null: there is none, or none that is JSON. Values of a wrong type are taken for absent. */
export function readManifest(folder: string): Manifest | null {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return manifestSchema.parse(value);
  } catch {
    return null;
  }
}

/** Whether a project names a package among what it needs. */
export const needs = ({ dependencies, devDependencies }: Manifest, name: string): boolean =>
  name in dependencies || name in devDependencies;
