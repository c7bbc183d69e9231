/** The public face of the loader; importing it installs nothing. */
export { CONFIG_VARIABLE, defaultConfig, type LoaderConfig, parseConfig } from './config.ts';
export { install } from './hooks.ts';
export {
  configure,
  type InstrumentedFile,
  instrumentFile,
  isInstrumented,
  loaderConfig,
} from './load.ts';
export { isSelected } from './select.ts';
