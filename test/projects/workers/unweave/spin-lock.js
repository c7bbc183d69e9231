// Teaches the lock of the program.
import { adaptLock } from 'unweave/threads';

export default {
  module: '../spin-lock.js',
  adopt({ SpinLock }) {
    adaptLock(SpinLock, { acquire: ['lock'], release: ['unlock'] });
  },
};
