/** The test does not come to where it is to be held. */
import { SubjectError } from '../subjects/protocol.ts';

export const NOT_HELD = 'NotHeld';

export class NotHeld extends SubjectError {
  constructor(message: string) {
    super(message);
    this.name = NOT_HELD;
  }
}
