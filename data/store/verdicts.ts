/** The last word on each schedule, and for a confirmed failure the evidence that the report is built from. */
import { z } from 'zod';
import type { CutPoint } from '../prediction.ts';
import { reportBugSchema } from '../report.ts';
import type { Failure } from '../run.ts';
import type { Site } from '../trace.ts';
import { VERDICTS, type Verdict } from '../verdicts.ts';
import { json, nullable, text } from './cells.ts';
import type { Connection } from './connection.ts';
import { getCutPoints } from './cut-points.ts';
import { StoreError } from './error.ts';
import { failureSchema } from './runs.ts';
import { getSites } from './sites.ts';
import { traceRef } from './traces.ts';

const ratioSchema = z.object({ ok: z.int().nonnegative(), of: z.int().nonnegative() });

/** What attests a failure. `ok` of `of` runs went as wanted. */
export const evidenceSchema = z.object({
  failure: failureSchema,
  /** The assumption that it rests on; null: none. */
  conditional: z.string().nullable(),
  waits: z.array(z.string()),
  reproduced: ratioSchema,
  control: ratioSchema,
  witness: ratioSchema.nullable(),
  counterfactual: reportBugSchema.shape.counterfactual.default(null),
  fix: ratioSchema.nullable().default(null),
  requiredStallMs: z.number(),
  /** Absent in what was stored before pauses were told. */
  requiredPauseMs: z.number().default(0),
  switches: z.int(),
  schedulesUntilFound: z.int(),
});
export type Evidence = z.infer<typeof evidenceSchema> & { readonly failure: Failure };

/** A judgement of a schedule. */
export interface Judgement {
  readonly verdict: Verdict;
  /** Why, in a sentence. */
  readonly note?: string | null;
  readonly evidence?: Evidence | null;
}

/** A failure with its evidence and the place in the program that it comes from. */
export interface StoredFinding extends Evidence {
  readonly test: string;
  readonly schedule: string;
  readonly cutPoint: CutPoint | null;
  readonly sites: readonly Site[];
}

export function setVerdict(
  connection: Connection,
  test: string,
  schedule: string,
  judgement: Judgement,
): void {
  const { verdict, note = null, evidence = null } = judgement;
  if (!VERDICTS.includes(verdict)) throw new StoreError('invalid', `unknown verdict ${verdict}`);
  connection.run(
    `INSERT INTO verdicts (test, schedule, seq, verdict, note, evidence)
     VALUES (?, ?, (SELECT coalesce(max(seq), 0) + 1 FROM verdicts), ?, ?, ?)
     ON CONFLICT DO UPDATE SET verdict = excluded.verdict, note = excluded.note, evidence = excluded.evidence`,
    test,
    schedule,
    verdict,
    note,
    evidence && JSON.stringify(evidenceSchema.parse(evidence)),
  );
}

/** Every failure that has evidence, in the order in which they were judged. */
export function getFindings(connection: Connection): StoredFinding[] {
  const known = new Map<string, { cutPoints: Map<string, CutPoint>; sites: Site[] }>();
  const of = (test: string) => {
    let found = known.get(test);
    if (!found) {
      const ref = traceRef(connection, test);
      found = {
        cutPoints: new Map(getCutPoints(connection, test).map((each) => [each.id, each])),
        sites: ref ? getSites(connection, ref.sites) : [],
      };
      known.set(test, found);
    }
    return found;
  };
  return connection
    .rows(
      `SELECT v.test, v.schedule, v.evidence, s.cut_point FROM verdicts v
       JOIN schedules s ON s.test = v.test AND s.id = v.schedule
       WHERE v.evidence IS NOT NULL ORDER BY v.seq`,
    )
    .map((row) => {
      const test = text(row[0], 'verdicts.test');
      const cutPoint = nullable(text, row[3], 'schedules.cut_point');
      const { cutPoints, sites } = of(test);
      return {
        test,
        schedule: text(row[1], 'verdicts.schedule'),
        cutPoint: cutPoint === null ? null : (cutPoints.get(cutPoint) ?? null),
        sites,
        ...json(evidenceSchema, row[2], 'verdicts.evidence'),
      };
    });
}
