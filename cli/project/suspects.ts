/** The packages in which the cause of a finding may lie. */
import { join } from 'node:path';
import { type Manifest, readManifest } from './manifest.ts';

/** More are not looked into at once. */
const MOST = 40;

/**
 * Sets of packages to look into, one after the other until one of them explains the finding: those that the project in `folder`
 * itself depends on, as far as they were called or depend on what was called; those that were `called`; and all of these with
 * whatever the first ones depend on. Fewer come first: wrappers and the like that are looked into take work out of its task.
 */
export function suspectPackages(folder: string, called: readonly string[]): string[][] {
  const own = readManifest(folder);
  const isCalled = (name: string): boolean => called.includes(name);
  const dependsOnCalled = (name: string): boolean => Object.keys(dependenciesOf(folder, name)).some(isCalled);
  const direct = own ? namesOf(own).filter((name) => isCalled(name) || dependsOnCalled(name)) : [];
  const needed = direct.flatMap((name) => Object.keys(dependenciesOf(folder, name)));
  const sets = [direct, called, [...direct, ...called, ...needed]].map((names) =>
    [...new Set(names)].slice(0, MOST).sort(),
  );
  return [
    ...new Map(sets.filter((names) => names.length > 0).map((names) => [names.join('\n'), names])).values(),
  ];
}

const namesOf = ({ dependencies, devDependencies }: Manifest): string[] => [
  ...Object.keys(dependencies),
  ...Object.keys(devDependencies),
];

const dependenciesOf = (folder: string, name: string): Manifest['dependencies'] =>
  readManifest(join(folder, 'node_modules', name))?.dependencies ?? {};
