/** Entry of a process that runs harnesses of threads. */
import { CONFIG_VARIABLE, parseConfig } from '../../monitor/loader/config.ts';
import { answerRequests } from '../subjects/answer.ts';
import { ThreadRunner } from './runner.ts';

const runner = new ThreadRunner(parseConfig(process.env[CONFIG_VARIABLE]));

answerRequests(async (request) => {
  if (request.kind !== 'threads') throw new Error(`no such request here: ${request.kind}`);
  return runner.run(request);
});
