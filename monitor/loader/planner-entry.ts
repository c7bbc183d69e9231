/** A thread that instruments what processes under test ask for in its folder, one after the other. */
import { readdirSync, readFileSync, unlinkSync, watch } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { plan } from '../instrument/instrument.ts';
import { ASKED, answerPlan, type PlanAnswer, type PlanRequest } from './planner.ts';

/** Not every file system tells what comes, ms. */
const LOOK_MS = 20;

const folder = workerData as string;

function answerAll(): void {
  for (const file of readdirSync(folder).filter((name) => name.endsWith(ASKED))) answer(file);
}

function answer(file: string): void {
  try {
    const path = join(folder, file);
    const request = JSON.parse(readFileSync(path, 'utf8')) as PlanRequest;
    unlinkSync(path);
    answerPlan(folder, file, planned(request));
  } catch {
    // Who has asked is not there any more, or the folder is not.
  }
}

function planned({ source, options }: PlanRequest): PlanAnswer {
  try {
    return { plan: plan(source, options) };
  } catch (error) {
    // What fails fails again in the process that asked, where it can be told.
    return error instanceof SyntaxError ? 'does not parse' : 'failed';
  }
}

watch(folder, answerAll);
setInterval(answerAll, LOOK_MS);
answerAll();
