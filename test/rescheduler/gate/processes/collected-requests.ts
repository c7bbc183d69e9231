/** Leaves many requests that were never handed to the kernel, in a process that collects garbage all the time. */
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gated } from '../support.ts';

for (let run = 0; run < 60; run++)
  await gated(async () => {
    for (let i = 0; i < 20; i++) {
      await Promise.all(Array.from({ length: 20 }, () => new Promise((resolve) => fs.stat('.', resolve))));
      await sleep(1);
    }
  });
