// Jobs in memory that are merged by their id, and written to a file one after the other.
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Queue from 'better-queue';
import { scenario } from 'unweave';

scenario({
  name: 'better-queue',
  async setup({ dir }) {
    const file = join(dir, 'done');
    await appendFile(file, '');
    const queue = new Queue(
      (task, done) => appendFile(file, `${task.id}${task.n} `).then(() => done(null, task.n), done),
      { afterProcessDelay: 1 },
    );
    return { queue, file };
  },
  operations: {
    push: {
      run: ({ queue }, id, n) =>
        new Promise((resolve, reject) => queue.push({ id, n }).on('finish', resolve).on('failed', reject)),
      args: [
        ['a', 1],
        ['b', 2],
      ],
    },
    pauseAndResume: {
      run: async ({ queue }) => {
        queue.pause();
        await new Promise((resolve) => setImmediate(resolve));
        queue.resume();
      },
    },
    done: { run: ({ file }) => readFile(file, 'utf8'), reads: true },
  },
  observe: async ({ file }) => (await readFile(file, 'utf8')).split(' ').sort(),
});
