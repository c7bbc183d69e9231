/** The workflow of GitHub Actions that `unweave init` writes. */
import type { PackageManager } from './package-manager.ts';

const INSTALL: Readonly<Record<PackageManager, readonly string[]>> = {
  npm: ['npm ci'],
  pnpm: ['corepack enable', 'pnpm install --frozen-lockfile'],
  yarn: ['corepack enable', 'yarn install --immutable'],
};
const EXECUTE: Readonly<Record<PackageManager, string>> = {
  npm: 'npx unweave',
  pnpm: 'pnpm exec unweave',
  yarn: 'yarn unweave',
};

export interface CiProject {
  readonly manager: PackageManager;
  readonly locked: boolean;
  /** From the root of the repository to the project; '' where they are the same. */
  readonly folder: string;
}

export function ciTemplate({ manager, locked, folder }: CiProject): string {
  const install = !locked && manager === 'npm' ? ['npm install'] : INSTALL[manager];
  const report = folder === '' ? 'unweave.json' : `${folder}/unweave.json`;
  return `# Looks for races in the tests of this project, and keeps the report. Written by unweave init; yours to change.
name: unweave
on:
  push:
    branches: [main]
  pull_request:
  workflow_dispatch:
permissions:
  contents: read
jobs:
  races:
    runs-on: ubuntu-latest
    timeout-minutes: 30
${folder === '' ? '' : `    defaults:\n      run:\n        working-directory: ${JSON.stringify(folder)}\n`}    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
${install.map((line) => `      - run: ${line}`).join('\n')}
      # What earlier runs have found out, for --changed. A cache is never written twice: each run has a key of its own.
      - uses: actions/cache@v4
        with:
          path: ${JSON.stringify(folder === '' ? '.unweave' : `${folder}/.unweave`)}
          key: unweave-\${{ runner.os }}-\${{ github.run_id }}-\${{ github.run_attempt }}
          restore-keys: unweave-\${{ runner.os }}-
      # Without --report-only the exit code is 1 where a bug is confirmed, and 3 where something could not be analysed.
      - run: ${EXECUTE[manager]} run --changed --budget 10m --report-only --json unweave.json
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: unweave
          path: ${JSON.stringify(report)}
          if-no-files-found: ignore
`;
}
