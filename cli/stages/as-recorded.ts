/** How a test is run by what its recording has shown. */
import type { TestRecord } from '../../data/store/index.ts';
import { askingAlone } from '../../rescheduler/subjects/asking-alone.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';

/** What a store keeps of a test whose children ask from their beginning. */
export const ASKS_ALONE = { asksAlone: true } as const;

type OfRecipe = Pick<TestRecord, 'recipe'>;

export const asksAlone = ({ recipe }: OfRecipe): boolean => recipe['asksAlone'] === true;

export const asRecorded = (subject: Subject, test: OfRecipe): Subject =>
  asksAlone(test) ? askingAlone(subject) : subject;
