import type { Schedule } from '../../data/prediction.ts';
import { MINIMAL, type Store, type TestRecord } from '../../data/store/index.ts';
import { NATURAL } from '../../rescheduler/investigate/passing.ts';

/** Schedules of the predictor that are still to be forced; minimal forms of found ones are for replay only. */
export function pendingOf(store: Store, test: TestRecord): Schedule[] {
  return store
    .pendingSchedules(test.id)
    .filter(
      ({ origin, schedule }) =>
        origin === 'directed' && schedule.id !== NATURAL && !schedule.id.endsWith(MINIMAL),
    )
    .map(({ schedule }) => schedule);
}
