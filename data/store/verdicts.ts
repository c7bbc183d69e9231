/** The last word on each schedule. */
import { VERDICTS, type Verdict } from '../verdicts.ts';
import type { Connection } from './connection.ts';
import { StoreError } from './error.ts';

/** A judgement of a schedule. */
export interface Judgement {
  readonly verdict: Verdict;
  /** Why, in a sentence. */
  readonly note?: string | null;
}

export function setVerdict(
  connection: Connection,
  test: string,
  schedule: string,
  judgement: Judgement,
): void {
  const { verdict, note = null } = judgement;
  if (!VERDICTS.includes(verdict)) throw new StoreError('invalid', `unknown verdict ${verdict}`);
  connection.run(
    `INSERT INTO verdicts (test, schedule, seq, verdict, note)
     VALUES (?, ?, (SELECT coalesce(max(seq), 0) + 1 FROM verdicts), ?, ?)
     ON CONFLICT DO UPDATE SET verdict = excluded.verdict, note = excluded.note`,
    test,
    schedule,
    verdict,
    note,
  );
}
