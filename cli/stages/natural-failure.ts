/** What is kept of a test whose natural order fails while another one passes. */
import { z } from 'zod';
import type { StoredRecipe } from '../../data/store/index.ts';

const naturalSchema = z.object({
  /** The order that passes. */
  steps: z.array(z.string()).readonly(),
  /** It is that of the calls of a scenario one behind the other. */
  isSerial: z.boolean().default(false),
  /** How late its answers have to be, ms. */
  needMs: z.number(),
  /** How long the natural order took, in real ms: it may stand still where the other one goes on at once. */
  tookMs: z.number().default(0),
  /** What the natural order says. */
  error: z.string(),
  /** How many of how many runs pass on plain Node. */
  plain: z.object({ ok: z.int(), of: z.int() }),
});
export type NaturalFailure = z.output<typeof naturalSchema>;

/** null: its natural order passes. */
export function naturalFailureOf({ recipe }: { readonly recipe: StoredRecipe }): NaturalFailure | null {
  const known = naturalSchema.safeParse(recipe['natural']);
  return known.success ? known.data : null;
}
