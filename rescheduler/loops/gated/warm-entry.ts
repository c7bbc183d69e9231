/** Entry of a process that executes a program with workers of its own again and again. */
import { CONFIG_VARIABLE, parseConfig } from '../../../monitor/loader/config.ts';
import { answerRequests } from '../../subjects/answer.ts';
import { WarmProgram } from './warm-program.ts';

const program = new WarmProgram(parseConfig(process.env[CONFIG_VARIABLE]));

answerRequests(async (request) => {
  if (request.kind !== 'program') throw new Error(`no such request here: ${request.kind}`);
  return program.run(request);
});
