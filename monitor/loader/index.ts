/** The public face of the loader; importing it installs nothing. */
export { defaultConfig, type LoaderConfig } from './config.ts';
export { configure, instrumentFile, loaderConfig } from './load.ts';
export { isSelected } from './select.ts';
