/** The linker as executors use it: the user's files are instrumented and fresh, everything else is Node's. */
import { instrumentFile, isInstrumented } from '../../monitor/loader/index.ts';
import { createLinker, type Linker, type Namespace } from '../../monitor/modules/linker.ts';

/** A linker for the user's files; `provided` replaces modules by URL. */
export function createUserLinker(
  instrument: readonly string[],
  provided?: ReadonlyMap<string, Namespace>,
): Linker {
  return createLinker({
    isFresh: (file) => isInstrumented(file, instrument),
    transform: (text, file) => instrumentFile(text, file),
    ...(provided ? { provided } : {}),
  });
}
