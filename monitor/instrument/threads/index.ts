/** The rules for programs of threads: shared memory, and whose code runs between two of its accesses. */
import { awaits } from '../rules/await.ts';
import { forAwait } from '../rules/for-await.ts';
import { restore } from '../rules/restore.ts';
import type { Rule } from '../rules/rule.ts';
import { calls, passes } from './blocks.ts';
import { elements } from './elements.ts';
import { operations } from './operations.ts';
import { ownViews } from './own-views.ts';

export const THREAD_RULES: readonly Rule[] = [
  ...[calls, awaits, forAwait, restore, passes],
  ...[operations, elements, ownViews],
];

export { FOREIGN_RULES } from './foreign.ts';
