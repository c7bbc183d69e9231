/** Colours and width of the terminal that a report is written to. */
import pc from 'picocolors';

type Colors = ReturnType<typeof pc.createColors>;

/** How to write: which colours, how wide. Renderers take this and know nothing of streams. */
export interface Style {
  readonly colors: Colors;
  readonly color: boolean;
  /** Columns available. */
  readonly width: number;
}

interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const PLAIN_WIDTH = 100;
const MIN_WIDTH = 60;
const MAX_WIDTH = 140;

/** NO_COLOR (any non-empty value) and `--no-color` win over FORCE_COLOR, which wins over the terminal. */
export function wantsColor(
  stream: OutputStream,
  env: Readonly<Record<string, string | undefined>>,
  flag = true,
): boolean {
  if (!flag || env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] !== '0';
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

/** A style for given colours and width. */
export function makeStyle(color: boolean, width: number = PLAIN_WIDTH): Style {
  return {
    colors: pc.createColors(color),
    color,
    width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.trunc(width) || PLAIN_WIDTH)),
  };
}

/** The style that fits a stream. A pipe or file gets a fixed width and no colours. */
export function styleFor(
  stream: OutputStream,
  env: Readonly<Record<string, string | undefined>> = process.env,
  flag = true,
): Style {
  return makeStyle(wantsColor(stream, env, flag), stream.isTTY ? stream.columns : PLAIN_WIDTH);
}
