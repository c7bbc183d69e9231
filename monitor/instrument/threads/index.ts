/** The rules for programs of threads: shared memory only, no promises. */
import { heads } from '../rules/frames.ts';
import type { Rule } from '../rules/rule.ts';
import { elements } from './elements.ts';
import { operations } from './operations.ts';

export const THREAD_RULES: readonly Rule[] = [heads(() => ({ open: '', close: '' })), operations, elements];
