import type { Origin as StoredOrigin } from '../../data/store/index.ts';
import type { Origin } from '../../rescheduler/investigate/investigate.ts';

/** What the store calls the origin of a schedule. */
export const ORIGIN: Readonly<Record<Origin, StoredOrigin>> = {
  directed: 'directed',
  random: 'random',
  dfs: 'enumerated',
};
