/** Contestants that run one of `bench/programs/` in a given mode. */
import { temporary } from '../../test/temporary.ts';
import { type Contestant, PRELOADED } from './contest.ts';
import { benchFile } from './ours.ts';

const cacheDir = temporary('bench-cache');

/** Instruments the programs and nothing else of this repository. */
export const PROGRAMS_ONLY: Readonly<Record<string, string>> = {
  UNWEAVE_CONFIG: JSON.stringify({ cwd: benchFile('programs'), cacheDir }),
};

export function programIn(program: string, mode: 'plain' | 'gated' | 'recorded'): Contestant {
  const args = [program, mode];
  const script = 'contestants/program.ts';
  return mode === 'plain' ? { script, args } : { script, args, execArgv: PRELOADED, env: PROGRAMS_ONLY };
}
