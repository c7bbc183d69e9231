/** What a Mocha makes of rejections that nobody handles. */
import { leavesRejectionsToProgram, passesRejectionsOn } from '../../gate/errors.ts';
import type { MochaRunner } from './api.ts';

/** From its version 8 on it listens to them, and passes them on to those who listen, too. */
export function hearsRejections({ unhandled }: MochaRunner): void {
  if (unhandled) passesRejectionsOn(unhandled);
  else leavesRejectionsToProgram();
}
