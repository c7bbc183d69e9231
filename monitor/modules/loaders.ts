/**
 * Modules as the loaders of this process give them: found, read and rewritten by all hooks that anybody has registered.
 * An import of a made-up name goes through the hooks, and ends in an empty module.
 */
import { registerHooks } from 'node:module';

export interface Given {
  readonly url: string;
  readonly format: string | null | undefined;
  /** Null where it was not to be read, or is no text. */
  readonly source: string | null;
}

interface Question {
  readonly specifier: string;
  readonly parentURL: string | undefined;
  readonly isRead: (url: string) => boolean;
  answer: Given | null;
}

const SCHEME = 'unweave-given:';
const questions = new Map<string, Question>();
let count = 0;
let installed = false;

/** Behind those of the user, and thus the first to be asked. */
function installHooks(): void {
  if (installed) return;
  installed = true;
  registerHooks({
    resolve(specifier, context, next) {
      const question = questions.get(specifier);
      if (!question) return next(specifier, context);
      const { parentURL } = question;
      const { url, format } = next(question.specifier, { ...context, parentURL });
      question.answer = { url, format, source: null };
      return { url: specifier, format: 'module', shortCircuit: true };
    },
    load(url, context, next) {
      const question = questions.get(url);
      const found = question?.answer;
      if (!found) return next(url, context);
      if (question.isRead(found.url)) {
        const importAttributes = /\.json(?:[?#]|$)/.test(found.url) ? { type: 'json' } : {};
        const { format, source } = next(found.url, { ...context, format: found.format, importAttributes });
        const text = typeof source === 'string' ? source : source && Buffer.from(source as Uint8Array);
        question.answer = { url: found.url, format, source: text ? text.toString() : null };
      }
      return { format: 'module', source: '', shortCircuit: true };
    },
  });
}

/** What an `import` of `specifier` in the module at `parentURL` gets; its text only where `isRead` says so. Throws what loaders throw. */
export async function askLoaders(
  specifier: string,
  parentURL: string | undefined,
  isRead: (url: string) => boolean,
): Promise<Given> {
  installHooks();
  const name = `${SCHEME}${++count}`;
  const question: Question = { specifier, parentURL, isRead, answer: null };
  questions.set(name, question);
  try {
    await import(name);
  } finally {
    questions.delete(name);
  }
  return question.answer!;
}
