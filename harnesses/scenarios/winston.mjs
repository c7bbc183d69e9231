// Requests that each log when they begin and end, to files of a bounded size.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scenario } from 'unweave';
import winston from 'winston';

scenario({
  name: 'winston',
  setup({ dir }) {
    const transport = new winston.transports.File({ dirname: dir, filename: 'app.log', maxsize: 20 });
    return {
      dir,
      logger: winston.createLogger({ format: winston.format.simple(), transports: [transport] }),
    };
  },
  operations: {
    request: {
      async run({ logger }, name, ms) {
        logger.info(`begin ${name}`);
        await sleep(ms);
        logger.info(`end ${name}`);
      },
      args: [
        ['a', 20],
        ['b', 20],
      ],
    },
    note: {
      run({ logger }, text) {
        logger.info(text);
      },
      args: [['hello'], ['world']],
    },
  },
  async observe({ dir }) {
    const texts = await Promise.all((await readdir(dir)).map((file) => readFile(join(dir, file), 'utf8')));
    return texts.join('').split('\n').sort();
  },
});
