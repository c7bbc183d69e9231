import { enter } from './enter.ts';

await enter(
  'monitor/instrument',
  'rescheduler/explain',
  'rescheduler/investigate',
  'rescheduler/runners',
  'rescheduler/strategies',
  'rescheduler/witness',
);
