/**
 * Instruments what Vite has made of the user's files: behind all other plugins, so that the text is JavaScript and mocks
 * are hoisted. The workers that run the text get its points from a file.
 */
import { SourceMap, type SourceMapPayload } from 'node:module';
import { loaderConfig } from '../../../monitor/loader/config.ts';
import { instrumentForeign } from '../../../monitor/loader/load.ts';
import { placedBy } from '../../../monitor/loader/source-map.ts';
import { FOREIGN_SITES } from '../../../monitor/runtime/index.ts';
import { writeWhole } from '../../subjects/job.ts';
import { bridgeText, placeOf } from '../bridge.ts';
import { editedText } from '../edited-text.ts';

interface Transforming {
  getCombinedSourcemap(): SourceMapPayload;
}

/** Number of the next point: of one command, in whichever process. */
let next = FOREIGN_SITES;

export function instrumenting(): object {
  return {
    name: 'unweave',
    enforce: 'post',
    transform: {
      order: 'post',
      handler(this: Transforming, text: string, id: string) {
        return instrumented(text, id, () => this.getCombinedSourcemap());
      },
    },
  };
}

function instrumented(text: string, id: string, map: () => SourceMapPayload): object | null {
  const [path] = id.split('?', 1);
  if (!path?.startsWith('/') || /[?&](?:raw|url|worker|sharedworker|inline)(?:[=&]|$)/.test(id)) return null;
  const applied = instrumentForeign(path, text, next);
  if (applied === null) return null;
  const first = next;
  next += applied.sites.length;
  const known = new SourceMap(map());
  const { cwd } = loaderConfig();
  const file = placeOf(`${first}.points`);
  writeWhole(file, { first, sites: applied.sites.map((site) => placedBy(site, known, path, cwd)) });
  const edited = editedText(text, applied);
  // Before whatever is put in at the same place.
  const hashbang = /^#!.*\n/.exec(text)?.[0].length ?? 0;
  edited.prependLeft(hashbang, `${bridgeText('vitest')}?.points(${JSON.stringify(file)});`);
  return { code: edited.toString(), map: edited.generateMap({ hires: 'boundary', source: path }) };
}
