/** Which options of Node 24 or 26 take a value that may be an argument of its own; a test compares this with `node --help`. */
const WITH_VALUE: ReadonlySet<string> = new Set(
  `-C -e -p -pe -r --allow-fs-read --allow-fs-write --bench-isolation --bench-name-pattern --bench-reporter
  --bench-reporter-destination --bench-samples --bench-warmup --build-sea --build-snapshot-config --conditions
  --cpu-prof-dir --cpu-prof-interval --cpu-prof-name --debug-port --diagnostic-dir --disable-proto --disable-warning
  --dns-result-order --env-file --env-file-if-exists --eval --experimental-config-file --experimental-default-config-file
  --experimental-loader --experimental-package-map --experimental-sea-config --experimental-test-isolation
  --experimental-test-tag-filter --heap-prof-dir --heap-prof-interval --heap-prof-name --heapsnapshot-near-heap-limit
  --heapsnapshot-signal --icu-data-dir --import --input-type --inspect-port --inspect-publish-uid --loader
  --localstorage-file --max-http-header-size --max-old-space-size-percentage
  --network-family-autoselection-attempt-timeout --openssl-config --print --redirect-warnings --report-dir
  --report-directory --report-filename --report-signal --require --run --secure-heap --secure-heap-min --snapshot-blob
  --stack-trace-limit --test-concurrency --test-coverage-branches --test-coverage-exclude --test-coverage-functions
  --test-coverage-include --test-coverage-lines --test-global-setup --test-isolation --test-name-pattern
  --test-random-seed --test-reporter --test-reporter-destination --test-rerun-failures --test-shard --test-skip-pattern
  --test-timeout --title --tls-cipher-list --tls-keylog --trace-event-categories --trace-event-file-pattern
  --trace-require-module --unhandled-rejections --use-largepages --v8-pool-size --vfs-load --vfs-mount
  --watch-kill-signal --watch-path`.split(/\s+/),
);
/** What is run is in the value. */
const PROGRAMS: ReadonlySet<string> = new Set(['-e', '-p', '-pe', '--eval', '--print', '--run']);

/** `--an_option=value` → `--an-option`. */
export const optionNameOf = (arg: string): string => arg.replace(/=.*$/s, '').replaceAll('_', '-');

export const takesValue = (option: string): boolean => WITH_VALUE.has(option);

export const hasItsValueBehind = (arg: string): boolean =>
  !arg.includes('=') && takesValue(optionNameOf(arg));

/** The script among the arguments of Node; null where there is none. */
export function scriptIn(args: readonly string[]): string | null {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '--') return args[i + 1] ?? null;
    if (!arg.startsWith('-')) return arg;
    if (PROGRAMS.has(optionNameOf(arg))) return null;
    if (hasItsValueBehind(arg)) i++;
  }
  return null;
}
