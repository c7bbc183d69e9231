/** Which two accesses that came in the other order tell a failure: those whose entity it depends on before others. */
import type { Trace } from '../../data/trace.ts';
import { distances, nearness } from '../../predictor/depends.ts';
import { type Flip, flipOf } from '../../predictor/flip.ts';
import { statementOf } from './statement.ts';

/** `stack`: of the error of the failing run. */
export const turnedIn = (failing: Trace, natural: Trace, stack = ''): Flip | null =>
  flipOf(failing, natural, stack, nearness(distances(failing, stack, statementOf(stack))));
