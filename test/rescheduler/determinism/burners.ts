/** Processes that keep every core busy, so that nothing of a run can lean on real time. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Ends by itself when whoever started it is gone. */
const BURN = `const parent = process.ppid;
while (process.ppid === parent) for (let i = 0; i < 1e7; i++);`;

/** Runs `use` while one process per core, and one more, do nothing but compute. */
export async function whileBurning(use: () => Promise<void>): Promise<void> {
  const burners = Array.from({ length: availableParallelism() + 1 }, () =>
    spawn(process.execPath, ['--eval', BURN], { stdio: 'ignore' }),
  );
  try {
    await use();
  } finally {
    for (const burner of burners) burner.kill('SIGKILL');
  }
}
