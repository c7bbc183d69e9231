/**
 * Options of a process that makes many short runs. What a run allocates is dead when it ends: a small young
 * generation is collected in the cache, while one of V8's own choice grows to a hundred megabytes.
 */
export const WORKER_OPTIONS: readonly string[] = ['--no-warnings', '--max-semi-space-size=4'];

/** Environment variable with `NODE_OPTIONS` as the user has them, in a process that was given some of ours besides. */
export const USERS_OPTIONS = 'UNWEAVE_NODE_OPTIONS';

/** In such a process: what it starts finds the user's own. */
export function takeOptionsBack(): void {
  const { env } = process;
  const own = env[USERS_OPTIONS];
  delete env[USERS_OPTIONS];
  if (own) env['NODE_OPTIONS'] = own;
  else delete env['NODE_OPTIONS'];
}
