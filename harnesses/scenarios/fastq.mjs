// One worker that adds to a sum in a file.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastq from 'fastq';
import { scenario } from 'unweave';

scenario({
  name: 'fastq',
  async setup({ dir }) {
    const file = join(dir, 'sum');
    await writeFile(file, '0');
    const read = async () => Number(await readFile(file, 'utf8'));
    const queue = fastq.promise(async (n) => {
      const sum = (await read()) + n;
      await writeFile(file, String(sum));
      return sum;
    }, 1);
    return { queue, read };
  },
  operations: {
    push: { run: ({ queue }, n) => queue.push(n), args: [[1], [2]] },
    unshift: { run: ({ queue }, n) => queue.unshift(n), args: [[4], [8]] },
    drained: { run: ({ queue }) => queue.drained(), result: 'ignore' },
    pauseAndResume: {
      run: async ({ queue }) => {
        queue.pause();
        await new Promise((resolve) => setImmediate(resolve));
        queue.resume();
      },
    },
  },
  observe: async ({ queue, read }) => ({ sum: await read(), idle: queue.idle(), waiting: queue.length() }),
});
