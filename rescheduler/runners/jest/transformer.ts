/**
 * Instruments what Jest has made of the user's files: behind all transforms and behind the instrumentation for coverage, so
 * that the text is JavaScript, mocks are hoisted, and what Jest keeps on disk is as it would be without us.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import type { Applied } from '../../../monitor/instrument/edits.ts';
import { loaderConfig } from '../../../monitor/loader/config.ts';
import { instrumentTransformed } from '../../../monitor/loader/load.ts';
import { loadedFile } from '../../../monitor/loader/seen.ts';
import { entryAt, namedPayload, placedBy, putsOf, shifted } from '../../../monitor/loader/source-map.ts';
import type { FrameReader } from '../../../monitor/record/call-site.ts';
import { threadLoader } from '../../../monitor/threads/hooks.ts';
import { ask, natively } from '../../gate/session.ts';
import { placeOf } from '../bridge.ts';
import { editedText } from '../edited-text.ts';
import type { ScriptTransformer, Transformed, TransformOptions } from './api.ts';

/** By what Jest has made of a file: what we have made of that. */
const done = new WeakMap<Transformed, Transformed>();
/** Of the texts that run, by file. */
const maps = new Map<string, SourceMap>();
let written = 0;

export function instrumenting(inner: ScriptTransformer): ScriptTransformer {
  const ours: ScriptTransformer = {
    // What Jest reads and writes there is none of the program's doing.
    transform: (filename, options, source) =>
      instrumented(
        natively(() => inner.transform(filename, options, source)),
        filename,
        options,
      ),
    transformAsync: async (filename, options, source) =>
      instrumented(
        await ask('jest.import', () => inner.transformAsync(filename, options, source)),
        filename,
        options,
      ),
  };
  return new Proxy(inner, {
    get(target, name) {
      if (Object.hasOwn(ours, name)) return ours[name as keyof ScriptTransformer];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Where a frame in such a text is in the user's file. */
export const framesOf: FrameReader = (frame) => {
  const name = frame.getFileName() ?? '';
  const map = maps.get(name);
  const [line, column] = [frame.getLineNumber() ?? 1, frame.getColumnNumber() ?? 1];
  return map ? entryAt(map, line, column, name, loaderConfig().cwd) : null;
};

function instrumented(given: Transformed, filename: string, options: TransformOptions): Transformed {
  if (options?.isInternalModule) return given;
  const known = done.get(given);
  if (known) return known;
  const result = natively(() => make(given, filename, options));
  done.set(given, result);
  return result;
}

function make(given: Transformed, filename: string, options: TransformOptions): Transformed {
  const kind = options?.supportsStaticESM ? 'module' : 'commonjs';
  const ofThreads = threadLoader();
  if (ofThreads) return { ...given, code: ofThreads.transform(given.code, filename, kind) };
  loadedFile(filename);
  // What no transform has touched may say itself what it was made of.
  const payload = payloadOf(given) ?? namedPayload(filename, given.code);
  const map = payload && new SourceMap(payload);
  const applied = instrumentTransformed(filename, given.code, kind, (sites) =>
    map ? sites.map((site) => placedBy(site, map, filename, loaderConfig().cwd)) : sites,
  );
  if (applied === null) return given;
  const moved = payload ? movedBy(payload, applied) : mapOf(filename, given.code, applied);
  const sourceMapPath = placeOf(`${written++}.map`);
  writeFileSync(sourceMapPath, JSON.stringify(moved));
  maps.set(filename, new SourceMap(moved));
  return { ...given, code: applied.code, sourceMapPath };
}

function payloadOf({ sourceMapPath }: Transformed): SourceMapPayload | null {
  if (!sourceMapPath) return null;
  try {
    const payload = JSON.parse(readFileSync(sourceMapPath, 'utf8')) as SourceMapPayload;
    return typeof payload.mappings === 'string' ? payload : null;
  } catch {
    // Jest names the file also where it has written none.
    return null;
  }
}

const movedBy = (payload: SourceMapPayload, { code, inserted }: Applied): SourceMapPayload => ({
  ...payload,
  mappings: shifted(payload.mappings, putsOf(code, inserted)),
});

/** The text is what the user wrote. */
const mapOf = (filename: string, text: string, applied: Applied): SourceMapPayload =>
  editedText(text, applied).generateMap({
    hires: 'boundary',
    source: filename,
  }) as unknown as SourceMapPayload;
