/** All rules. At one node, rules that come earlier put their text outside of that of later ones. */
import { assumed } from './assumed.ts';
import { awaits } from './await.ts';
import { births } from './births.ts';
import { calls } from './calls.ts';
import { combinators } from './combinators.ts';
import { destructuring } from './destructuring.ts';
import { forAwait } from './for-await.ts';
import { frames } from './frames.ts';
import { groups } from './groups.ts';
import { hostCalls } from './host-calls.ts';
import { iteration } from './iteration.ts';
import { membersRead } from './members-read.ts';
import { membersWrite } from './members-write.ts';
import { optionalChains } from './optional-chains.ts';
import { privateFields } from './private-fields.ts';
import { restore } from './restore.ts';
import type { Rule } from './rule.ts';
import { testCalls } from './test-calls.ts';
import { variables } from './variables.ts';
import { whole } from './whole.ts';
import { words } from './words.ts';
import { yields } from './yield.ts';

export const RULES: readonly Rule[] = [
  privateFields,
  frames,
  assumed,
  awaits,
  yields,
  forAwait,
  restore,
  words,
  combinators,
  births,
  groups,
  hostCalls,
  testCalls,
  optionalChains,
  calls,
  membersWrite,
  membersRead,
  variables,
  destructuring,
  iteration,
  whole,
];
