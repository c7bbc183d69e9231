/** An instrumented text as edits of the one before, which make a source map. */
import MagicString from 'magic-string';
import type { Applied } from '../../monitor/instrument/edits.ts';

export function editedText(text: string, { code, inserted }: Applied): MagicString {
  const edited = new MagicString(text);
  let before = 0;
  for (let i = 0; i < inserted.length; i += 2) {
    const [at, length] = [inserted[i]!, inserted[i + 1]!];
    edited.appendLeft(at - before, code.slice(at, at + length));
    before += length;
  }
  return edited;
}
