// Processes that are there before they are given work: each says that it is there, and begins when it is told.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** Starts one process for each list of arguments; the work of each begins `pauseMs` after that of the one before. */
export async function runAll(script, argvs, pauseMs = 300) {
  const children = argvs.map((argv) => fork(new URL(script, import.meta.url), argv));
  await Promise.all(children.map((child) => once(child, 'message')));
  const ended = children.map((child) => once(child, 'exit'));
  const answers = children.map((child) => once(child, 'message').then(([answer]) => answer));
  for (const [at, child] of children.entries()) {
    if (at > 0) await sleep(pauseMs);
    child.send('begin');
  }
  const all = await Promise.all(answers);
  for (const [code] of await Promise.all(ended)) if (code !== 0) throw new Error(`ended with ${code}`);
  return all;
}

/** In such a process. */
export async function work(body) {
  const begin = once(process, 'message');
  process.send('there');
  await begin;
  process.send((await body(process.argv.slice(2))) ?? 'done');
}
