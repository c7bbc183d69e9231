/** A folder in which every mutant stands as a whole program of its own. */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { discoverHarnesses } from '../../rescheduler/subjects/discover.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import { temporary } from '../temporary.ts';
import { original, type ProgramMutant } from './corpus.ts';

export class Workshop {
  readonly root = temporary('unweave-mutants');
  private made = 0;

  constructor() {
    symlinkSync(original('../node_modules'), join(this.root, 'node_modules'));
    writeFileSync(join(this.root, 'package.json'), '{"type":"module"}');
  }

  /** The mutant as something that can be executed. */
  async subject({ file, changed, name, text }: ProgramMutant): Promise<Subject> {
    const folder = join(this.root, `m${++this.made}`);
    cpSync(original('lib'), join(folder, 'lib'), { recursive: true });
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), readFileSync(original(file)));
    writeFileSync(join(folder, changed), text);
    // The harness API is one, wherever the programs stand.
    writeFileSync(join(folder, 'api.ts'), `export * from '${pathToFileURL(original('api.ts')).href}';\n`);
    const subjects = await discoverHarnesses([join(folder, file)], { cwd: this.root });
    const subject = subjects.find((one) => one.name === name);
    if (!subject) throw new Error(`${file}: no harness named ${name}`);
    return subject;
  }

  close(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
