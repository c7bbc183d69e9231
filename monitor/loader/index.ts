/** The public face of the loader; importing it installs nothing. */
export { configure, defaultConfig, type LoaderConfig, loaderConfig } from './config.ts';
export { instrumentFile } from './load.ts';
export { isSelected } from './select.ts';
