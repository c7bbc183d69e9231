/**
 * What runs the scripts of many packages may keep variables that it does not know from them, ours too, and may show what a
 * script said the last time instead of running it. By these variables it does neither, and what our runs say is not kept for
 * later ones of the user.
 */
const ASKED: Readonly<Record<string, string>> = {
  TURBO_ENV_MODE: 'loose',
  TURBO_FORCE: 'true',
  TURBO_CACHE: 'local:,remote:',
  NX_SKIP_NX_CACHE: 'true',
};

/** Of this process, so that a test which is started again has them as well; what the user has set stays. */
export function askTaskRunners(env: NodeJS.ProcessEnv = process.env): void {
  for (const [name, value] of Object.entries(ASKED)) env[name] ??= value;
}
