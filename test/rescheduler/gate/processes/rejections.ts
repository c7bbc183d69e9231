/** A listener that a hook has set, under a runner that has none for rejections; it holds for the whole process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { leavesRejectionsToProgram } from '../../../../rescheduler/gate/errors.ts';
import { gated } from '../support.ts';

const rejects = async () => {
  Promise.reject(new Error('boom'));
  await sleep(1);
};
leavesRejectionsToProgram();
const unheard = await gated(rejects);
const heard: string[] = [];
process.on('unhandledRejection', (error) => heard.push(String(error)));
const { status } = await gated(rejects);
console.log(unheard.status, String(unheard.error), status, heard.join());
