/** Requests of HTTP as plain data: what a test sends to a server of its own process, and what comes back. */
import { z } from 'zod';

/** Names in lower case, each with one value or several. */
const headersSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

const sentRequestSchema = z.strictObject({
  method: z.string(),
  /** Path and query. */
  url: z.string(),
  headers: headersSchema,
  /** One character for each byte; null: it has none. */
  body: z.string().nullable(),
  /** Port of the server that it was sent to; null: it has none. */
  port: z.int().nullable(),
});

const answerSchema = z.strictObject({
  status: z.int(),
  headers: headersSchema,
  /** One character for each byte. */
  body: z.string(),
});

export type SentRequest = Readonly<z.infer<typeof sentRequestSchema>>;
export type HttpAnswer = Readonly<z.infer<typeof answerSchema>>;

/** A request that a test has sent, and its answer; null: there was none. */
export interface HttpExchange {
  readonly request: SentRequest;
  readonly answer: HttpAnswer | null;
  /** Which program it was sent to, by number: the same for each request to one and the same. */
  readonly program: number;
  /** Another one was under way when it came. */
  readonly overlaps: boolean;
}

/** What the words of an answer are, by their places in it; see `rescheduler/requests/words.ts`. */
const wordsSchema = z.record(z.string(), z.string());
export type Words = Readonly<z.infer<typeof wordsSchema>>;

const callSchema = z.strictObject({
  /** Method and path, without what differs from run to run: equal for requests that do the same. */
  operation: z.string(),
  /** For people. */
  text: z.string(),
  /** It changes nothing. */
  reads: z.boolean(),
  /** As it was recorded; null: the request that is kept back. */
  request: sentRequestSchema.nullable(),
});

/** Requests that overlap in the place of one that a test sends, and what is looked at behind them. */
export const requestPlanSchema = z.strictObject({
  kind: z.literal('requests'),
  /** Place of that one among the requests of the test; those before it are its setup. */
  at: z.int().nonnegative(),
  calls: z.array(callSchema).min(2),
  /** `name`: for people; `of`: place of the call whose answer it needs; null: it needs none. */
  looks: z.array(z.strictObject({ name: z.string(), request: sentRequestSchema, of: z.int().nullable() })),
  /** The words of the recorded answers: of those before, and of the calls themselves. */
  before: z.array(wordsSchema),
  answers: z.array(wordsSchema),
});
export type RequestPlan = z.infer<typeof requestPlanSchema>;
