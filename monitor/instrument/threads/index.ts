/** The rules for programs of threads: shared memory only, no promises. */
import type { Rule } from '../rules/rule.ts';
import { calls, passes } from './blocks.ts';
import { elements } from './elements.ts';
import { operations } from './operations.ts';

export const THREAD_RULES: readonly Rule[] = [calls, passes, operations, elements];

export { FOREIGN_RULES } from './foreign.ts';
