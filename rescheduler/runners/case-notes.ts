/** What a process leaves of the test cases that it has recorded: a file each. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { RunnerName } from '../../data/runners.ts';
import {
  type CaseId,
  type CaseRecord,
  type ForceJob,
  noteAround,
  ownRecipe,
  type Recipe,
  type RecordJob,
  writeWhole,
} from '../subjects/job.ts';
import { noteName } from '../subjects/supervisor.ts';

export class CaseNotes {
  private readonly out: string;
  private readonly runner: RunnerName;
  private readonly recipe: Recipe;
  /** Taken before the program can change its environment. */
  private readonly process = noteAround();
  private order = 0;

  constructor(job: RecordJob | ForceJob, runner: RunnerName, recipe: Recipe = ownRecipe(job)) {
    this.out = job.out;
    this.runner = runner;
    this.recipe = recipe;
  }

  write(id: CaseId, told: Pick<CaseRecord, 'container' | 'todo' | 'result' | 'trace' | 'log'>): void {
    const { runner, recipe, process: around } = this;
    const record: CaseRecord = {
      kind: 'case',
      runner,
      id,
      process: around,
      recipe,
      order: this.order++,
      ...told,
    };
    const key = createHash('sha1')
      .update(JSON.stringify([id, process.pid]))
      .digest('hex')
      .slice(0, 20);
    writeWhole(join(this.out, `${noteName(process.pid, key)}.case`), record);
  }
}
