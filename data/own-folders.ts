/** Where our own code is, compiled or not; what the compiled modules share is in `chunks`. */
export const OWN_FOLDERS = [
  'chunks',
  'cli',
  'data',
  'monitor',
  'predictor',
  'report',
  'rescheduler',
] as const;
