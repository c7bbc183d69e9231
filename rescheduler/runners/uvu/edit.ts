/** The one statement of uvu in which a suite hands its tests over, in both of its builds. */
import { registerHooks } from 'node:module';
import { bridgeText } from '../bridge.ts';
import { MODULE } from './module.ts';

const HANDED_OVER = 'let run = runner.bind(0, copy, name);';
const TAKEN = `${bridgeText('uvu')}?.take(copy, name);`;

/** To be called before it is loaded. */
export function editModule(): void {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!MODULE.test(url) || loaded.source == null) return loaded;
      const text =
        typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
      return { ...loaded, source: text.replace(HANDED_OVER, `${TAKEN}${HANDED_OVER}`) };
    },
  });
}
