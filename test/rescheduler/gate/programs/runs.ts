/** Programs that live through several runs, as tests in one file do: what one of them leaves the next one finds. */
import fsp from 'node:fs/promises';
import type { Case } from './program.ts';

let started: Promise<unknown> | null = null;

export const runs: Record<string, Case> = {
  'what one test began and did not wait for is there in the next one': {
    needs: 'tidies',
    run: async () => {
      const before = started;
      started = before ? null : fsp.stat('.');
      await before;
    },
  },
};
