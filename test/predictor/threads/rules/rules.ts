/** The core rules of prediction on threads, each with the change of the sources that switches it off. */

export interface Rule {
  readonly name: string;
  /** Below the root of the repository. */
  readonly file: string;
  /** Occurs there exactly once. */
  readonly from: string;
  readonly to: string;
  /** Below this folder's parent: the tests that must fail. */
  readonly tests: readonly string[];
}

const SKELETON = 'predictor/threads/skeleton.ts';
const REACH = 'predictor/threads/reach.ts';
const ORDER = 'predictor/threads/order.ts';
const LINEARISE = 'predictor/threads/linearise.ts';
const DEPENDENCES = 'predictor/threads/dependences.ts';
const MERGE = 'predictor/threads/merge.ts';
const STRETCH = 'predictor/threads/pass/stretch.ts';
const EXACT = ['exact.test.ts', 'regressions.test.ts'];
const REDUCE = ['reduce.test.ts'];
const PASS = ['pass/pass.test.ts'];
const LONG = ['long.test.ts'];

export const RULES: readonly Rule[] = [
  {
    name: 'an inner acquire of a lock that is held changes nothing',
    file: SKELETON,
    from: 'if (hold) hold.depth++;',
    to: 'if (hold && at < 0) hold.depth++;',
    tests: EXACT,
  },
  {
    name: 'only the outermost release gives a lock back',
    file: SKELETON,
    from: 'if (--hold.depth > 0) break;',
    to: '--hold.depth;',
    tests: EXACT,
  },
  {
    name: 'readers share a lock',
    file: SKELETON,
    from: 's.thread !== threadOf[n] && !(s.shared && d.shared)',
    to: 's.thread !== threadOf[n]',
    tests: EXACT,
  },
  {
    name: 'a writer excludes readers',
    file: SKELETON,
    from: '!(s.shared && d.shared)',
    to: '!(s.shared || d.shared)',
    tests: EXACT,
  },
  {
    name: 'a thread begins after its fork',
    file: SKELETON,
    from: 'add(object, { at: -1, needs: [[t, add(t, { at })]] });',
    to: 'add(t, { at });',
    tests: EXACT,
  },
  {
    name: 'a join waits for the end of its thread',
    file: SKELETON,
    from: 'add(t, { at, needs: [[object, drafts[object]!.length - 1]] });',
    to: 'add(t, { at });',
    tests: EXACT,
  },
  {
    name: 'a receive waits for its send',
    file: SKELETON,
    from: 'sent.has(object) ? [sent.get(object)!] : []',
    to: '[]',
    tests: EXACT,
  },
  {
    name: 'whoever leaves a barrier waits for all arrivals',
    file: SKELETON,
    from: 'add(t, { at, needs: others(t, [...(arrived.get(object) ?? [])]) });',
    to: 'add(t, { at });',
    tests: EXACT,
  },
  {
    name: 'transactions nest: the outermost counts',
    file: 'predictor/threads/occurrences.ts',
    from: '(depth[t] = (depth[t] ?? 0) + 1) === 1)',
    to: '(depth[t] = (depth[t] ?? 0) + 1) >= 1)',
    tests: EXACT,
  },
  {
    name: 'the remote access is of another thread',
    file: 'predictor/threads/occurrences.ts',
    from: 'if (events.thread[remote] === events.thread[first]) continue;',
    to: '',
    tests: EXACT,
  },
  {
    name: 'to complete is to execute the second access, too',
    file: REACH,
    from: 'interval[completes ? second : first]!',
    to: 'interval[first]!',
    tests: EXACT,
  },
  {
    name: 'the local thread goes no further than its second access',
    file: REACH,
    from: 'most[local] = interval[second]!;',
    to: '',
    tests: EXACT,
  },
  {
    name: 'the first access comes before the remote one',
    file: REACH,
    from: 'return { least, most, extra: this.extra(first, remote) };',
    to: 'return { least, most, extra: null };',
    tests: EXACT,
  },
  {
    name: 'a section that was entered first is released first',
    file: ORDER,
    from: 'if (earlier >= 0 && !this.precede(earlier, acquire)) return false;',
    to: '',
    tests: EXACT,
  },
  {
    name: 'an open section may go on to its release',
    file: 'predictor/threads/decide.ts',
    from: "order.standing(open) !== 'extensible'",
    to: "order.standing(open) !== 'held'",
    tests: EXACT,
  },
  {
    name: 'saturation alone does not decide where there are messages',
    file: 'predictor/threads/decide.ts',
    from: 'if (this.isTotal()) return cut;',
    to: 'if (cut) return cut;',
    tests: EXACT,
  },
  {
    name: 'a schedule is the lexicographically least',
    file: LINEARISE,
    from: 'if (candidate > floor && candidate < event) {',
    to: 'if (candidate > floor && (thread < 0 || candidate > event)) {',
    tests: EXACT,
  },
  {
    name: 'what the schedule shows comes last',
    file: LINEARISE,
    from: 'if (event === last && length < total - 1) return -1;',
    to: '',
    tests: EXACT,
  },
  {
    name: 'an acquire that leads nowhere is taken back',
    file: LINEARISE,
    from: 'const choice = choices.pop();',
    to: 'const choice = choices.length < 0 ? choices.pop() : undefined;',
    tests: EXACT,
  },
  {
    name: 'histories must not cross',
    file: 'predictor/threads/lock-states.ts',
    from: 'if (held.history.some((h) => excludes(h, other)) && other.history.some((h) => excludes(h, held)))',
    to: 'if (held.lock < 0)',
    tests: PASS,
  },
  {
    name: 'held locks exclude',
    file: 'predictor/threads/lock-states.ts',
    from: 'for (const held of a) if (b.some((other) => excludes(held, other))) return { locks: [held.lock] };',
    to: '',
    tests: PASS,
  },
  {
    name: 'positions must be consistent with the must-order',
    file: 'predictor/threads/pass/positions.ts',
    from: '? epochs.meeting(e, until, f) : -1',
    to: '? e : -1',
    tests: PASS,
  },
  {
    name: 'an access pairs with the next read and the next write',
    file: STRETCH,
    from: 'if (((this.accesses[at + WHAT]! ^ what) & 1) === 0) break;',
    to: 'break;',
    tests: PASS,
  },
  {
    name: 'the cut may be at the first access',
    file: STRETCH,
    from: 'if (!pairs.isCovered(epoch)) pairs.pair(pair, epoch, locks.class(here), first, first, event);',
    to: 'if (here < 0) return;',
    tests: PASS,
  },
  {
    name: 'the cut may be at a release',
    file: STRETCH,
    from: 'if (this.isPlain) this.pairReleases(pair, at, event, pairs);',
    to: 'if (this.isPlain) return;',
    tests: PASS,
  },
  {
    name: 'witnesses are redundant only where others meet as much',
    file: 'predictor/threads/pass/coverage.ts',
    from: 'for (const meet of this.meets) if ((meet & free) === 0) open |= meet;',
    to: 'if (free === 0) open = ~0;',
    tests: PASS,
  },
  {
    name: 'only who can be met in every epoch meets any row',
    file: 'predictor/threads/pass/coverage.ts',
    from: 'this.meets.every((meet) => (meet & free) !== 0)',
    to: 'this.meets.some((meet) => (meet & free) !== 0)',
    tests: PASS,
  },
  {
    name: 'a run of epochs begins where the other thread needs it to',
    file: 'predictor/threads/pass/epochs.ts',
    from: 'Math.max(ordinal[from]!, clocks[other * threads + thread]!)',
    to: 'ordinal[from]!',
    tests: PASS,
  },
  {
    name: 'epochs in which something is always held are no run',
    file: STRETCH,
    from: 'this.lastHeld > this.epochs.place(epoch)',
    to: 'this.lastHeld < -1',
    tests: PASS,
  },
  {
    name: 'a pass is exact only if locks are nested',
    file: STRETCH,
    from: 'return this.locks.isNested && !this.hasHeld;',
    to: 'return !this.hasHeld;',
    tests: PASS,
  },
  {
    name: 'a pass is exact only if nothing is held at order-only operations',
    file: STRETCH,
    from: 'return this.locks.isNested && !this.hasHeld;',
    to: 'return this.locks.isNested;',
    tests: PASS,
  },
  {
    name: 'a pass is exact only if nothing is held at an end that is waited for',
    file: 'predictor/threads/pass/pass.ts',
    from: 'isSimple && (isFree || !this.epochs.joined.has(thread))',
    to: 'isSimple || isFree',
    tests: PASS,
  },
  {
    name: 'a reduction keeps a write before what conflicts with it',
    file: DEPENDENCES,
    from: 'if (write !== undefined) this.add(event, write);',
    to: '',
    tests: REDUCE,
  },
  {
    name: 'a reduction keeps reads before the next write',
    file: DEPENDENCES,
    from: 'for (const read of reads.get(entity)?.values() ?? []) this.add(event, read);',
    to: '',
    tests: REDUCE,
  },
  {
    name: 'a reduction keeps sections apart',
    file: 'predictor/threads/reduce.ts',
    from: 'if (!isFree(skeleton, event, done)) break;',
    to: '',
    tests: REDUCE,
  },
  {
    name: 'a reduction keeps must-order',
    file: DEPENDENCES,
    from: 'if (node >= 0) for (const need of needs[node]!) addNode(event, need);',
    to: '',
    tests: REDUCE,
  },
  {
    name: 'merging keeps reads before the next write',
    file: MERGE,
    from: 'Math.max(born, this.written.of(object), this.read.of(object))',
    to: 'Math.max(born, this.written.of(object))',
    tests: REDUCE,
  },
  {
    name: 'merging keeps sections apart',
    file: MERGE,
    from: 'Math.max(born, this.released.of(object), this.releasedShared.of(object))',
    to: 'born',
    tests: REDUCE,
  },
  {
    name: 'a window opens with what is held',
    file: 'predictor/threads/long/frontier.ts',
    from: '...before.open.flatMap((open, t) => open.map(([op, object]) => ({ op, t, object }))),',
    to: '',
    tests: LONG,
  },
  {
    name: 'in a window all is opened before anything else',
    file: 'predictor/threads/long/frontier.ts',
    from: '...[...present].map((t) => ({ op: Op.Leave, t, object: barrier })),',
    to: '',
    tests: LONG,
  },
];
