/**
 * Options of a process that makes many short runs. What a run allocates is dead when it ends: a small young
 * generation is collected in the cache, while one of V8's own choice grows to a hundred megabytes.
 */
export const WORKER_OPTIONS: readonly string[] = ['--no-warnings', '--max-semi-space-size=4'];
