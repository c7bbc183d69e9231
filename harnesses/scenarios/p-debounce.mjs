// A text that is saved 50 ms after the last change.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pDebounce from 'p-debounce';
import { scenario } from 'unweave';

scenario({
  name: 'p-debounce',
  setup({ dir }) {
    const draft = { file: join(dir, 'draft'), text: '' };
    draft.save = pDebounce(() => writeFile(draft.file, draft.text), 50);
    return draft;
  },
  operations: {
    type: {
      async run(draft, letters) {
        draft.text += letters;
        await draft.save();
      },
      args: [['a'], ['b']],
    },
  },
  observe: ({ file }) => readFile(file, 'utf8'),
});
