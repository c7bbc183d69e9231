/** Texts below the options of `--help`: examples first, for people who see the tool for the first time. */

export const GENERAL = `
Start here:
  unweave init                            write a configuration and a CI recipe for this project
  unweave run                             find races in what the "test" script of package.json runs
  unweave run -- node --test              find races in the tests that another command runs
  unweave run harnesses/                  run harness files (docs/harnesses.md)
  unweave explain <file> <name>           what makes this one test flaky
  unweave replay <bug id>                 see a bug again
  unweave run --help                      budgets, baselines, what to look into

Exit codes:
  0  nothing found (the report says why, and what was looked at)
  1  at least one confirmed bug or deadlock
  2  wrong usage or configuration
  3  something could not be analysed: red, flaky or blind tests, or no forced run could be judged`;

export const RUN = `
Without a command and without files it runs the "test" script of package.json, by npm, pnpm or yarn.

Examples:
  unweave run
  unweave run -- node --test test/cart.test.ts
  unweave run -- node script.js
  unweave run harnesses/bank.ts
  unweave run --instrument node-json-db -- node --test     look into a package, too
  unweave run --max-time 10 --json report.json -- node --test
  unweave run --baseline known.json -- node --test         only new bugs count
  unweave run --witness -- node --test                     each bug on plain Node as well, ten times

A harness file in short:
  import { harness } from 'unweave';
  harness({
    name: 'two deposits',
    setup: () => new Account(),
    tasks: { alice: (a) => a.deposit(50), bob: (a) => sleep(10).then(() => a.deposit(50)) },
    check: (a) => assert.equal(a.balance, 100),
  });`;

export const OVERLAP = `
For tests that send one request after the other to a server of their own process (supertest, inject, fetch, undici), and with --calls for
those that await one call after the other of the code under test: each runs up to one of them, which is then made twice at the same
time, or together with the next ones. What no order of them one after
the other could give is a bug, and is proven as all others are. Without a command it runs the "test" script of package.json.

Examples:
  unweave overlap
  unweave overlap -- node --test test/shop.test.js
  unweave overlap --calls -- node --test test/store.test.js
  unweave overlap --budget 5m --json report.json -- npm test

Exit codes: as of unweave run. docs/overlap.md tells more.`;

export const EXPLAIN = `
Runs one test on plain Node a few times, then forces orders until one fails, for up to five minutes (--max-time). Tells which two
answers decide, the failing and the nearest passing order, and how to replay it; or what was tried, and what could not be controlled.
Without a command it runs the "test" script of package.json. What it finds is kept in .unweave/explain.db, beside that of unweave run.

Examples:
  unweave explain test/cart.test.ts 'two deposits'
  unweave explain 'two deposits' -- npx vitest run test/cart.test.ts
  unweave explain -- node --test --test-name-pattern 'two deposits' test/cart.test.ts
  unweave explain harnesses/bank.ts
  unweave explain test/cart.test.ts --max-time 30m --max-stall 5000

Exit codes: 1 an order that fails was found, 0 none of those tried fails, 3 the test could not be looked at, 2 wrong usage.`;

export const PLAN = `
Each machine then runs a shard on its copy of the store, with the same command and options:
  unweave plan --store plan.db -- npm test
  unweave run --shard 2/4 --store shard-2.db -- npm test
  unweave merge shard-*.db --json report.json`;

export const WORK = `
Each machine, on its copy of the planned store, until all tests are done; every one then tells the whole report:
  unweave work --redis redis://queue:6379 --store plan.db -- npm test
Needs the packages bullmq and ioredis.`;

export const MERGE = `
Refuses stores of different plans, shards that are there twice, and, without --partial, shards that are missing.
The merged store is written to --store.`;

export const INIT = `
Looks which test runner the project has, and writes unweave.config.mjs (.ts, .mts in a project of TypeScript) with
every common key commented out, and .github/workflows/unweave.yml. What is there is never overwritten.`;

export const REPORT = `
Tells what earlier commands have found, with the exit code that they had. Nothing is run.

Examples:
  unweave report --html                    one HTML file
  unweave report --reporter sarif,junit    for other tools

Exit codes: as those of unweave run.`;

export const INSPECT = `
Examples:
  unweave inspect                          every cut point, the best first
  unweave inspect 'Account#balance'        those on one entity
  unweave inspect src/account.ts:13        those at one line
  unweave inspect --std trace.std 3-5-7    three lines of a trace of threads: a cut point, or why not
  unweave inspect src/account.ts:13-src/account.ts:15-src/account.ts:15
                                           three places of a recorded test: a cut point, or why not
  unweave inspect c3f1a90b7d               one in detail: accesses, locks, schedules, verdicts`;

export const REPLAY = `
Examples:
  unweave replay b7f3a1c2
  unweave replay b7f3a1c2 --times 20
  unweave replay b7f3a1c2 --inspect-brk    step through it in the debugger
  unweave replay b7f3a1c2 --break          stop there at the accesses that explain it
  unweave replay b7f3a1c2 --trace          the run event by event
  unweave replay b7f3a1c2 --witness        also on plain Node, ten times
  unweave replay b7f3a1c2 -- node --test test/cart.test.ts

Exit codes: 1 the bug is there, 0 it is gone, 3 cannot tell.`;

export const EXPORT = `
Writes a test beside the one that showed the bug, and its order as JSON: it fails while the bug is there, and passes when it
is gone. Where the program takes another way by then, it passes and warns that the order no longer applies.

Example:
  unweave export b7f3a1c2`;

export const MONITOR = `
Records the tests in observed order and stores what they did. Next: unweave predict.

Example:
  unweave monitor -- node --test`;

export const PREDICT = `
Predicts cut points and schedules from what the store holds; runs nothing. Next: unweave inspect,
or unweave reschedule. With --std, from a trace of threads that another tool has written; then the exit
code is 0, or 3 if the search budget left something undecided or unlisted.

Examples:
  unweave predict
  unweave predict --std trace.std                 the cut points of a foreign trace, the best first
  unweave predict --std trace.std --all --json -  every reachable occurrence, to check the predictor with`;

export const RESCHEDULE = `
Forces the schedules of the store on the program. Without a command it runs the one that was recorded,
if this user recorded it here.

Example:
  unweave reschedule --max-time 30`;
