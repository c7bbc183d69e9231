/** Types for `unweave.config.ts`. @public */
import type { z } from 'zod';
import type { configSchema } from './config.ts';

/** Every key is optional; docs/configuration.md has the defaults. @public */
export type UserConfig = z.input<typeof configSchema>;
