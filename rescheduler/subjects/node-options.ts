/**
 * Options of Node as a process was given them. Some belong to the way a test was started and not to the test: the
 * runner's own, watching, inspecting, profiling. A case is run again without them.
 */
import { hasItsValueBehind, optionNameOf } from '../../data/node-options.ts';

/** `--test-only` changes what a test file runs, and `--test-global-setup` what it finds; that of UDP is none of the runner's. */
const DROPPED =
  /^--(?:no-)?(?:test(?!-only$|-global-setup$|-udp-no-try-send$)|experimental-test-(?!module-mocks$)|watch|input-type$|inspect|debug-port$|(?:cpu|heap)-prof)/;

export const isDropped = (option: string): boolean => DROPPED.test(option);

/** Options without those that are not the test's own, and the values of these. */
export function withoutDropped(args: readonly string[]): string[] {
  return args.filter((arg, i) => {
    const before = args[i - 1];
    const isValue = before !== undefined && hasItsValueBehind(before);
    return !isDropped(optionNameOf(isValue ? before : arg));
  });
}

/** The value of an option, in either spelling; the last one counts. */
export function optionValue(args: readonly string[], ...names: readonly string[]): string | undefined {
  const at = args.findLastIndex((arg) => names.includes(optionNameOf(arg)));
  const found = args[at];
  if (found === undefined) return undefined;
  return found.includes('=') ? found.slice(found.indexOf('=') + 1) : args[at + 1];
}

/** `NODE_OPTIONS` as arguments, split as Node does: by spaces, but within double quotes, where `\` escapes. */
export function splitOptions(text: string): string[] {
  const args: string[] = [];
  let open = false;
  let begun = false;
  for (let i = 0; i < text.length; i++) {
    let char = text[i]!;
    if (char === '\\' && open && i + 1 < text.length) char = text[++i]!;
    else if (char === '"') {
      open = !open;
      continue;
    } else if (char === ' ' && !open) {
      begun = false;
      continue;
    }
    if (!begun) args.push('');
    begun = true;
    args[args.length - 1] += char;
  }
  return args;
}

/** The reverse of {@link splitOptions}. */
export const joinOptions = (args: readonly string[]): string =>
  args.map((arg) => (/[\s"\\]/.test(arg) ? `"${arg.replace(/["\\]/g, '\\$&')}"` : arg)).join(' ');

/** With this one `require` loads no ES modules, as ours are. */
export const NO_REQUIRE = '--no-experimental-require-module';
